/* A lean client of HTTP: one of Node's would take longer than the server. */
import { once } from "node:events";
import { connect } from "node:net";

/** A connection that is kept, with one request at a time. */
export class Connection {
  #socket;
  #host;
  #received = "";
  #done;

  /** Opens a connection to the server of an address. */
  static async open(url) {
    const { hostname, port, host } = new URL(url);
    const connection = new Connection();
    connection.#host = host;
    connection.#socket = connect(Number(port), hostname).setNoDelay(true).setEncoding("latin1");
    connection.#socket.on("data", (text) => connection.#take(text));
    connection.#socket.on("error", (error) => connection.#done?.reject(error));
    await once(connection.#socket, "connect");
    return connection;
  }

  /** Gets a path; returns the body, of Latin characters. */
  get(path) {
    return new Promise((resolve, reject) => {
      this.#done = { resolve, reject };
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n\r\n`);
    });
  }

  #take(text) {
    this.#received += text;
    const head = this.#received.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1]);
    if (this.#received.length < head + 4 + length) return;
    const [received, { resolve, reject }] = [this.#received, this.#done];
    this.#received = "";
    if (received.startsWith("HTTP/1.1 200 ")) resolve(received.slice(head + 4));
    else reject(new Error(`the server answered: ${received}`));
  }

  close() {
    this.#socket.destroy();
  }
}

/* A lean client of HTTP: one of Node's would take longer than the server. */
import { once } from "node:events";
import { connect } from "node:net";

/**
 * Opens a connection that is kept, with one request at a time.
 *
 * @returns `get`, which returns the body of a path, of Latin characters, and `close`
 */
export async function connectTo(url) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding("latin1");
  await once(socket, "connect");
  const get = (path) =>
    new Promise((resolve, reject) => {
      let received = "";
      const take = (text) => {
        received += text;
        const body = received.indexOf("\r\n\r\n") + 4;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
        if (body < 4 || received.length < body + length) return;
        socket.off("data", take).off("error", reject);
        if (received.startsWith("HTTP/1.1 200 ")) resolve(received.slice(body));
        else reject(new Error(`the server answered: ${received}`));
      };
      socket.on("data", take).on("error", reject);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    });
  return { get, close: () => socket.destroy() };
}

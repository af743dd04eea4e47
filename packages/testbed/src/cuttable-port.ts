import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A TCP proxy to a port of this machine. Its connections can be cut, its replies delayed, and its
 * target switched.
 */
export class CuttablePort implements Disposable {
  #target: number;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#join(client));
  #isCut = false;
  /** Milliseconds by which each reply is delayed. */
  delay = 0;

  private constructor(target: number) {
    this.#target = target;
  }

  static async open(target: number): Promise<CuttablePort> {
    const proxy = new CuttablePort(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts all connections and refuses new ones for a time, in milliseconds. */
  async cut(milliseconds: number): Promise<void> {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
    await sleep(milliseconds);
    this.#isCut = false;
  }

  /** Leads new connections to another port; cuts the old ones, or leaves them open. */
  switchTo(target: number, { cut }: { cut: boolean }): void {
    this.#target = target;
    if (cut) for (const socket of this.#sockets) socket.destroy();
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket): void {
    if (this.#isCut) {
      client.destroy();
      return;
    }
    const server = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
    client.pipe(server);
    let due = 0;
    server.on("data", (data) => {
      // A reply never overtakes another.
      due = Math.max(due, performance.now() + this.delay);
      const wait = due - performance.now();
      if (wait <= 0) client.write(data);
      else setTimeout(() => client.write(data), wait);
    });
  }
}

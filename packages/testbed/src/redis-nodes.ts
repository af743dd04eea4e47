import { join } from "node:path";
import { type RedisServer, startRedis, tellRedis } from "./redis-server.js";
import { until } from "./until.js";

/** Slots of a Redis Cluster. */
const SLOTS = 16_384;

/** A Redis Cluster on 127.0.0.1, each of whose nodes is a primary with a share of the slots. */
export class RedisNodes implements AsyncDisposable {
  readonly nodes: RedisServer[] = [];
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts the nodes, which store their data under `folder`, and joins them. */
  static async start(folder: string, count = 3): Promise<RedisNodes> {
    const cluster = new RedisNodes(folder);
    try {
      for (let i = 0; i < count; i++) cluster.nodes.push(await cluster.#start(i));
      const [first, ...others] = cluster.nodes as [RedisServer, ...RedisServer[]];
      for (const [i, { url }] of cluster.nodes.entries()) {
        const [from, to] = [i, i + 1].map((share) => Math.floor((share * SLOTS) / count));
        await tellRedis(url, "CLUSTER", "ADDSLOTSRANGE", `${from}`, `${(to as number) - 1}`);
      }
      for (const { port } of others) {
        await tellRedis(first.url, "CLUSTER", "MEET", "127.0.0.1", `${port}`);
      }
      await cluster.#isWhole();
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Returns the number of the node that stores a key. */
  async ownerOf(key: string): Promise<number> {
    const { url } = this.nodes[0] as RedisServer;
    const slot = Number(await tellRedis(url, "CLUSTER", "KEYSLOT", key));
    return Math.floor(((slot + 1) * this.nodes.length - 1) / SLOTS);
  }

  /** Kills a node. */
  async stop(number: number): Promise<void> {
    await this.nodes[number]?.stop("SIGKILL");
  }

  /** Starts a node again, with its data, and waits until the cluster accepts commands. */
  async restart(number: number): Promise<void> {
    this.nodes[number] = await this.#start(number, this.nodes[number]?.port);
    await this.#isWhole();
  }

  /** Waits until all nodes report that the cluster accepts commands. */
  async #isWhole(): Promise<void> {
    for (const { url } of this.nodes) {
      await until("the cluster is whole", async () => {
        const info = `${await tellRedis(url, "CLUSTER", "INFO")}`;
        return (
          info.includes("cluster_state:ok") &&
          info.includes(`cluster_known_nodes:${this.nodes.length}`)
        );
      });
    }
  }

  #start(number: number, port?: number): Promise<RedisServer> {
    return startRedis({
      port,
      appendOnly: join(this.#folder, `node${number}`),
      extra: ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop("SIGKILL")));
  }
}

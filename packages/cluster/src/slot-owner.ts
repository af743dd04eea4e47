import { createConnection, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { AbstractConnector as Connector } from "ioredis";
import { AbstractConnector, ONCE, Redis } from "./ioredis.js";
import type { Endpoint } from "./redis-options.js";
import { NODE_MS } from "./timing.js";

/*
 * Connections to a Redis Cluster. All keys of a run lie in one slot (`keyPrefix`), so a run needs
 * only the node that has this slot, and uses it like a single server: each time it connects, it
 * asks the nodes that it knows which one that is. (The cluster client of ioredis has connections to
 * all nodes, and while any of them is away it sometimes loses a command by which BullMQ waits for a
 * job.)
 */

interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns a class of connectors, for ioredis, to the node of a Redis Cluster that has the slot of a
 * key. Without an answer of any node, they connect to the one that had it last.
 *
 * @param endpoint any node of the cluster
 */
export function slotOwner(endpoint: Endpoint, key: string): new (options: unknown) => Connector {
  const { tls } = endpoint.login;
  const finder = new OwnerFinder(endpoint, key);
  return class extends AbstractConnector {
    #search = new AbortController();

    constructor(options: unknown) {
      super((options as { disconnectTimeout: number }).disconnectTimeout);
    }

    async connect(): Promise<Socket> {
      this.#search = new AbortController();
      const { signal } = this.#search;
      // It finds an address in any case: a connector that rejects ends the client for good.
      const owner = await finder.find(signal);
      if (signal.aborted) throw new Error("Connection is closed.");
      this.stream = tls ? connectTls({ ...owner, ...tls }) : createConnection(owner);
      this.stream.once("error", (error: Error) => {
        this.firstError = error;
      });
      return this.stream;
    }

    override disconnect(): void {
      this.#search.abort();
      super.disconnect();
    }
  };
}

/** Finds the node that has a slot. */
class OwnerFinder {
  readonly #endpoint: Endpoint;
  readonly #key: string;
  /** The node that had the slot last. */
  #owner: Address;
  /** The nodes to ask, the one that has answered last first. */
  #nodes: readonly Address[];

  constructor(endpoint: Endpoint, key: string) {
    const { host, port } = endpoint;
    this.#endpoint = endpoint;
    this.#key = key;
    this.#owner = { host, port };
    this.#nodes = [this.#owner];
  }

  async find(signal: AbortSignal): Promise<Address> {
    for (const node of this.#nodes) {
      if (signal.aborted) break;
      const client = new Redis({
        ...node,
        ...this.#endpoint.login,
        ...ONCE,
        connectTimeout: NODE_MS,
        commandTimeout: NODE_MS,
      });
      client.on("error", () => {}); // the awaited promises report it
      const cut = () => client.disconnect();
      signal.addEventListener("abort", cut);
      try {
        await client.connect();
        this.#owner = await this.#ask(client, node);
        break;
      } catch {
        // Another node may answer. If all refuse the login, so will the owner, and its refusal is
        // explained.
      } finally {
        signal.removeEventListener("abort", cut);
        client.disconnect();
      }
    }
    return this.#owner;
  }

  /** Asks a node which one has the slot, and learns of others. */
  async #ask(client: Redis, asked: Address): Promise<Address> {
    const [slot, ranges] = await Promise.all([
      client.cluster("KEYSLOT", this.#key),
      client.cluster("SLOTS"),
    ]);
    const { host, port } = this.#endpoint;
    const all = ranges.map(([, , ...nodes]) => nodes.map((node) => addressOf(node, asked)));
    this.#nodes = distinct([asked, ...all.flat(), { host, port }]);
    const range = ranges.findIndex(([first, last]) => first <= slot && slot <= last);
    return all[range]?.[0] ?? this.#owner;
  }
}

/** Returns a node's address; an empty one stands for the one that was asked. */
function addressOf([host, port]: readonly [string, number, ...unknown[]], asked: Address): Address {
  return { host: host || asked.host, port };
}

function distinct(addresses: readonly Address[]): Address[] {
  return [...new Map(addresses.map((each) => [`${each.host} ${each.port}`, each])).values()];
}

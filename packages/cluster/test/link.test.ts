import { canonical, packBoard, parseBoard, parseShape } from "@gridlock/game";
import {
  createTable,
  Kernel,
  kernelVersion,
  type SharedTable,
  tableLimits,
} from "@gridlock/kernel";
import { until } from "@gridlock/testbed";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
// Its thread is a built file.
import { Link } from "../dist/link.js";
import { keysOf } from "../src/keys.js";
import { type Sharing, writeBatchHeader } from "../src/messages.js";
import type { RedisOptions } from "../src/redis-options.js";
import { someRedis } from "./redis.js";

const GAME = { shape: parseShape("3x3"), tiles: [2, 4] } as const;
const START = {
  turn: "slider",
  board: packBoard(canonical(parseBoard("2 2 0/0 0 0/0 0 0").board)),
} as const;
const SHARING: Sharing = { share: 5, reuse: true, announce: 1000 };

interface Machine {
  readonly kernel: Kernel;
  readonly link: Link;
}

/** Has a name be one of a worker. */
async function register(redis: RedisOptions, name: string): Promise<void> {
  const client = new Redis(redis.url);
  await client.sadd(keysOf(redis).workers, name);
  client.disconnect();
}

async function machine(
  redis: RedisOptions,
  name: string,
  shutOut: readonly string[] = [],
): Promise<Machine> {
  await register(redis, name);
  const table: SharedTable = createTable(GAME, tableLimits(GAME, 2).least + (8 << 20), 2);
  const fail = (error: Error) => {
    throw error;
  };
  const link = new Link(
    { redis, name, table, thread: 1, sharing: SHARING, epoch: 0, shutOut },
    fail,
  );
  onTestFinished(() => link.close());
  return { kernel: new Kernel(table, 0, { together: true }), link };
}

/** Searches piece by piece, so that the link, in its own thread, keeps up. */
async function solve({ kernel }: Machine): Promise<void> {
  while (kernel.ask(START, 188, 2000) === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

describe("a link", () => {
  it("has every machine learn what one has found, but for those that do not listen to it", async () => {
    const redis = await someRedis();
    const first = await machine(redis, "first");
    const second = await machine(redis, "second");
    const deaf = await machine(redis, "deaf", ["first"]);
    // What is learned before a link is up is not passed on.
    await until("the link is up", () => first.link.counts.effort !== null);
    await solve(first);
    await until("the second knows", () => second.kernel.look(START).hi === 184);
    expect(second.link.counts.refused).toBe(0);
    expect(deaf.kernel.look(START).hi).toBe(Number.POSITIVE_INFINITY);
    await until("it is counted", () => {
      const { sent } = first.link.counts; // told a few times a second
      return sent > 0 && sent === second.link.counts.received;
    });
    expect(first.link.counts.bytesSent).toBeLessThan(11 * first.link.counts.sent);
  });

  it("counts what is no batch, and leaves it out", async () => {
    const redis = await someRedis();
    const { link } = await machine(redis, "first");
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    await register(redis, "stranger");
    const stream = keysOf(redis).bounds("stranger");
    const header = {
      kernel: kernelVersion(GAME.shape),
      shape: "3x3",
      tiles: "2,4",
      epoch: 0,
    };
    const ours = writeBatchHeader(header);
    const add = (batch: Record<string, string | Buffer>) =>
      client.xadd(stream, "*", ...Object.entries(batch).flat());
    await add({ nonsense: "1" });
    await add({ for: "everybody", records: Buffer.alloc(9) });
    await add({ for: ours });
    await add({ for: ours, records: Buffer.alloc(9), more: "1" });
    await add({ for: writeBatchHeader({ ...header, epoch: -1 }), records: Buffer.alloc(9) });
    await add({ for: ours, records: Buffer.from([1, 2, 3]) });
    await until("all are refused", () => link.counts.refused === 6);
    // These are for others.
    for (const other of [{ kernel: "0123456789ab" }, { shape: "2x3" }, { epoch: 1 }]) {
      await add({ for: writeBatchHeader({ ...header, ...other }), records: Buffer.alloc(9) });
    }
    await add({ for: ours, records: Buffer.alloc(9) }); // an empty board under search
    await until("one is taken", () => link.counts.received === 1);
    expect(link.counts.refused).toBe(6);
  });
});

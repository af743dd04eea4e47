import { until } from "@gridlock/testbed";
import { FlowProducer, Queue, QueueKeys, Worker } from "bullmq";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { keysOf, QUEUE } from "../src/keys.js";
import { mend, QUEUE_TYPES } from "../src/mend.js";
import type { RedisOptions } from "../src/redis-options.js";
import { someRedis } from "./redis.js";
import { throughBullMQ } from "./servers.js";

/** Names with which other keys begin: those of jobs, and of duplicates. */
const BEGINNINGS = ["", "de"];
/** A name that BullMQ still has, but no longer writes. */
const UNWRITTEN = "paused";

function clientOf({ url }: RedisOptions): Redis {
  const client = new Redis(url, { maxRetriesPerRequest: null });
  onTestFinished(() => client.disconnect());
  return client;
}

/** Has BullMQ write all keys of a queue, and returns the type of each. */
async function writtenBy(redis: RedisOptions): Promise<Record<string, string>> {
  const { prefix } = keysOf(redis);
  const own = () => ({ connection: clientOf(redis) as never, prefix });
  const client = clientOf(redis);
  const keys = Object.entries(new QueueKeys(prefix).getKeys(QUEUE));
  const seen: Record<string, string> = {};
  const look = async () => {
    for (const [name, key] of keys) {
      const type = await client.type(key);
      if (type !== "none") seen[name] = type;
    }
  };
  const queue = new Queue(QUEUE, own());
  const flows = new FlowProducer(own());
  onTestFinished(async () => {
    await Promise.all([queue.close(), flows.close()]);
  });
  await queue.addBulk(["complete", "fail", "hold"].map((name) => ({ name, data: {} })));
  await queue.add("complete", {}, { priority: 1 });
  await queue.add("complete", {}, { delay: 1e6 });
  await queue.upsertJobScheduler("often", { every: 1e6 });
  const child = { name: "hold", queueName: QUEUE, data: {} };
  await flows.add({ name: "parent", queueName: QUEUE, children: [child] });
  await look();
  const work = async ({ name }: { name: string }) => {
    if (name === "fail") throw new Error("expected");
    if (name === "hold") await new Promise(() => {});
  };
  const worker = new Worker(QUEUE, work, { ...own(), concurrency: 9, stalledInterval: 100 });
  onTestFinished(() => worker.close(true));
  await queue.rateLimit(60_000);
  await until("some jobs are held, and a check for stalled jobs is seen", async () => {
    await look();
    return ["active", "completed", "failed", "stalled", "stalled-check"].every((n) => n in seen);
  });
  return seen;
}

describe("BullMQ's keys", () => {
  it("have the names that are mended", () => {
    const names = Object.keys(new QueueKeys("p").getKeys(QUEUE));
    const mended = Object.keys(QUEUE_TYPES);
    expect(names.sort()).toEqual([...mended, ...BEGINNINGS].sort());
  });

  it("have these types in Redis", async () => {
    const { [UNWRITTEN]: _, ...written } = QUEUE_TYPES;
    expect(await writtenBy(await someRedis())).toEqual(written);
  });

  it("are removed if they have another type, so that the queue works again", async () => {
    const redis = await someRedis();
    const keys = keysOf(redis);
    const client = clientOf(redis);
    const names = Object.keys(QUEUE_TYPES);
    const ofQueue = names.map((name) => new QueueKeys(keys.prefix).toKey(QUEUE, name));
    for (const key of ofQueue) await client.hset(key, "not", "expected");
    const removed = await mend(client as never, keys, []);
    expect(removed.sort()).toEqual(ofQueue.filter((key) => !key.endsWith(":meta")).sort());
    expect(await throughBullMQ(redis)).toBe(42);
    expect(await mend(client as never, keys, [])).toEqual([]);
  });
});

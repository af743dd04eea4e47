import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { keysOf } from "../src/keys.js";
import { PROTOCOL } from "../src/messages.js";
import { Roster } from "../src/roster.js";
import { readableLog } from "./log.js";
import { someRedis } from "./redis.js";
import { statusOf } from "./status.js";

async function setUp() {
  const redis = await someRedis();
  const keys = keysOf(redis);
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  const { log, messages } = readableLog();
  const roster = new Roster(log);
  const add = async (name: string, text: string) => {
    await client.sadd(keys.workers, name);
    await client.set(keys.worker(name), text);
  };
  const read = () => roster.read(client, keys);
  return { roster, messages, add, read, client, keys };
}

describe("the roster", () => {
  it("names the workers that have a status, in the order in which they joined", async () => {
    const { roster, add, read, client, keys } = await setUp();
    for (const name of ["b", "c"]) await add(name, JSON.stringify(statusOf(name)));
    await client.sadd(keys.workers, "gone");
    expect((await read()).map(({ worker }) => worker)).toEqual(["b", "c"]);
    await add("a", JSON.stringify(statusOf("a")));
    await client.del(keys.worker("b"));
    await read();
    expect(roster.names).toEqual(["c", "a"]);
    expect(await client.sismember(keys.workers, "gone")).toBe(0);
  });

  it("ignores a worker of another protocol, and reports it once", async () => {
    const { roster, messages, add, read } = await setUp();
    await add("a", JSON.stringify(statusOf("a", PROTOCOL + 1)));
    await read();
    await read();
    expect(roster.names).toEqual([]);
    expect(messages).toEqual(["ignored a worker"]);
  });

  it("reports missing workers after 5 s with work to do, and the next worker", async () => {
    const { roster, messages, add, read } = await setUp();
    roster.watch(false, 0);
    roster.watch(true, 10_000);
    roster.watch(true, 14_999);
    expect(messages).toEqual([]);
    roster.watch(true, 15_000);
    roster.watch(true, 30_000);
    expect(messages).toEqual(["there are no workers; start one with gridlock worker --redis URL"]);
    await add("a", JSON.stringify(statusOf("a")));
    await read();
    roster.watch(true, 31_000);
    roster.watch(true, 32_000);
    expect(messages.slice(1)).toEqual(["workers are available"]);
  });
});

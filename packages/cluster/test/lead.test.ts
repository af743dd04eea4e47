import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, disconnect } from "../src/connection.js";
import { type Keys, keysOf } from "../src/keys.js";
import { Lead } from "../src/lead.js";
import { Reach } from "../src/outage.js";
import { GONE_MS } from "../src/timing.js";
import { readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";

async function setUp() {
  const redis = await someRedis();
  const keys = keysOf(redis);
  const client = connect(redis, "commands");
  const admin = new Redis(redis.url);
  onTestFinished(() => {
    disconnect(client);
    admin.disconnect();
  });
  const lead = (run: string) => new Lead({ client, keys, reach: reach() }, run);
  return { keys, client, admin, lead };
}

const reach = () => new Reach(readableLog().log, optionsOf("redis://127.0.0.1"));

async function holder(admin: Redis, keys: Keys) {
  return await admin.get(keys.coordinator);
}

describe("the lead", () => {
  it("is held by one run at a time, and expires", async () => {
    const { keys, admin, lead } = await setUp();
    expect(await lead("a").renew()).toBe(true);
    expect(await lead("b").renew()).toBe(false);
    expect(await lead("a").renew()).toBe(true);
    expect(await holder(admin, keys)).toBe("a");
    const left = await admin.pttl(keys.coordinator);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(GONE_MS);
  });

  it("is given up by disposal of its holder only, with the description of the run", async () => {
    const { keys, admin, lead } = await setUp();
    await lead("a").renew();
    await admin.set(keys.run, "description");
    await lead("b")[Symbol.asyncDispose]();
    expect(await holder(admin, keys)).toBe("a");
    await lead("a")[Symbol.asyncDispose]();
    expect(await admin.exists(keys.coordinator, keys.run)).toBe(0);
  });

  it("is taken as soon as a killed coordinator counts as gone", async () => {
    const { keys, admin, lead } = await setUp();
    await admin.set(keys.coordinator, "killed", "PX", 500);
    let waits = 0;
    await lead("b").acquire(() => waits++);
    expect(waits).toBe(1);
    expect(await holder(admin, keys)).toBe("b");
  });

  it("is denied, naming its holder, while the holder renews it", async () => {
    const { keys, admin, lead } = await setUp();
    await admin.set(keys.coordinator, "alive");
    await expect(lead("b").acquire(() => {})).rejects.toMatchObject({
      code: "busy",
      message: expect.stringMatching(/^another coordinator has a run under the prefix test-/),
    });
  });

  it("is taken if its key has another type", async () => {
    const { keys, admin, lead } = await setUp();
    await admin.rpush(keys.coordinator, "item");
    expect(await lead("a").renew()).toBe(true);
    expect(await holder(admin, keys)).toBe("a");
    await admin.del(keys.coordinator);
    await admin.rpush(keys.coordinator, "item");
    await lead("a")[Symbol.asyncDispose]();
  });

  it("is taken after an outage that began before", async () => {
    const server = await testRedis();
    const redis = optionsOf(server.url);
    const client = connect(redis, "commands");
    onTestFinished(() => disconnect(client));
    await client.ping();
    await server.stop("SIGKILL");
    const { log, messages } = readableLog();
    const taken = new Lead(
      { client, keys: keysOf(redis), reach: new Reach(log, redis) },
      "a",
    ).acquire(() => {});
    await expect.poll(() => messages).toContain("waiting for Redis");
    await testRedis({ port: server.port });
    await taken;
    expect(messages.at(-1)).toBe("Redis is back");
  });
});

import { StoreError } from "@gridlock/store";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, disconnect } from "../src/connection.js";
import { ClusterError } from "../src/errors.js";
import { isOutage, Reach } from "../src/outage.js";
import { readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";
import { portOfNobody } from "./servers.js";

const REDIS = optionsOf("redis://127.0.0.1:6379");

describe("an outage", () => {
  it("is recognized by the errors of a client whose server is away", async () => {
    const server = await testRedis();
    const client = connect(optionsOf(server.url), "commands");
    onTestFinished(() => disconnect(client));
    await client.ping();
    const blocked = client.blpop("list", 0).catch((error) => error);
    await server.stop("SIGKILL");
    const next = await client.ping().catch((error) => error);
    for (const error of [await blocked, next])
      expect([error.message, isOutage(error)][1]).toBe(true);
    const unconnected = connect(optionsOf(`redis://127.0.0.1:${await portOfNobody()}`), "commands");
    onTestFinished(() => disconnect(unconnected));
    expect(isOutage(await unconnected.ping().catch((error) => error))).toBe(true);
  });

  it("is not the reason if a server refuses a command", async () => {
    const { url, prefix } = await someRedis();
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    await client.set(`{${prefix}}:x`, "text");
    const wrongType = await client.lpush(`{${prefix}}:x`, "item").catch((error) => error);
    expect(wrongType.message).toContain("WRONGTYPE");
    expect(isOutage(wrongType)).toBe(false);
    expect(isOutage(new ClusterError("busy", "another coordinator"))).toBe(false);
  });

  it("is waited for, and its beginning and end are logged once", async () => {
    const { log, messages } = readableLog();
    const reach = new Reach(log, REDIS);
    let tries = 0;
    const result = await reach.persist(async () => {
      if (++tries < 3) throw new Error("Connection is closed.");
      return 7;
    });
    expect([result, tries]).toEqual([7, 3]);
    expect(messages).toEqual(["waiting for Redis", "Redis is back"]);
  });

  it("is logged once a minute, in our own words", () => {
    const { log, messages, lines } = readableLog();
    const reach = new Reach(log, REDIS);
    for (let second = 0; second < 150; second += 0.01) {
      reach.failed(new Error("Socket timeout. Expecting data"), 1000 * second);
    }
    reach.answered(150_000);
    expect(messages).toEqual([
      ...["waiting for Redis", "still waiting for Redis", "still waiting for Redis"],
      "Redis is back",
    ]);
    expect(lines).toMatchObject([
      { error: "Redis at 127.0.0.1:6379 did not answer in time" },
      ...[{ seconds: 60 }, { seconds: 120 }, { seconds: 150 }],
    ]);
  });
});

describe("a refusal", () => {
  const OOM = replyError("OOM command not allowed when used memory > 'maxmemory'.");

  it("is thrown at once if it is not about Redis", () => {
    const reach = new Reach(readableLog().log, REDIS);
    for (const error of [new ClusterError("busy", "b"), new StoreError("full", "f")]) {
      expect(() => reach.failed(error)).toThrow(error);
    }
  });

  it("may pass, but not for long, and is logged once", () => {
    const { log, messages, lines } = readableLog();
    const reach = new Reach(log, REDIS);
    for (let second = 0; second < 30; second += 0.001) {
      reach.failed(OOM, 1000 * second);
      reach.answered(1000 * second); // reads are answered
    }
    expect(messages).toEqual(["Redis refuses commands; trying again for 30 s"]);
    const error = expect.stringMatching(/^Redis at 127.0.0.1:6379 does not accept writes; .*OOM/);
    expect(lines).toMatchObject([{ error }]);
    expect(() => reach.failed(OOM, 30_000)).toThrow(/refused commands .* 30 s: .*OOM/);
  });

  it("has passed when nothing has been refused for 3 s", () => {
    const { log, messages } = readableLog();
    const reach = new Reach(log, REDIS);
    reach.failed(OOM, 0);
    reach.failed(OOM, 29_000);
    reach.succeeded(31_000);
    expect(messages).toHaveLength(1);
    reach.succeeded(32_000);
    expect(messages.slice(1)).toEqual(["Redis accepts commands again"]);
    reach.failed(OOM, 33_000);
    reach.failed(OOM, 62_000);
  });

  it("does not count the time in which the server was away", () => {
    const { log, messages } = readableLog();
    const reach = new Reach(log, REDIS);
    reach.failed(OOM, 0);
    reach.failed(new Error("Connection is closed."), 1_000);
    reach.failed(OOM, 3_600_000);
    reach.failed(OOM, 3_620_000);
    expect(messages.filter((message) => message.includes("refuses"))).toHaveLength(2);
  });
});

function replyError(message: string): Error {
  const error = new Error(message);
  error.name = "ReplyError";
  return error;
}

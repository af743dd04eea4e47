import { StoreError } from "@gridlock/store";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, disconnect } from "../src/connection.js";
import { ClusterError } from "../src/errors.js";
import { isOutage, Reach } from "../src/outage.js";
import { readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";
import { portOfNobody } from "./servers.js";

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
    const reach = new Reach(log);
    let tries = 0;
    const result = await reach.persist(async () => {
      if (++tries < 3) throw new Error("Connection is closed.");
      return 7;
    });
    expect([result, tries]).toEqual([7, 3]);
    expect(messages).toEqual(["waiting for Redis", "Redis is back"]);
  });
});

describe("an error that is not an outage", () => {
  it("ends a wait", async () => {
    const reach = new Reach(readableLog().log);
    await expect(reach.persist(() => Promise.reject(new Error("NOPERM")))).rejects.toThrow(
      "Redis refused a command that a run needs (NOPERM)",
    );
  });

  it("is thrown at once if it is not about Redis", () => {
    const reach = new Reach(readableLog().log);
    for (const error of [new ClusterError("busy", "b"), new StoreError("full", "f")]) {
      expect(() => reach.failed(error)).toThrow(error);
    }
  });

  it("may pass, but not for long", () => {
    const { log, messages } = readableLog();
    const reach = new Reach(log);
    const error = new Error("MISCONF disk full");
    reach.failed(error, 0);
    reach.failed(error, 29_000);
    reach.succeeded();
    reach.failed(error, 31_000);
    expect(messages).toEqual(Array(2).fill("Redis refused a command; trying again"));
    expect(() => reach.failed(error, 62_000)).toThrow(/refused commands .* 30 s \(MISCONF/);
  });
});

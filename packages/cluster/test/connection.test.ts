import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { CuttablePort } from "@gridlock/testbed";
import type { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { probe } from "../src/connection.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";
import { client, tell, throughBullMQ } from "./servers.js";

describe("a connection", () => {
  it("for commands keeps them until it first connects, and then fails them while the server is away", async () => {
    const first = await testRedis();
    const errors: Error[] = [];
    const redis = client(optionsOf(first.url), "commands", (error) => errors.push(error));
    expect(await redis.set("key", "value")).toBe("OK");

    const waiting = expect(redis.blpop("list", 0)).rejects.toThrow();
    await first.stop();
    await waiting;
    await expect(redis.get("key")).rejects.toThrow("enableOfflineQueue"); // at once
    await expect.poll(() => errors.length).toBeGreaterThan(0);

    await testRedis({ port: first.port });
    await expect.poll(() => redis.get("key").catch(() => "away")).toBe(null);
  });

  it("for blocking reads waits until the server is back", async () => {
    const first = await testRedis();
    const redis = client(optionsOf(first.url), "blocking");
    const waiting = redis.blpop("list", 15);
    await sleep(300);
    await first.stop("SIGKILL");
    await sleep(300);
    const again = await testRedis({ port: first.port });
    await tell(again.url, "rpush", "list", "item");
    expect(await waiting).toEqual(["list", "item"]);
  });

  it("gives up a server that does not answer", async () => {
    const { url, process } = await testRedis();
    const redis = client(optionsOf(url), "commands");
    await redis.ping();
    process.kill("SIGSTOP");
    await expect(redis.ping()).rejects.toThrow("max retries per request");
    process.kill("SIGCONT");
    await expect.poll(() => redis.ping().catch(() => "away")).toBe("PONG");
  });

  it.each(["commands", "blocking"] as const)(
    "for %s reports a rejected login without the password",
    async (use) => {
      const { port } = await testRedis({ password: "right" });
      const errors: Error[] = [];
      const options = optionsOf(`redis://:s3cret@127.0.0.1:${port}`);
      const redis = client(options, use, (error) => errors.push(error));
      const twin = (redis as Redis).duplicate();
      twin.on("error", (error) => errors.push(error));
      onTestFinished(() => twin.disconnect());
      await expect.poll(() => errors.length).toBeGreaterThan(4);
      for (const error of errors) {
        expect(error.message).toContain("WRONGPASS");
        expect(inspect(error, { depth: 9 })).not.toContain("s3cret");
      }
    },
  );

  it("hears what is published, also after its connection was dropped silently", async () => {
    const { port } = await testRedis();
    using proxy = await CuttablePort.open(port);
    const redis = client(optionsOf(proxy.url), "blocking");
    redis.options.socketTimeout = 500;
    const heard: string[] = [];
    redis.on("message", (_, text) => heard.push(text));
    await redis.subscribe("channel");
    const speaks = setInterval(() => {
      void tell(`redis://127.0.0.1:${port}`, "publish", "channel", "news");
      probe(redis);
    }, 100);
    onTestFinished(() => clearInterval(speaks));
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    proxy.delay = 3_600_000; // no reply comes, and nobody ends the connection
    await sleep(200);
    const before = heard.length;
    await expect.poll(() => redis.status, { interval: 5 }).not.toBe("ready");
    proxy.delay = 0;
    await expect.poll(() => heard.length).toBeGreaterThan(before);
  });

  it("can be used by BullMQ", async () => {
    await expect(throughBullMQ(await someRedis())).resolves.toBe(42);
  });
});

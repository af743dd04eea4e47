/* Servers that refuse commands, change their role or fill up, under coordinators and workers. */
import { join } from "node:path";
import { packBoard, parseBoard, parseShape } from "@gridlock/game";
import { CuttablePort, temporaryFolder, until } from "@gridlock/testbed";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
// The threads of the engine are built files.
import { ClusterWorker, Coordinator } from "../dist/index.js";
import { keysOf } from "../src/keys.js";
import type { RedisOptions } from "../src/redis-options.js";
import { type LogLine, readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";

const GAME = { shape: parseShape("2x2"), tiles: [2, 4] } as const;
const QUESTION = {
  turn: "slider",
  board: packBoard(parseBoard("2 2/0 0").board),
  threshold: 8,
} as const;

function clientOf(redis: RedisOptions): Redis {
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

async function coordinatorOf(redis: RedisOptions) {
  const { log, messages, lines } = readableLog();
  const coordinator = await Coordinator.open({
    redis,
    game: GAME,
    log,
    known: () => undefined,
    save: async () => {},
  });
  onTestFinished(() => coordinator[Symbol.asyncDispose]());
  return { coordinator, messages, lines };
}

function workerOf(redis: RedisOptions) {
  const { log, messages, lines } = readableLog();
  const worker = new ClusterWorker({
    redis,
    version: "0",
    log,
    threads: 1,
    databaseFile: join(temporaryFolder(), "w.db"),
    memory: () => 2 ** 27,
    snapshotEvery: 1,
    shareRate: 1e6,
    once: false,
  });
  const leaving = new AbortController();
  const worked = worker.work(leaving.signal);
  worked.catch(() => {});
  const leave = async () => {
    leaving.abort();
    await worked.catch(() => {});
    await worker[Symbol.asyncDispose]();
  };
  onTestFinished(leave);
  const beats = () => worker.observe().heard;
  return { worked, leave, beats, messages, lines };
}

/** The sentences of libraries that no user should read. */
const LIBRARIES = /maxRetriesPerRequest|enableOfflineQueue|Stream isn't|Socket timeout|is closed/;

/** Returns the lines that a user sees. */
function shown(lines: readonly LogLine[]): LogLine[] {
  return lines.filter(({ level }) => level > 20);
}

it("coordinator and worker go on through lost connections and lost data", async () => {
  const redis = await testRedis();
  const options = optionsOf(redis.url);
  const admin = clientOf(options);
  const { coordinator } = await coordinatorOf(options);
  workerOf(options);
  expect(await coordinator.ask(QUESTION)).toMatchObject({ lo: 8 });
  await admin.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no").catch(() => {});
  expect((await coordinator.ask({ ...QUESTION, threshold: 12 }))?.lo).toBe(12);
  await admin.flushall();
  expect((await coordinator.ask({ ...QUESTION, threshold: 16 }))?.hi).toBe(12);
});

describe("a server that refuses to write", () => {
  it("is reported in two lines by a worker, which works again afterwards", async () => {
    const redis = await testRedis();
    const options = optionsOf(redis.url);
    const admin = clientOf(options);
    const { coordinator } = await coordinatorOf(options);
    const { messages, lines, beats } = workerOf(options);
    await coordinator.ask(QUESTION);
    const before = lines.length;
    await admin.config("SET", "min-replicas-to-write", "1");
    await until("it is noticed", () => messages.some((text) => text.includes("refuses")));
    await admin.config("RESETSTAT");
    // It reads the run once a second all the while.
    const began = beats();
    await until("it has gone on for a while", () => beats() - began > 4_000);
    const stats = String(await admin.info("commandstats"));
    const scripts = Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
    expect(scripts).toBeLessThan(100);
    await admin.config("SET", "min-replicas-to-write", "0");
    await until("it is over", () => messages.includes("Redis accepts commands again"));
    const texts = shown(lines.slice(before)).map(({ msg }) => msg);
    expect(texts).toEqual([
      "Redis refuses commands; trying again for 30 s",
      "Redis accepts commands again",
    ]);
    expect(lines.some(({ error }) => error?.includes("NOREPLICAS"))).toBe(true);
    const other = { ...QUESTION, threshold: 12 };
    expect(await coordinator.ask(other)).toMatchObject({ lo: 12 });
  });
});

it("ends coordinator and worker with the reason when the password is changed", async () => {
  const redis = await testRedis({ password: "old" });
  const options = optionsOf(redis.url);
  const admin = clientOf(options);
  const { coordinator, lines } = await coordinatorOf(options);
  const worker = workerOf(options);
  await coordinator.ask(QUESTION);
  await admin.config("SET", "requirepass", "new");
  await admin.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no").catch(() => {});
  const asked = coordinator.ask({ ...QUESTION, threshold: 1000 });
  const reason = /refused commands of this run for 30 s: Redis at .* rejected the password/;
  await Promise.all([
    expect(asked).rejects.toThrow(reason),
    expect(worker.worked).rejects.toThrow(reason),
  ]);
  for (const each of [lines, worker.lines]) {
    const texts = shown(each).map((line) => `${line.msg} ${line.error}`);
    expect(texts.length).toBeLessThan(20);
    expect(texts.join("\n")).not.toMatch(LIBRARIES);
    expect(JSON.stringify(each)).not.toContain('"old"');
  }
});

it("follows an address to another server, also if the connections to the old one stay open", async () => {
  const [first, second] = [await testRedis(), await testRedis()];
  using proxy = await CuttablePort.open(first.port);
  const options = optionsOf(proxy.url);
  const [old, next] = [clientOf(optionsOf(first.url)), clientOf(optionsOf(second.url))];
  await next.replicaof("127.0.0.1", String(first.port));
  const { coordinator } = await coordinatorOf(options);
  const worker = workerOf(options);
  await coordinator.ask(QUESTION);
  await until("it is replicated", async () => (await next.keys("*")).length > 0);
  proxy.switchTo(second.port, { cut: false });
  await next.replicaof("NO", "ONE");
  await old.replicaof("127.0.0.1", String(second.port));
  expect(await coordinator.ask({ ...QUESTION, threshold: 12 })).toMatchObject({ lo: 12 });
  await until(
    "the worker is there",
    async () => (await next.exists(keysOf(options).workers)) === 1,
  );
  await worker.leave();
});

it("leaves no key without an expiry after a search", async () => {
  const options = await someRedis();
  const { coordinator } = await coordinatorOf(options);
  const worker = workerOf(options);
  await coordinator.ask(QUESTION);
  const client = clientOf(options);
  await coordinator[Symbol.asyncDispose]();
  const { prefix } = keysOf(options);
  await worker.leave();
  for (const key of await client.keys(`${prefix}:*`)) {
    expect([key, await client.ttl(key)]).not.toEqual([key, -1]);
  }
});

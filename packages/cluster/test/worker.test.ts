import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bound, packBoard, parseBoard, parseShape } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { until } from "@gridlock/testbed";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
// The threads of the engine are built files.
import { ClusterWorker, Coordinator } from "../dist/index.js";
import { keysOf } from "../src/keys.js";
import type { RedisOptions } from "../src/redis-options.js";
import { readableLog } from "./log.js";
import { someRedis } from "./redis.js";

function question(text: string, threshold: number): Question {
  return { turn: "slider", board: packBoard(parseBoard(text).board), threshold };
}

const SOON = question("2 2/0 0", 8);
/** A question that takes much longer than any test. */
const LONG = question("2 2 0 0/0 0 0 0/0 0 0 0", 552);

async function open(redis: RedisOptions, shape: string) {
  const { log } = readableLog();
  const coordinator = await Coordinator.open({
    redis,
    game: { shape: parseShape(shape), tiles: [2, 4] },
    log,
    known: () => undefined,
    save: async () => {},
  });
  onTestFinished(() => coordinator[Symbol.asyncDispose]());
  return coordinator;
}

/** Starts a worker that works until it is told to leave, or the running test ends. */
function worker(redis: RedisOptions, name: string, memory = () => 2 ** 28) {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-worker-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { log, messages } = readableLog();
  const databaseFile = join(folder, `${name}.db`);
  const made = new ClusterWorker({
    redis,
    version: "0",
    log,
    threads: 1,
    memory,
    databaseFile,
    snapshotEvery: 1,
    snapshotEffort: 1,
    shareRate: 1e6,
    once: false,
  });
  const leaving = new AbortController();
  const worked = made.work(leaving.signal);
  worked.catch(() => {});
  const leave = async () => {
    leaving.abort();
    try {
      await worked;
    } finally {
      await made[Symbol.asyncDispose]();
    }
  };
  onTestFinished(() => leave().catch(() => {}));
  return { worker: made, worked, leave, messages, folder };
}

function clientOf(redis: RedisOptions): Redis {
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  return client;
}

const isTrue = (bound: Bound | undefined) => bound !== undefined && bound.lo >= SOON.threshold;

describe("a worker", () => {
  it("answers questions, and waits for the next run", async () => {
    const redis = await someRedis();
    const { messages } = worker(redis, "w");
    for (const run of [1, 2]) {
      await using coordinator = await open(redis, "2x2");
      expect(isTrue(await coordinator.ask(SOON))).toBe(true);
      expect(messages.filter((text) => text === "run")).toHaveLength(run);
      // The second run finds the answer in the table.
      expect(coordinator.counts().positions > 0).toBe(run === 1);
    }
    await until("it waits", () => messages.at(-1) === "waiting for a coordinator");
  });

  it("leaves in the midst of a search, saves its table, and is forgotten", async () => {
    const redis = await someRedis();
    const keys = keysOf(redis);
    const client = clientOf(redis);
    const coordinator = await open(redis, "3x4");
    const first = worker(redis, "first");
    const asked = coordinator.ask(LONG);
    await until("it learns", () => (first.worker.observe().worker?.counts.positions ?? 0) > 1000);
    await first.leave();
    expect(await client.smembers(keys.workers)).toEqual([]);
    expect(await client.exists(keys.worker(first.worker.name))).toBe(0);
    expect(existsSync(join(first.folder, "first.3x4.claims"))).toBe(true);
    expect(coordinator.observe().run?.question).not.toBeNull();
    coordinator.stop();
    await asked;
  });

  it("stops when its answer is no longer needed", async () => {
    const redis = await someRedis();
    const coordinator = await open(redis, "3x4");
    const { worker: w } = worker(redis, "w");
    const asked = coordinator.ask(LONG);
    await until("it works", () => w.observe().worker?.state === "working");
    coordinator.stop();
    expect(await asked).toBeUndefined();
    await until("it is idle", () => w.observe().worker?.state === "idle");
  });

  it("searches with others, and shares with them what it proves", async () => {
    const redis = await someRedis();
    const coordinator = await open(redis, "3x4");
    const both = [worker(redis, "one"), worker(redis, "two")];
    const asked = coordinator.ask(LONG);
    const status = () => both.map(({ worker: w }) => w.observe().worker);
    await until("all have some of the others' bounds", () =>
      status().every((each) => (each?.shared.received ?? 0) > 0),
    );
    const question = coordinator.observe().run?.question?.id;
    expect(status()).toMatchObject(Array(2).fill({ question, state: "working" }));
    for (const each of status()) expect(each?.shared).toMatchObject({ refused: 0 });
    coordinator.stop();
    await asked;
  });

  it("ends with the reason if it cannot make its table", async () => {
    const redis = await someRedis();
    const coordinator = await open(redis, "2x2");
    const { worked } = worker(redis, "w", () => {
      throw new Error("little memory is available");
    });
    const asked = coordinator.ask(SOON);
    await expect(worked).rejects.toThrow("little memory is available");
    coordinator.stop();
    await asked;
  });

  it("ends with the reason if its table cannot be saved", async () => {
    const redis = await someRedis();
    const coordinator = await open(redis, "3x4");
    const { worked, folder, messages } = worker(redis, "w");
    const asked = coordinator.ask(LONG);
    await until("it searches", () => messages.includes("searching"));
    writeFileSync(join(folder, "w.3x4.claims"), "nonsense".repeat(1000));
    await expect(worked).rejects.toThrow("w.3x4.claims");
    coordinator.stop();
    await asked;
  });

  it("stops when the coordinator is gone", async () => {
    const redis = await someRedis();
    const coordinator = await open(redis, "3x4");
    const { worker: w, messages } = worker(redis, "w");
    const asked = coordinator.ask(LONG);
    asked.catch(() => {}); // it loses the lead
    await until("it works", () => w.observe().worker?.state === "working");
    const keys = keysOf(redis);
    const client = clientOf(redis);
    // As when a killed coordinator's keys have expired; another run has taken the lead.
    await client.set(keys.coordinator, "other");
    await client.del(keys.run);
    await until("it is idle", () => w.observe().worker?.state === "idle");
    await until("it has stopped the search", () => messages.includes("done"));
  });

  it("searches subtrees, one at a time, beside others", async () => {
    const redis = await someRedis();
    const coordinator = await open(redis, "2x6");
    const both = [worker(redis, "one"), worker(redis, "two")];
    const asked = coordinator.ask(question("2 2 0 0 0 0/0 0 0 0 0 0", 252));
    const status = () => both.map(({ worker: w }) => w.observe().worker);
    for (const i of [0, 1]) await until("each has one", () => status()[i]?.subtree != null);
    const bound = await asked;
    expect(bound?.lo).toBeGreaterThanOrEqual(252);
    expect(coordinator.observe().run?.subtrees.done).toBeGreaterThan(0);
    await until("they rest", () => status().every((each) => each?.state === "idle"));
  });
});

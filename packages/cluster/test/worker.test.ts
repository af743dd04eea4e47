import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
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
const HERE = import.meta.dirname;
/** A question that takes much longer than any test. */
const LONG = question("2 2 0 0/0 0 0 0/0 0 0 0", 552);

async function open(redis: RedisOptions, shape: string, check = false) {
  const { log } = readableLog();
  const coordinator = await Coordinator.open({
    ...{ redis, game: { shape: parseShape(shape), tiles: [2, 4] }, check, log },
    judge: () => Promise.reject(new Error("nothing to judge")),
  });
  onTestFinished(() => coordinator[Symbol.asyncDispose]());
  return coordinator;
}

/** Starts a worker that works until it is told to leave, or the running test ends. */
function worker(redis: RedisOptions, name: string, memory = () => 2 ** 27) {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-worker-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { log, messages } = readableLog();
  const databaseFile = join(folder, `${name}.db`);
  const made = new ClusterWorker({
    ...{ redis, version: "0", log, threads: 1, memory, databaseFile },
    ...{ snapshotEvery: 1, snapshotEffort: 1 },
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

  it("gives its job back when it leaves, saves its table, and is forgotten", async () => {
    const redis = await someRedis();
    const keys = keysOf(redis);
    const client = clientOf(redis);
    const coordinator = await open(redis, "3x4");
    const first = worker(redis, "first");
    const asked = coordinator.ask(LONG);
    await until("it learns", () => (first.worker.observe().worker?.counts.positions ?? 0) > 1000);
    await first.leave();
    expect(await client.llen(`${keys.queue}:active`)).toBe(0);
    expect(await client.llen(`${keys.queue}:wait`)).toBe(1);
    expect(await client.smembers(keys.workers)).toEqual([]);
    expect(existsSync(join(first.folder, "first.3x4.snapshot"))).toBe(true);
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

  it("reports once that another worker may take its question", async () => {
    const redis = await someRedis();
    const coordinator = await open(redis, "3x4");
    const { worker: w, messages } = worker(redis, "w");
    const asked = coordinator.ask(LONG);
    await until("it works", () => w.observe().worker?.state === "working");
    // BullMQ reports a lock that it cannot renew each time that it tries.
    const lock = `${keysOf(redis).queue}:${w.observe().worker?.job}:lock`;
    await clientOf(redis).set(lock, "another worker's");
    await until("it tries twice", () => messages.filter((text) => text === "queue").length > 1);
    expect(messages.filter((text) => text === "another worker may take the job")).toHaveLength(1);
    coordinator.stop();
    await asked;
  });

  it("does not search for a question that it lost while it made its table", async () => {
    const redis = await someRedis();
    const coordinator = await open(redis, "3x4");
    const { queue } = keysOf(redis);
    const steal = `const { Redis } = require("ioredis"); const redis = new Redis(${JSON.stringify(redis.url)});
      redis.keys("${queue}:*:lock").then((keys) => redis.set(keys[0], "another's")).then(() => redis.quit());`;
    let tables = 0;
    const { messages } = worker(redis, "w", () => {
      if (tables++ === 0) execFileSync(process.execPath, ["-e", steal], { cwd: HERE });
      return 2 ** 28;
    });
    const asked = coordinator.ask(LONG);
    const gaveUp = "gave up a job that another worker may have taken";
    await until("it gives the question up", () => messages.includes(gaveUp));
    expect(messages).not.toContain("done");
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
    expect(messages).toContain("cancelled: this answer is no longer needed");
  });

  it("does not check its own answers", async () => {
    const redis = await someRedis();
    const coordinator = await open(redis, "2x2", true);
    const { worker: w, messages } = worker(redis, "w");
    const asked = coordinator.ask(SOON);
    await until("it has answered", () => messages.includes("done"));
    await until("the answer waits to be checked", () =>
      coordinator.observe().run?.open.some(({ id }) => id.endsWith("_check")),
    );
    const other = worker(redis, "other");
    expect(isTrue(await asked)).toBe(true);
    expect(w.observe().worker?.state).toBe("idle");
    expect([messages, other.messages].map((all) => all.includes("checking"))).toEqual([
      false,
      true,
    ]);
  });

  it("ends when it is shut out", async () => {
    const redis = await someRedis();
    const { worker: w, worked } = worker(redis, "w");
    const coordinator = await open(redis, "2x2");
    await until("it knows the run", () => w.observe().worker?.run !== null);
    const run = { ...coordinator.observe().run, shutOut: [w.name] };
    const client = clientOf(redis);
    await coordinator[Symbol.asyncDispose]();
    await client.set(keysOf(redis).run, JSON.stringify(run));
    await expect(worked).rejects.toMatchObject({ code: "shut-out" });
  });
});

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Board,
  type Bound,
  type Game,
  packBoard,
  packNode,
  parseBoard,
  parseShape,
} from "@gridlock/game";
import {
  firstGuess,
  LocalPool,
  nextQuestion,
  openStarts,
  type Question,
  solve,
} from "@gridlock/solver";
import { Database, MEMORY } from "@gridlock/store";
import { until } from "@gridlock/testbed";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
// The threads of the engine are built files.
import { ClusterWorker, Coordinator } from "../dist/index.js";
import { keysOf, QUEUE } from "../src/keys.js";
import type { RedisOptions } from "../src/redis-options.js";
import { readableLog } from "./log.js";
import { someRedis } from "./redis.js";
import { statusOf } from "./status.js";

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
    // BullMQ makes this key again, during a run and while a worker waits.
    const client = clientOf(redis);
    const meta = `${keysOf(redis).prefix}:${QUEUE}:meta`;
    const metaExpires = async () => {
      await client.hset(meta, "opts.maxLenEvents", 10_000);
      await client.persist(meta);
      await expect.poll(() => client.pttl(meta)).toBeGreaterThan(0);
    };
    for (const run of [1, 2]) {
      await using coordinator = await open(redis, "2x2");
      expect(isTrue(await coordinator.ask(SOON))).toBe(true);
      await metaExpires();
      expect(messages.filter((text) => text === "run")).toHaveLength(run);
      // The second run finds the answer in the table.
      expect(coordinator.counts().positions > 0).toBe(run === 1);
    }
    await until("it waits", () => messages.at(-1) === "waiting for a coordinator");
    await metaExpires();
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

  it("goes on with the questions that follow, before they are asked", async () => {
    const redis = await someRedis();
    const game: Game = { shape: parseShape("2x3"), tiles: [2, 4] };
    const coordinator = await open(redis, "2x3");
    const { worker: w, leave } = worker(redis, "w");
    using database = Database.open(MEMORY);
    const agenda = { starts: openStarts(game, database), guess: firstGuess(game) };
    coordinator.progress(agenda, 0);
    const [start] = agenda.starts;
    const { threshold } = nextQuestion(agenda) ?? {};
    const first = { ...packNode({ turn: "slider", board: start?.board as Board }), threshold };
    await coordinator.ask(first as Question);
    await until("it has nothing to do", () => w.observe().worker?.state === "idle");
    await leave();
    // Without workers, all questions are answered.
    const solved = await solve(game, database, coordinator);
    await using pool = new LocalPool(game, { workers: 1, memory: 2 ** 24 });
    using other = Database.open(MEMORY);
    expect(solved).toEqual(await solve(game, other, pool));
  });

  it("stops when another one has the answer", async () => {
    const redis = await someRedis();
    const keys = keysOf(redis);
    const client = clientOf(redis);
    const coordinator = await open(redis, "3x4");
    const { worker: w } = worker(redis, "w");
    const asked = coordinator.ask(LONG);
    await until("it works", () => w.observe().worker?.state === "working");
    const { run } = coordinator.observe();
    coordinator.stop();
    await asked;
    await coordinator[Symbol.asyncDispose]();
    // The same run, with nobody who hears answers but the worker.
    await client.set(keys.run, JSON.stringify({ ...run, workers: [w.name] }));
    const { id, ...question } = run?.question ?? {};
    await until("it works again", () => w.observe().worker?.question === id);
    const answer = { ...question, bound: { lo: LONG.threshold, hi: null } };
    const status = { ...statusOf("other"), run: run?.run, answer };
    await client.publish(keys.answers, JSON.stringify(status));
    await until("it is idle", () => w.observe().worker?.state === "idle");
    expect(w.observe().worker?.answer).toEqual(answer);
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

import { setTimeout as sleep } from "node:timers/promises";
import { type Bound, packBoard, parseBoard, parseShape, unpackBoard } from "@gridlock/game";
import type {
  ResultMessage,
  RunMessage,
  SubtreeMessage,
  WorkerMessage,
} from "@gridlock/schemas/cluster";
import type { Question } from "@gridlock/solver";
import type { BoundEntry } from "@gridlock/store";
import { Oracle, until } from "@gridlock/testbed";
import { Queue, QueueKeys, Worker } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Coordinator, type CoordinatorOptions } from "../src/coordinator.js";
import { ClusterError } from "../src/errors.js";
import { type Keys, keysOf, QUEUE } from "../src/keys.js";
import { PROTOCOL, readQuestion, writeBound } from "../src/messages.js";
import type { RedisOptions } from "../src/redis-options.js";
import { readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";
import { statusOf } from "./status.js";

const GAME = { shape: parseShape("2x2"), tiles: [2, 4] } as const;
const BOARD = packBoard(parseBoard("2 2/0 0").board);
const ask = (threshold: number): Question => ({ turn: "slider", board: BOARD, threshold });
const HIGH: Bound = { lo: 20, hi: Number.POSITIVE_INFINITY };
const LOW: Bound = { lo: 0, hi: 16 };
const COUNTS = { positions: 3, afterstates: 4 };
/** A game whose questions are divided, and its first start, which is worth 44. */
const LARGER = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const START = packBoard(parseBoard("2 2 0/0 0 0").board);
const askLarger = (threshold: number): Question => ({ turn: "slider", board: START, threshold });

/** Returns the key of a list or a job of BullMQ's queue. */
const ofQueue = ({ prefix }: Keys, name: string) => new QueueKeys(prefix).toKey(QUEUE, name);

function optionsFor(redis: RedisOptions, more: Partial<CoordinatorOptions> = {}) {
  const { log, messages } = readableLog();
  const saved: BoundEntry[] = [];
  const options: CoordinatorOptions = {
    redis,
    game: GAME,
    log,
    known: () => undefined,
    save: async (bounds) => void saved.push(...bounds),
    ...more,
  };
  return { options, messages, saved };
}

async function open(redis: RedisOptions, more: Partial<CoordinatorOptions> = {}) {
  const { options, messages, saved } = optionsFor(redis, more);
  const coordinator = await Coordinator.open(options);
  onTestFinished(() => coordinator[Symbol.asyncDispose]());
  /** Waits until these are the workers of the run. */
  const joined = (...names: string[]) =>
    expect.poll(() => coordinator.observe().run?.workers).toEqual(names);
  return { coordinator, messages, saved, joined };
}

/** A worker that does not search. */
interface FakeWorker {
  /** What it answers; `undefined` for nothing. */
  bound: Bound | undefined;
  /** Makes it leave. */
  leave(): Promise<void>;
}

/** Returns a client of the server, and actions of workers with it. */
function outside(redis: RedisOptions) {
  const keys = keysOf(redis);
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  const run = async (): Promise<RunMessage | undefined> => {
    const text = await client.get(keys.run).catch(() => null);
    return text === null ? undefined : JSON.parse(text);
  };
  async function beat(name: string, { bound }: FakeWorker): Promise<void> {
    const now = await run();
    const { board, threshold } = now?.question ?? {};
    const status: WorkerMessage = {
      ...statusOf(name),
      run: now?.run ?? null,
      counts: COUNTS,
      answer: board && threshold && bound ? { board, threshold, bound: writeBound(bound) } : null,
    };
    await client.set(keys.worker(name), JSON.stringify(status), "PX", 10_000);
    await client.sadd(keys.workers, name);
    if (status.answer) await client.publish(keys.answers, JSON.stringify(status));
  }
  return {
    keys,
    client,
    /** Adds a worker that gives this answer to each question of the run. */
    work(name: string, bound?: Bound): FakeWorker {
      let isLeaving = false;
      const worker = { bound, leave };
      const worked = (async () => {
        while (!isLeaving) {
          await beat(name, worker).catch(() => {}); // keys may be damaged
          await sleep(100);
        }
      })();
      async function leave(): Promise<void> {
        isLeaving = true;
        await worked;
        await client.del(keys.worker(name)).catch(() => {});
      }
      onTestFinished(() => {
        isLeaving = true;
      });
      return worker;
    },
    /** Takes subtrees, and returns the result of each. */
    take(resultOf: (subtree: SubtreeMessage) => Promise<unknown>): void {
      const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
      connection.on("error", () => {});
      const taker = new Worker(QUEUE, ({ data }) => resultOf(data), {
        connection: connection as never,
        prefix: keys.prefix,
        drainDelay: 1,
        lockDuration: 2000,
        stalledInterval: 1000,
        maxStalledCount: 100,
      });
      taker.on("error", () => {});
      onTestFinished(async () => {
        await taker.close(true);
        connection.disconnect();
      });
    },
  };
}

const oracle = new Oracle(LARGER);

/** Returns the true result of a subtree of the larger game. */
async function truth(subtree: SubtreeMessage): Promise<ResultMessage> {
  const { turn, board, threshold } = readQuestion(LARGER, subtree);
  const plain = unpackBoard(LARGER.shape, board);
  const value = turn === "slider" ? oracle.position(plain) : oracle.afterstate(plain);
  const bound = value >= threshold ? { lo: value, hi: null } : { lo: 0, hi: value };
  return result([{ board: subtree.board, bound }]);
}

function result(bounds: ResultMessage["bounds"]): ResultMessage {
  return { protocol: PROTOCOL, worker: "a", counts: COUNTS, bounds };
}

/** Returns the result of a subtree whose budget is spent. */
async function spent(): Promise<ResultMessage> {
  return result([]);
}

/** A coordinator that can take the lead, but not begin: the server refuses its other commands. */
let refused: { readonly client: Redis; readonly lead: string; readonly opening: Promise<unknown> };

// Begins before the other tests, since it tries for 30 s.
beforeAll(async () => {
  const server = await testRedis({}, afterAll);
  const redis = optionsOf(server.url.replace("//", "//limited:secret@"));
  const keys = keysOf(redis);
  const client = new Redis(server.url);
  afterAll(() => client.disconnect());
  const mayUse = [keys.coordinator, keys.run].map((key) => `~${key}`);
  const mayDo = ["&*", "+@all", "-scan"];
  await client.call("ACL", "SETUSER", "limited", "on", ">secret", ...mayUse, ...mayDo);
  const opening = Coordinator.open(optionsFor(redis).options);
  opening.catch(() => {}); // awaited by the last test
  refused = { client, lead: keys.coordinator, opening };
});

describe("a coordinator", () => {
  it("announces a question, and takes its answer", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    const { work } = outside(redis);
    work("w", HIGH);
    expect(await coordinator.ask(ask(20))).toEqual(HIGH);
    expect(coordinator.counts()).toEqual(COUNTS);
    expect(coordinator.observe().run?.question).toBeNull();
    expect(await coordinator.ask(ask(16))).toEqual(HIGH); // it follows
  });

  it("empties the queue of an earlier run", async () => {
    const redis = await someRedis();
    const { client, keys } = outside(redis);
    const queue = new Queue(QUEUE, { connection: client as never, prefix: keys.prefix });
    await queue.add("subtree", {}, { delay: 1e6 });
    await open(redis);
    expect(await client.exists(ofQueue(keys, "delayed"))).toBe(0);
  });

  it("ignores answers that answer nothing", async () => {
    const redis = await someRedis();
    const { coordinator, messages, joined } = await open(redis);
    const { work } = outside(redis);
    const worker = work("w", { lo: 0, hi: 20 });
    await joined("w");
    const asked = coordinator.ask(ask(20));
    await until("it says so", () => messages.includes("ignored an answer"));
    expect(coordinator.observe().run?.question).not.toBeNull();
    worker.bound = LOW;
    expect(await asked).toEqual(LOW);
  });

  it("gives up the lead when it is disposed of, and leaves only keys that expire", async () => {
    const redis = await someRedis();
    const { options } = optionsFor(redis);
    const { client, keys, work } = outside(redis);
    {
      await using coordinator = await Coordinator.open(options);
      const worker = work("w", HIGH);
      await coordinator.ask(ask(20));
      void coordinator.ask(ask(24));
      await worker.leave();
      expect(await client.exists(keys.coordinator)).toBe(1);
    }
    expect(await client.exists(keys.coordinator, keys.run)).toBe(0);
    const left = (await client.keys(`${keys.prefix}:*`)).filter((key) => key !== keys.workers);
    for (const key of left) expect([key, await client.ttl(key)]).not.toEqual([key, -1]);
  });

  it("waits for a server that goes away while it begins, and logs that", async () => {
    const server = await testRedis();
    await server.stop("SIGKILL");
    const { options, messages } = optionsFor(optionsOf(server.url));
    const opening = Coordinator.open(options);
    await until("it waits", () => messages.includes("waiting for Redis"));
    await testRedis({ port: server.port });
    await using _coordinator = await opening;
    expect(messages).toContain("Redis is back");
  });

  it("stops, and is disposed of, while the server is away", async () => {
    const server = await testRedis();
    const { coordinator } = await open(optionsOf(server.url));
    const asked = coordinator.ask(ask(20));
    await server.stop("SIGKILL");
    coordinator.stop();
    expect(await asked).toBeUndefined();
    expect(await coordinator.ask(ask(20))).toBeUndefined();
    await coordinator[Symbol.asyncDispose]();
  });
});

describe("a coordinator with two workers", () => {
  async function two(more: Partial<CoordinatorOptions> = {}, redis?: RedisOptions) {
    const there = redis ?? (await someRedis());
    const opened = await open(there, { game: LARGER, ...more });
    const others = outside(there);
    const workers = [others.work("a"), others.work("b")];
    await opened.joined("a", "b");
    return { ...opened, ...others, workers };
  }

  it.each([44, 48])(
    "queues subtrees, from whose results the answer to %s follows",
    async (score) => {
      const { coordinator, take, saved } = await two();
      let first = true;
      take(async (subtree) => {
        const result = first ? await spent() : await truth(subtree);
        first = false;
        return result;
      });
      const bound = await coordinator.ask(askLarger(score));
      expect((bound?.lo ?? 0) >= 44).toBe(score === 44);
      expect(bound?.hi).toBeGreaterThanOrEqual(44);
      expect(coordinator.observe().run?.subtrees.done).toBeGreaterThan(0);
      await until("its bounds are saved", () => saved.length > 0);
      for (const { turn, board, lo, hi } of saved) {
        const plain = unpackBoard(LARGER.shape, board);
        const value = turn === "slider" ? oracle.position(plain) : oracle.afterstate(plain);
        expect(lo).toBeLessThanOrEqual(value);
        expect(hi).toBeGreaterThanOrEqual(value);
      }
    },
  );

  it("needs no subtree for what is known", async () => {
    const known = () => ({ lo: 44, hi: 44 });
    const { coordinator } = await two({ known });
    expect(await coordinator.ask(askLarger(48))).toEqual({ lo: 44, hi: 44 });
    expect(coordinator.observe().run?.subtrees).toEqual({ done: 0, queued: 0, largest: [] });
  });

  it("describes the largest subtree, and removes all when the question is answered", async () => {
    const { coordinator, workers, client, keys } = await two();
    const asked = coordinator.ask(askLarger(44));
    await expect
      .poll(() => coordinator.observe().run?.subtrees)
      .toEqual({ done: 0, queued: 4, largest: ["2 2 0/0 0 0"] });
    await until("they wait", async () => (await client.llen(ofQueue(keys, "wait"))) === 4);
    for (const worker of workers) worker.bound = { lo: 44, hi: Number.POSITIVE_INFINITY };
    await asked;
    await until("they are gone", async () => (await client.llen(ofQueue(keys, "wait"))) === 0);
    expect(coordinator.observe().run?.subtrees.queued).toBe(0);
  });

  it.each<[string, (subtree: SubtreeMessage) => Promise<unknown>]>([
    ["never answers", () => new Promise(() => {})],
    ["answers that budgets are spent, for ever", spent],
    ["fails", () => Promise.reject(new Error("expected"))],
    ["answers nonsense", async () => ({ lo: 7 })],
    [
      "answers other questions",
      async ({ board }) => result([{ board, bound: { lo: 0, hi: null } }]),
    ],
    [
      "answers with bounds of other boards",
      async () => result([{ board: "2 0 2/0 0 0", bound: { lo: 0, hi: 0 } }]),
    ],
  ])("does without a taker of subtrees that %s", async (_, resultOf) => {
    const { coordinator, take, workers } = await two();
    take(resultOf);
    const asked = coordinator.ask(askLarger(48));
    await sleep(2000);
    expect(coordinator.observe().run?.question).not.toBeNull();
    for (const worker of workers) worker.bound = { lo: 0, hi: 44 };
    expect(await asked).toMatchObject({ hi: 44 });
  });

  it("tells those who search a subtree that it no longer matters", async () => {
    const { coordinator, take, workers, client, keys } = await two();
    take(() => new Promise(() => {}));
    const asked = coordinator.ask(askLarger(48));
    await until("one is taken", async () => (await client.llen(ofQueue(keys, "active"))) === 1);
    const [id] = await client.lrange(ofQueue(keys, "active"), 0, 0);
    let heard = "";
    const ears = client.duplicate();
    onTestFinished(() => ears.disconnect());
    ears.on("message", (_, text) => {
      heard += text;
    });
    await ears.subscribe(keys.cancelled);
    for (const worker of workers) worker.bound = { lo: 0, hi: 44 };
    await asked;
    await until("it says so", () => heard.split(" ").includes(id as string));
  });

  it("has lines of best play proven, one job a start, and saves them", async () => {
    const { coordinator, take, saved } = await two();
    const start = { board: parseBoard("2 2 0/0 0 0").board, bound: { lo: 44, hi: 44 } };
    const next = { board: "4 0 0/0 0 0 placer", bound: { lo: 40, hi: 40 } };
    const jobs: SubtreeMessage[] = [];
    take(async (job) => {
      jobs.push(job);
      return result([next]);
    });
    await coordinator.proveLines([start, start]);
    expect(jobs).toHaveLength(2);
    expect(jobs[0]).toMatchObject({ board: "2 2 0/0 0 0", threshold: 44, budget: null });
    expect(saved).toHaveLength(2);
    expect(saved[0]).toMatchObject({ turn: "placer", ...next.bound });
  });

  it("does not wait for lines of best play without workers", async () => {
    const { coordinator } = await open(await someRedis(), { game: LARGER });
    const start = { board: parseBoard("2 2 0/0 0 0").board, bound: { lo: 44, hi: 44 } };
    await coordinator.proveLines([start]);
  });

  it("fails its questions if bounds cannot be saved", async () => {
    const save = () => Promise.reject(new ClusterError("job", "the disk is full"));
    const { coordinator, take } = await two({ save });
    let isFirst = true;
    take(async (subtree) => {
      if (subtree.board === "2 2 0/0 0 0") return await spent();
      if (!isFirst) return await new Promise(() => {});
      isFirst = false;
      return await truth(subtree);
    });
    await expect(coordinator.ask(askLarger(48))).rejects.toThrow("the disk is full");
  });

  describe("loses no subtree even if", () => {
    type Outside = Awaited<ReturnType<typeof two>>;

    it.each<[string, (there: Outside) => Promise<unknown>]>([
      ["the server loses everything", ({ client }) => client.flushall()],
      [
        "the keys of the queue are deleted, one by one",
        async ({ client, keys }) => {
          for (const key of await client.keys(ofQueue(keys, "*"))) {
            await client.del(key);
            await sleep(100);
          }
        },
      ],
      [
        "all keys are replaced by keys of another type",
        async ({ client, keys }) => {
          for (const key of await client.keys(`${keys.prefix}:*`)) {
            const isString = (await client.type(key)) === "string";
            // In one step: the coordinator may write the key in between.
            const replaced = client.multi().del(key);
            await (isString ? replaced.rpush(key, "item") : replaced.set(key, "nonsense")).exec();
          }
        },
      ],
    ])("%s", { timeout: 60_000 }, async (_, damage) => {
      const there = await two({}, optionsOf((await testRedis()).url));
      const { coordinator, take, messages } = there;
      const asked = coordinator.ask(askLarger(48));
      await sleep(1000);
      await damage(there);
      take(truth);
      expect(await asked).toMatchObject({ hi: 44 });
      expect(messages).not.toContain("Redis still refuses commands");
    });
  });
});

it("a coordinator gives up the lead if it cannot begin after taking it", async () => {
  const { client, lead, opening } = refused;
  await expect(opening).rejects.toThrow(/permission/i);
  expect(await client.exists(lead)).toBe(0);
});

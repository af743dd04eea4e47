import { setTimeout as sleep } from "node:timers/promises";
import { type Bound, packBoard, parseBoard, parseShape } from "@gridlock/game";
import type { AnswerMessage, RunMessage, WorkerMessage } from "@gridlock/schemas/cluster";
import type { Question } from "@gridlock/solver";
import { until } from "@gridlock/testbed";
import { Queue, QueueKeys } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { AnswerSender } from "../src/answer-queue.js";
import { Coordinator, type CoordinatorOptions } from "../src/coordinator.js";
import { type Keys, keysOf, QUEUE } from "../src/keys.js";
import { NOTHING_SHARED } from "../src/link.js";
import { PROTOCOL, questionId, writeBound } from "../src/messages.js";
import type { RedisOptions } from "../src/redis-options.js";
import { readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";

const GAME = { shape: parseShape("2x2"), tiles: [2, 4] } as const;
const BOARD = packBoard(parseBoard("2 2/0 0").board);
const ask = (threshold: number): Question => ({ turn: "slider", board: BOARD, threshold });
const HIGH: Bound = { lo: 20, hi: Number.POSITIVE_INFINITY };
const LOW: Bound = { lo: 0, hi: 16 };
const COUNTS = { positions: 3, afterstates: 4 };

/** Returns the key of a list or a job of BullMQ's queue. */
const ofQueue = ({ prefix }: Keys, name: string) => new QueueKeys(prefix).toKey(QUEUE, name);

function optionsFor(redis: RedisOptions, more: Partial<CoordinatorOptions> = {}) {
  const { log, messages } = readableLog();
  const options: CoordinatorOptions = {
    redis,
    game: GAME,
    log,
    ...more,
  };
  return { options, messages };
}

async function open(redis: RedisOptions, more: Partial<CoordinatorOptions> = {}) {
  const { options, messages } = optionsFor(redis, more);
  const coordinator = await Coordinator.open(options);
  onTestFinished(() => coordinator[Symbol.asyncDispose]());
  /** Waits until these are the workers of the run. */
  const joined = (...workers: string[]) =>
    expect.poll(() => coordinator.observe().run?.workers, { timeout: 60_000 }).toEqual(workers);
  return { coordinator, messages, joined };
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
  const sender = new AnswerSender(client as never, keys, readableLog().log);
  onTestFinished(async () => {
    client.disconnect();
    await sender[Symbol.asyncDispose]();
  });
  const run = async (): Promise<RunMessage | undefined> => {
    const text = await client.get(keys.run).catch(() => null);
    return text === null ? undefined : JSON.parse(text);
  };
  const answerOf = (
    { run, question }: RunMessage,
    worker: string,
    bound: Bound,
  ): AnswerMessage => ({
    ...{ protocol: PROTOCOL, run, counts: COUNTS, bound: writeBound(bound), worker },
    question: question?.id ?? "none",
  });
  async function beat(name: string, { bound }: FakeWorker): Promise<void> {
    const status: WorkerMessage = {
      ...{ protocol: PROTOCOL, worker: name, host: "h", pid: 1, version: "0", threads: 1 },
      ...{ memory: 0, state: "idle", question: null, run: null, nodesPerSecond: 0 },
      ...{ counts: { positions: 0, afterstates: 0 }, shared: NOTHING_SHARED },
    };
    await client.set(keys.worker(name), JSON.stringify(status), "PX", 10_000);
    await client.sadd(keys.workers, name);
    const now = await run();
    if (!now?.question || !now.workers.includes(name) || !bound) return;
    await sender.send(answerOf(now, name, bound));
  }
  return {
    keys,
    client,
    sender,
    /** Waits until a question is announced; returns the run with it. */
    async announced(): Promise<RunMessage> {
      let now: RunMessage | undefined;
      await until("a question is announced", async () => {
        now = await run();
        return now?.question != null;
      });
      return now as unknown as RunMessage;
    },
    answerOf,
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
    /** Waits until the coordinator has taken all answers. */
    async taken(): Promise<void> {
      await until("all answers are taken", async () => {
        return (await client.exists(ofQueue(keys, "wait"), ofQueue(keys, "active"))) === 0;
      });
    },
  };
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
  await client.call("ACL", "SETUSER", "limited", "on", ">secret", ...mayUse, "&*", "+@all");
  const opening = Coordinator.open(optionsFor(redis).options);
  opening.catch(() => {}); // awaited by the last test
  refused = { client, lead: keys.coordinator, opening };
});

describe("a coordinator", () => {
  it("announces a question, and takes its answer", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    const { work, client, keys, taken } = outside(redis);
    work("w", HIGH);
    expect(await coordinator.ask(ask(20))).toEqual(HIGH);
    expect(coordinator.counts()).toEqual(COUNTS);
    expect(coordinator.observe().run?.question).toBeNull();
    expect(await coordinator.ask(ask(16))).toEqual(HIGH);
    await taken();
    const jobs = await client.keys(ofQueue(keys, "*2x2*"));
    expect(jobs.filter((key) => !key.endsWith(":events"))).toEqual([]);
  });

  it("empties the queue of an earlier run", async () => {
    const redis = await someRedis();
    const { client, keys } = outside(redis);
    const queue = new Queue(QUEUE, { connection: client as never, prefix: keys.prefix });
    await queue.add("answer", {}, { delay: 1e6 });
    await open(redis);
    expect(await client.exists(ofQueue(keys, "delayed"))).toBe(0);
  });

  it("ignores answers that no worker of the run can have given", async () => {
    const redis = await someRedis();
    const { coordinator, messages, joined } = await open(redis);
    const { work, announced, sender, answerOf, taken } = outside(redis);
    const worker = work("w");
    await joined("w");
    const asked = coordinator.ask(ask(20));
    const now = await announced();
    const answer = answerOf(now, "w", HIGH);
    for (const false_ of [
      { ...answer, worker: "stranger" },
      { ...answer, run: "other" },
      { ...answer, question: questionId(GAME, ask(24)) },
      { ...answer, bound: { lo: 0, hi: 20 } }, // answers another question
      { ...answer, bound: { lo: 21, hi: null } },
      { ...answer, protocol: PROTOCOL + 1 },
    ]) {
      await sender.send(false_ as AnswerMessage);
      await taken();
    }
    expect(coordinator.observe().run?.question).not.toBeNull();
    const ignored = messages.filter((text) => text.startsWith("ignored"));
    expect(ignored.sort()).toEqual([
      "ignored an answer",
      "ignored an answer",
      "ignored an answer to another question",
    ]);
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
      void coordinator.ask(ask(20));
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

describe("a question is answered even if", () => {
  type Outside = ReturnType<typeof outside>;

  /** Has `write` make the job of the worker's answer, and puts it onto the list of those that wait. */
  async function putJob(
    { client, keys, announced }: Outside,
    write: (job: string) => Promise<unknown>,
    waits = true,
  ) {
    const now = await announced();
    const id = `${now.run}_${now.question?.id}_w_0`;
    await write(ofQueue(keys, id));
    if (!waits) return;
    await client.rpush(ofQueue(keys, "wait"), id);
    await client.zadd(ofQueue(keys, "marker"), 0, "0");
  }

  it.each<[string, (there: Outside) => Promise<unknown>]>([
    ["the server loses everything", ({ client }) => client.flushall()],
    [
      "its answer is on no list",
      (there) => putJob(there, (job) => there.client.hset(job, "data", "{}"), false),
    ],
    ["its answer is lost, save for a list", (there) => putJob(there, async () => {})],
    [
      "its answer is damaged",
      (there) => putJob(there, (job) => there.client.hset(job, "data", "{", "name", "answer")),
    ],
    [
      "its answer says something else",
      (there) => putJob(there, (job) => there.client.hset(job, "data", "{}", "name", "answer")),
    ],
    [
      "its answer is replaced by a key of another type",
      (there) => putJob(there, (job) => there.client.set(job, "nonsense")),
    ],
    [
      "all keys are replaced by keys of another type",
      async ({ client, keys }) => {
        for (const key of await client.keys(`${keys.prefix}:*`)) {
          const isString = (await client.type(key)) === "string";
          await client.del(key);
          await (isString ? client.rpush(key, "item") : client.set(key, "nonsense"));
        }
        for (const name of ["active", "wait", "stalled", "meta"]) {
          await client.set(ofQueue(keys, name), "nonsense");
        }
        await client.set(keys.workers, "nonsense");
        await client.set(keys.news, "nonsense");
        await client.set(keys.bounds("w"), "nonsense");
        await client.set(keys.table("w"), "nonsense");
      },
    ],
  ])("%s", async (_, damage) => {
    const redis = optionsOf((await testRedis()).url);
    const { coordinator, messages, joined } = await open(redis);
    const there = outside(redis);
    const worker = there.work("w");
    await joined("w");
    const asked = coordinator.ask(ask(20));
    await damage(there);
    worker.bound = HIGH;
    expect(await asked).toEqual(HIGH);
    expect(messages).not.toContain("Redis still refuses commands");
    const { client, keys } = there;
    await until("all have their types", async () => {
      const types = await Promise.all(
        [keys.bounds("w"), keys.table("w")].map((key) => client.type(key)),
      );
      return types.every((type) => type !== "string");
    });
  });
});

it("a coordinator gives up the lead if it cannot begin after taking it", async () => {
  const { client, lead, opening } = refused;
  await expect(opening).rejects.toThrow(/permission/i);
  expect(await client.exists(lead)).toBe(0);
});

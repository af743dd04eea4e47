import { type Bound, packBoard, parseBoard, parseShape } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { until } from "@gridlock/testbed";
import { DelayedError, UnrecoverableError, Worker } from "bullmq";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { Coordinator, type CoordinatorOptions } from "../src/coordinator.js";
import { keysOf, QUEUE } from "../src/keys.js";
import {
  PROTOCOL,
  type QuestionMessage,
  questionId,
  type RunMessage,
  type WorkerMessage,
  writeBound,
} from "../src/messages.js";
import type { RedisOptions } from "../src/redis-options.js";
import { readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";

const GAME = { shape: parseShape("2x2"), tiles: [2, 4] } as const;
const BOARD = packBoard(parseBoard("2 2/0 0").board);
const ask = (threshold: number): Question => ({ turn: "slider", board: BOARD, threshold });
const HIGH: Bound = { lo: 20, hi: Number.POSITIVE_INFINITY };
const HIGH_ENOUGH: Bound = { lo: 100, hi: Number.POSITIVE_INFINITY };
const LOW: Bound = { lo: 0, hi: 16 };

function optionsFor(redis: RedisOptions, more: Partial<CoordinatorOptions> = {}) {
  const { log, messages } = readableLog();
  const options: CoordinatorOptions = {
    redis,
    game: GAME,
    check: false,
    judge: async () => LOW,
    log,
    ...more,
  };
  return { options, messages };
}

async function open(redis: RedisOptions, more: Partial<CoordinatorOptions> = {}) {
  const { options, messages } = optionsFor(redis, more);
  const coordinator = await Coordinator.open(options);
  onTestFinished(() => coordinator[Symbol.asyncDispose]());
  return { coordinator, messages };
}

/** Returns a client of the server, and actions of a worker with it. */
function outside(redis: RedisOptions) {
  const keys = keysOf(redis);
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  const run = async () => JSON.parse((await client.get(keys.run)) as string) as RunMessage;
  return {
    keys,
    client,
    /** Does the jobs that it may do, one after the other; returns a function that stops it. */
    work(bound: Bound, name = "w") {
      const worker = new Worker<QuestionMessage>(
        QUEUE,
        async (job, token) => {
          const { data } = job;
          if (data.board === undefined) throw new UnrecoverableError("it asks nothing");
          if (data.not === name) {
            await job.moveToDelayed(Date.now() + 100, token);
            throw new DelayedError();
          }
          const { run: id } = await run();
          const counts = { positions: 3, afterstates: 4 };
          return { protocol: PROTOCOL, run: id, worker: name, counts, bound: writeBound(bound) };
        },
        {
          connection: client as never,
          prefix: keys.prefix,
          lockDuration: 2000,
          stalledInterval: 1000,
        },
      );
      worker.on("error", () => {});
      onTestFinished(() => worker.close(true));
      return () => worker.close(true);
    },
    /** Waits until a question is on the queue. */
    async queued(threshold: number, suffix = ""): Promise<string> {
      const id = questionId(GAME, ask(threshold)) + suffix;
      await until("it is queued", async () =>
        [
          ...(await client.lrange(`${keys.queue}:wait`, 0, -1)),
          ...(await client.zrange(`${keys.queue}:delayed`, "0", "-1")),
        ].includes(id),
      );
      return `${keys.prefix}:${QUEUE}:${id}`;
    },
  };
}

describe("a coordinator", () => {
  it("queues a question, and takes its answer", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    const { work, client, keys } = outside(redis);
    work(HIGH);
    expect(await coordinator.ask(ask(20))).toEqual(HIGH);
    expect(coordinator.counts()).toEqual({ positions: 3, afterstates: 4 });
    await until("the job is removed", async () => {
      return (await client.keys(`${keys.prefix}:${QUEUE}:2x2_*`)).length === 0;
    });
  });

  it("removes the jobs of an earlier run", async () => {
    const redis = await someRedis();
    const { client, keys } = outside(redis);
    const { options } = optionsFor(redis);
    const killed = await Coordinator.open(options);
    killed.ask(ask(20)).catch(() => {}); // it loses the lead
    await until("it is queued", () => client.exists(`${keys.queue}:wait`));
    await client.del(keys.coordinator);
    const { coordinator } = await open(redis);
    expect(await client.exists(`${keys.queue}:wait`)).toBe(0);
    expect(coordinator.observe().run?.open).toEqual([]);
    await killed[Symbol.asyncDispose]();
  });

  it("has as many slots as there are workers, and reports when their number grows", async () => {
    const redis = await someRedis();
    const { client, keys } = outside(redis);
    const { coordinator } = await open(redis);
    expect(coordinator.slots).toBe(1);
    const more = coordinator.moreSlots();
    for (const worker of ["a", "b"]) {
      const status: WorkerMessage = {
        ...{ protocol: PROTOCOL, worker, host: "h", pid: 1, version: "0", threads: 1, memory: 0 },
        ...{ state: "idle", job: null, run: null, nodesPerSecond: 0 },
        counts: { positions: 0, afterstates: 0 },
      };
      await client.set(keys.worker(worker), JSON.stringify(status));
    }
    await client.sadd(keys.workers, "a", "b");
    await more;
    expect(coordinator.slots).toBe(2);
  });

  it("gives up the lead when it is disposed of, and leaves only keys that expire", async () => {
    const redis = await someRedis();
    const { options } = optionsFor(redis);
    const { client, keys } = outside(redis);
    {
      await using coordinator = await Coordinator.open(options);
      void coordinator.ask(ask(20));
      expect(await client.exists(keys.coordinator)).toBe(1);
    }
    expect(await client.exists(keys.coordinator, keys.run)).toBe(0);
    expect(await client.keys(`${keys.prefix}:${QUEUE}:2x2_*`)).toEqual([]);
  });

  it("gives up the lead if it cannot begin after taking it", async () => {
    const server = await testRedis();
    const redis = optionsOf(server.url.replace("//", "//limited:secret@"));
    const { client, keys } = outside({ ...redis, url: server.url });
    const mayUse = [keys.coordinator, keys.run].map((key) => `~${key}`);
    await client.call("ACL", "SETUSER", "limited", "on", ">secret", ...mayUse, "&*", "+@all");
    await expect(Coordinator.open(optionsFor(redis).options)).rejects.toThrow(/permission/i);
    expect(await client.exists(keys.coordinator)).toBe(0);
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
    await coordinator[Symbol.asyncDispose]();
  });
});

describe("a coordinator that checks", () => {
  const CHECKED = { check: true };

  it("believes the bound that two workers both claim", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis, CHECKED);
    const { work, queued } = outside(redis);
    const asked = coordinator.ask(ask(20));
    const end = work({ lo: 2000, hi: Number.POSITIVE_INFINITY }, "a");
    await queued(20, "_check");
    await end();
    work(HIGH, "b");
    expect(await asked).toEqual(HIGH);
  });

  it.each([
    ["the first", HIGH, LOW, "a"],
    ["the second", LOW, HIGH, "b"],
  ])(
    "shuts out %s of two workers that disagree, if it is wrong",
    async (_, first, second, wrong) => {
      const redis = await someRedis();
      const judged: Question[] = [];
      const { coordinator, messages } = await open(redis, {
        ...CHECKED,
        judge: async (question) => {
          judged.push(question);
          return LOW;
        },
      });
      const { work, queued } = outside(redis);
      const asked = coordinator.ask(ask(20));
      const end = work(first, "a");
      await queued(20, "_check");
      await end();
      work(second, "b");
      expect(await asked).toEqual(LOW);
      expect(judged).toEqual([ask(20)]);
      expect(coordinator.observe().run?.shutOut).toEqual([wrong]);
      expect(messages).toContain(`${wrong} gave a false answer and is shut out`);
    },
  );

  it("repeats a question that only a worker since shut out has answered", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis, CHECKED);
    const { work, queued } = outside(redis);
    const both = [coordinator.ask(ask(20)), coordinator.ask(ask(24))];
    const end = work(HIGH_ENOUGH, "liar");
    await queued(20, "_check");
    await queued(24, "_check");
    await end();
    work(LOW, "b");
    work(LOW, "c");
    expect(await Promise.all(both)).toEqual([LOW, LOW]);
  });

  it("fails its questions if it cannot decide which worker is wrong", async () => {
    const redis = await someRedis();
    const judge = () => Promise.reject(new Error("no memory"));
    const { coordinator } = await open(redis, { ...CHECKED, judge });
    const { work, queued } = outside(redis);
    const asked = coordinator.ask(ask(20)).catch((error) => error);
    const end = work(HIGH, "a");
    await queued(20, "_check");
    await end();
    work(LOW, "b");
    expect((await asked).message).toBe("no memory");
    await expect(coordinator.ask(ask(24))).rejects.toThrow("no memory");
  });
});

describe("a question is answered even if", () => {
  type Outside = ReturnType<typeof outside>;

  it.each<[string, (there: Outside, job: string) => Promise<unknown>]>([
    ["the server loses everything", ({ client }) => client.flushall()],
    ["its job is deleted", ({ client }, job) => client.del(job)],
    ["its waiting list is deleted", ({ client, keys }) => client.del(`${keys.queue}:wait`)],
    ["its data are deleted", ({ client }, job) => client.hdel(job, "data")],
    ["its data are damaged", ({ client }, job) => client.hset(job, "data", "{")],
    ["its data ask something else", ({ client }, job) => client.hset(job, "data", "{}")],
    [
      "its job is replaced by a key of another type",
      async ({ client }, job) => {
        await client.del(job);
        await client.set(job, "nonsense");
      },
    ],
    [
      "all other keys are replaced by keys of another type",
      async ({ client, keys }, job) => {
        for (const key of await client.keys(`${keys.prefix}:*`)) {
          if (key === job) continue;
          const isString = (await client.type(key)) === "string";
          await client.del(key);
          await (isString ? client.rpush(key, "item") : client.set(key, "nonsense"));
        }
        await client.set(`${keys.queue}:active`, "nonsense");
        await client.set(keys.workers, "nonsense");
      },
    ],
  ])("%s", async (_, damage) => {
    const redis = optionsOf((await testRedis()).url);
    const { coordinator } = await open(redis);
    const there = outside(redis);
    const asked = coordinator.ask(ask(20));
    const job = await there.queued(20);
    await damage(there, job);
    there.work(HIGH);
    expect(await asked).toEqual(HIGH);
  });
});

import { type Bound, packBoard, parseBoard, parseShape } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { StoreError } from "@gridlock/store";
import { until } from "@gridlock/testbed";
import { UnrecoverableError, Worker } from "bullmq";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { Coordinator, type CoordinatorOptions } from "../src/coordinator.js";
import { keysOf, QUEUE } from "../src/keys.js";
import {
  type ControlMessage,
  PROTOCOL,
  type QuestionMessage,
  questionId,
  type RunMessage,
  writeBound,
} from "../src/messages.js";
import type { RedisOptions } from "../src/redis-options.js";
import { readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";

const GAME = { shape: parseShape("2x2"), tiles: [2, 4] } as const;
const BOARD = packBoard(parseBoard("2 2/0 0").board);
const ask = (threshold: number): Question => ({ turn: "slider", board: BOARD, threshold });
const HIGH: Bound = { lo: 20, hi: Number.POSITIVE_INFINITY };
const LOW: Bound = { lo: 0, hi: 16 };

function optionsFor(redis: RedisOptions, more: Partial<CoordinatorOptions> = {}) {
  const { log, messages } = readableLog();
  const options: CoordinatorOptions = {
    redis,
    game: GAME,
    sharing: { share: null, reuse: false, announce: 0 },
    audit: 0,
    seed: 1,
    onBound: () => {},
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

/** A client of the server, and what a worker would do with it. */
function outside(redis: RedisOptions) {
  const keys = keysOf(redis);
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  const run = async () => JSON.parse((await client.get(keys.run)) as string) as RunMessage;
  return {
    keys,
    client,
    /** Answers a question as one who has joined it. */
    async say(worker: string, threshold: number, bound: Bound) {
      const id = questionId(GAME, ask(threshold));
      await until("it is open", async () => (await run()).open.some((one) => one.id === id));
      const { epoch } = await run();
      const message: ControlMessage = {
        ...{ type: "answer", id, epoch, worker, bound: writeBound(bound) },
      };
      await client.publish(keys.control, JSON.stringify(message));
    },
    /** Does jobs, one after the other. */
    work(bound: Bound) {
      const worker = new Worker<QuestionMessage>(
        QUEUE,
        async ({ data }) => {
          if (data.board === undefined) throw new UnrecoverableError("it asks nothing");
          const { run: name, epoch } = await run();
          const counts = { positions: 3, afterstates: 4 };
          return {
            ...{ protocol: PROTOCOL, run: name, epoch, worker: "w", counts },
            ...{ outcome: "answered", bound: writeBound(bound) },
          };
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
    },
    /** Waits until a question is on the queue. */
    async queued(threshold: number): Promise<string> {
      const id = questionId(GAME, ask(threshold));
      await until("it is queued", () => client.zscore(`${keys.prefix}:${QUEUE}:prioritized`, id));
      return `${keys.prefix}:${QUEUE}:${id}`;
    },
  };
}

describe("a coordinator", () => {
  it("queues a question, and takes its answer", async () => {
    const redis = await someRedis();
    const bounds: Bound[] = [];
    const { coordinator } = await open(redis, { onBound: (_, bound) => bounds.push(bound) });
    const { work, client, keys } = outside(redis);
    work(HIGH);
    expect(await coordinator.ask(ask(20))).toEqual(HIGH);
    expect(bounds).toEqual([HIGH]);
    expect(coordinator.counts()).toEqual({ positions: 3, afterstates: 4 });
    await until("the job is removed", async () => {
      return (await client.keys(`${keys.prefix}:${QUEUE}:2x2_*`)).length === 0;
    });
  });

  it("removes the jobs and the bounds that an earlier run has left", async () => {
    const redis = await someRedis();
    const { client, keys } = outside(redis);
    const { options } = optionsFor(redis);
    const killed = await Coordinator.open(options);
    killed.ask(ask(20)).catch(() => {}); // it loses the lead
    await until("it is queued", () => client.exists(`${keys.queue}:prioritized`));
    await client.del(keys.coordinator);
    await client.sadd(keys.workers, "w");
    await client.xadd(keys.bounds("w"), "*", "for", "header");
    const { coordinator } = await open(redis);
    expect(await client.exists(`${keys.queue}:prioritized`, keys.bounds("w"))).toBe(0);
    expect(coordinator.observe().run?.open).toEqual([]);
    await killed[Symbol.asyncDispose]();
  });

  it("gives up the lead when it is disposed of, and leaves nothing that does not expire", async () => {
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

  it("gives up the lead when it cannot begin after taking it", async () => {
    const server = await testRedis();
    const redis = optionsOf(server.url.replace("//", "//limited:secret@"));
    const { client, keys } = outside({ ...redis, url: server.url });
    const mayUse = [keys.coordinator, keys.run].map((key) => `~${key}`);
    await client.call("ACL", "SETUSER", "limited", "on", ">secret", ...mayUse, "&*", "+@all");
    await expect(Coordinator.open(optionsFor(redis).options)).rejects.toThrow(/permission/i);
    expect(await client.exists(keys.coordinator)).toBe(0);
  });

  it("waits for a server that goes away while it begins, and says so", async () => {
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

  it("fails its questions when an answer cannot be stored", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis, {
      onBound: () => {
        throw new StoreError("full", "the disk is full");
      },
    });
    outside(redis).work(HIGH);
    await expect(coordinator.ask(ask(20))).rejects.toThrow("the disk is full");
    await expect(coordinator.ask(ask(24))).rejects.toThrow("the disk is full");
  });

  it("fails a question that is asked while it fails, and nothing else", async () => {
    const server = await testRedis();
    const redis = optionsOf(server.url);
    let fail: ((error: Error) => void) | undefined;
    const { coordinator } = await open(redis, {
      judge: () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    });
    const { say } = outside(redis);
    const first = coordinator.ask(ask(20));
    await say("a", 20, HIGH);
    await first;
    const second = coordinator.ask(ask(24)).catch((error) => error);
    await say("b", 24, LOW);
    await until("it judges", () => fail);
    // While the server is silent, what is sent to it is neither done nor refused.
    server.process.kill("SIGSTOP");
    const third = coordinator.ask(ask(28)).catch((error) => error);
    fail?.(new Error("no memory"));
    expect((await second).message).toBe("no memory");
    expect((await third).message).toBe("no memory");
    server.process.kill("SIGCONT");
  });
});

describe("after a disagreement", () => {
  it("whoever waits hears of it at once, though the server has gone away meanwhile", async () => {
    const server = await testRedis();
    const redis = optionsOf(server.url);
    const { coordinator } = await open(redis, {
      judge: async () => {
        await server.stop("SIGKILL");
        return LOW;
      },
    });
    const { say } = outside(redis);
    const first = coordinator.ask(ask(20));
    await say("liar", 20, HIGH);
    expect(await first).toEqual(HIGH);
    const second = coordinator.ask(ask(24)).catch((error) => error);
    await say("honest", 24, LOW);
    expect(await second).toMatchObject({
      code: "shut-out",
      message: expect.stringContaining("liar gave a false answer"),
    });
    coordinator.stop();
    expect(await coordinator.ask(ask(20))).toBeUndefined();
  });

  it("a question can be asked again, and what was queued before is gone", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    const { say, work } = outside(redis);
    const first = coordinator.ask(ask(20));
    await say("liar", 20, HIGH);
    await first;
    const second = coordinator.ask(ask(24)).catch((error) => error);
    await say("honest", 24, LOW);
    expect((await second).message).toContain("shut out");
    work(LOW);
    expect(await coordinator.ask(ask(20))).toEqual(LOW);
    expect(coordinator.observe().run).toMatchObject({ epoch: 1, shutOut: ["liar"] });
  });
});

describe("a question is answered although", () => {
  type Outside = ReturnType<typeof outside>;

  it.each<[string, (there: Outside, job: string) => Promise<unknown>]>([
    ["the server loses everything", ({ client }) => client.flushall()],
    ["its job is deleted", ({ client }, job) => client.del(job)],
    [
      "the list that it waits on is deleted",
      ({ client, keys }) => client.del(`${keys.queue}:prioritized`),
    ],
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

import { until } from "@gridlock/testbed";
import { Queue } from "bullmq";
import { describe, expect, it, onTestFinished } from "vitest";
import { keysOf, tasksOf } from "../src/keys.js";
import { PROTOCOL, type WorkerMessage } from "../src/messages.js";
import type { RedisOptions } from "../src/redis-options.js";
import type { TaskCoordinator } from "../src/task-coordinator.js";
import { someRedis } from "./redis.js";
import { clientOf, open, resultOf, TASK, work } from "./tasks.js";

/** Announces workers, and waits until the coordinator knows them. */
async function announce(
  redis: RedisOptions,
  coordinator: TaskCoordinator,
  names: string[],
  memory = 0,
) {
  const keys = keysOf(redis);
  const client = clientOf(redis);
  const message: Omit<WorkerMessage, "worker"> = {
    ...{ protocol: PROTOCOL, host: "h", pid: 1, version: "0", threads: 1, memory },
    ...{ state: "idle", job: null, tasks: 0, run: null, nodesPerSecond: 0 },
    counts: { positions: 0, afterstates: 0 },
  };
  for (const worker of names) {
    await client.set(keys.worker(worker), JSON.stringify({ ...message, worker }));
    await client.sadd(keys.workers, worker);
  }
  await until("they are known", () => coordinator.observe().workers === names.length);
}

describe("a coordinator with workers", () => {
  const load = { pending: 1, boards: 1000, live: 1 };
  /** Has blocks visited in a step; returns the boards of the results. */
  const visitBlocks = async (coordinator: TaskCoordinator, step: number, blocks: string[]) => {
    const visits = blocks.map((block) => ({ ...TASK, block, step, load }));
    const outcomes = await coordinator.visit(visits);
    return outcomes.map((outcome) => ("boards" in outcome ? outcome.boards : outcome));
  };

  it("gives each the visits of the blocks that it has visited", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    await announce(redis, coordinator, ["a", "b"]);
    for (const [boards, name] of ["", "a", "b"].entries()) {
      if (name !== "") work(redis, () => boards, { name, queue: tasksOf(name) });
    }
    expect(await visitBlocks(coordinator, 1, ["0", "1"])).toEqual([1, 2]);
    expect(await visitBlocks(coordinator, 2, ["1", "0"])).toEqual([2, 1]);
    expect(await visitBlocks(coordinator, 3, ["1"])).toEqual([2]);
    expect(await visitBlocks(coordinator, 4, ["2", "1", "0"])).toEqual([1, 2, 1]);
  });

  it("gives the visits of one that is gone to others, and removes its queue", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    const keys = keysOf(redis);
    const client = clientOf(redis);
    await announce(redis, coordinator, ["a"]);
    const visited = visitBlocks(coordinator, 1, ["0", "1", "2", "3"]);
    const ofA = `${keys.prefix}:${tasksOf("a")}`;
    await until("it has as many as it needs", async () => (await client.llen(`${ofA}:wait`)) === 2);
    await client.del(keys.worker("a"));
    work(redis, () => 7);
    expect(await visited).toEqual([7, 7, 7, 7]);
    expect(await client.keys(`${ofA}:*`)).toEqual([]);
    expect(await client.smembers(keys.taskQueues)).toEqual([]);
  });

  it("gives the blocks of one that is gone to others, even if it never had a queue", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    const gone = work(redis, () => 1, { name: "gone" });
    expect(await visitBlocks(coordinator, 1, ["0"])).toEqual([1]);
    await gone.close();
    await announce(redis, coordinator, ["b"]);
    work(redis, () => 2, { name: "b", queue: tasksOf("b") });
    expect(await visitBlocks(coordinator, 2, ["0"])).toEqual([2]);
  });

  it("gives those that are left to one that comes", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    await announce(redis, coordinator, ["a"]);
    const visited = visitBlocks(coordinator, 1, ["0", "1", "2", "3"]);
    await announce(redis, coordinator, ["a", "b"]);
    let made = 0;
    const ofB = () => {
      made++;
      return 2;
    };
    work(redis, ofB, { name: "b", queue: tasksOf("b") });
    await until("it has made two", () => made === 2);
    work(redis, () => 1, { name: "a", queue: tasksOf("a") });
    expect((await visited).sort()).toEqual([1, 1, 2, 2]);
  });

  it("gives one a visit even if its queue was left paused", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    const { prefix } = keysOf(redis);
    const ofA = new Queue(tasksOf("a"), { connection: clientOf(redis) as never, prefix });
    onTestFinished(() => ofA.close());
    await ofA.pause(); // as by a removal that was interrupted
    await announce(redis, coordinator, ["a"]);
    work(redis, () => 7, { name: "a", queue: tasksOf("a") });
    expect(await visitBlocks(coordinator, 1, ["0"])).toEqual([7]);
  });

  it("gives a visit whose result is invalid to any", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    await announce(redis, coordinator, ["a"]);
    let tries = 0;
    const wrong = () => {
      tries++;
      return { visit: 7 };
    };
    work(redis, wrong, { name: "a", queue: tasksOf("a") });
    work(redis, () => 5, { name: "b" });
    expect(await visitBlocks(coordinator, 1, ["0"])).toEqual([5]);
    expect(tries).toBe(1);
  });

  describe("when little of a round is left", () => {
    const blocks = ["0", "1"].map((block) => ({
      ...{ block, step: 1, round: 1, boards: 1000, live: 1, waiting: 1, isMerged: false },
    }));
    const remainder = { split: 1, round: 1, step: 2, blocks, letters: [] };
    const stepOf = (blocks: string[]) =>
      blocks.map((block) => ({ block, outcome: resultOf(1000) }));
    /** Makes a worker that returns these steps, and no visits. */
    const finisher = (redis: RedisOptions, name: string, ...steps: string[][]) => {
      let count = 0;
      const how = (step: number) => {
        if (!Number.isNaN(step)) return 1000;
        count++;
        return { remainder: steps.map(stepOf) };
      };
      work(redis, how, { name, queue: tasksOf(name) });
      return () => count;
    };

    it("has the one with most of its boards in memory make all visits", async () => {
      const redis = await someRedis();
      const { coordinator } = await open(redis);
      await announce(redis, coordinator, ["a", "b"], 2 ** 20);
      const countOfA = finisher(redis, "a", ["0", "1"]);
      const countOfB = finisher(redis, "b", ["0", "1"]);
      await visitBlocks(coordinator, 1, ["0", "1"]); // one each
      const more = blocks.map((one) => (one.block === "1" ? { ...one, boards: 2000 } : one));
      const steps = await coordinator.workOff({ ...remainder, blocks: more });
      expect(steps).toEqual([stepOf(["0", "1"])]);
      expect([countOfA(), countOfB()]).toEqual([0, 1]);
      // It then has both in memory.
      await coordinator.workOff({ ...remainder, step: 3 });
      expect([countOfA(), countOfB()]).toEqual([0, 2]);
    });

    it("shuts out one that has made other visits", async () => {
      const redis = await someRedis();
      const { coordinator, messages } = await open(redis);
      await announce(redis, coordinator, ["a"], 2 ** 20);
      const countOfA = finisher(redis, "a", ["0"]);
      expect(await coordinator.workOff(remainder)).toBeUndefined();
      expect(countOfA()).toBe(1);
      expect(messages.join()).toContain("a gave a false answer and is shut out");
    });

    it("shares the visits if none has the memory for all blocks", async () => {
      const redis = await someRedis();
      const { coordinator } = await open(redis);
      await announce(redis, coordinator, ["a", "b"], 2 ** 15);
      expect(await coordinator.workOff(remainder)).toBeUndefined();
    });

    it("has another make the visits if the first is gone", async () => {
      const redis = await someRedis();
      const { coordinator } = await open(redis);
      await announce(redis, coordinator, ["a"], 2 ** 20);
      const done = coordinator.workOff(remainder);
      const client = clientOf(redis);
      const ofA = `${keysOf(redis).prefix}:${tasksOf("a")}`;
      await until("it is queued", async () => (await client.llen(`${ofA}:wait`)) === 1);
      await client.del(keysOf(redis).worker("a"));
      work(redis, () => ({ remainder: [stepOf(["0", "1"])] }), { name: "b" });
      expect(await done).toEqual([stepOf(["0", "1"])]);
    });
  });

  it("removes the queues that an earlier run has left, and its own", async () => {
    const redis = await someRedis();
    const keys = keysOf(redis);
    const client = clientOf(redis);
    const ofA = `${keys.prefix}:${tasksOf("a")}`;
    const leftover = new Queue(tasksOf("a"), {
      ...{ connection: client as never, prefix: keys.prefix },
    });
    onTestFinished(() => leftover.close());
    await leftover.add("task", {});
    await client.set(`${ofA}:delayed`, "nonsense"); // a damaged one is removed, too
    await client.sadd(keys.taskQueues, "a");
    const { coordinator } = await open(redis);
    expect(await client.keys(`${ofA}:*`)).toEqual([]);
    await announce(redis, coordinator, ["a"]);
    work(redis, () => 7, { name: "a", queue: tasksOf("a") });
    expect(await visitBlocks(coordinator, 1, ["0"])).toEqual([7]);
    await coordinator[Symbol.asyncDispose]();
    expect(await client.llen(`${ofA}:wait`)).toBe(0);
    expect(await client.smembers(keys.taskQueues)).toEqual([]);
  });
});

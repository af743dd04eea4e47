import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseShape } from "@gridlock/game";
import { until } from "@gridlock/testbed";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
// The threads of the taker are built files.
import { TaskTaker } from "../dist/task-taker.js";
import { connect } from "../src/connection.js";
import { keysOf, TASKS, tasksOf } from "../src/keys.js";
import { PROTOCOL, type WorkerMessage } from "../src/messages.js";
import type { RedisOptions } from "../src/redis-options.js";
import { TaskCoordinator } from "../src/task-coordinator.js";
import type { TaskMessage } from "../src/task-messages.js";
import { readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";

const GAME = { shape: parseShape("2x2"), tiles: [2, 4] } as const;

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(redis: RedisOptions, folder = folderForTest()) {
  const { log, messages } = readableLog();
  const coordinator = await TaskCoordinator.open({
    redis,
    game: GAME,
    folder,
    bytes: 2 ** 25,
    log,
  });
  onTestFinished(() => coordinator[Symbol.asyncDispose]());
  return { coordinator, messages, folder };
}

/** A visit of a new block. */
const TASK = { block: "0", step: 1, last: undefined, isNewRound: false, letters: [] };

/** Has blocks visited in the given steps; returns the boards of the results. */
const visit = async (coordinator: TaskCoordinator, steps: readonly number[]) => {
  const outcomes = await coordinator.visit(steps.map((step) => ({ ...TASK, step })));
  return outcomes.map((outcome) => ("boards" in outcome ? outcome.boards : outcome));
};

/** Returns the result of a visit with this many boards. */
const resultOf = (boards: number) => ({
  ...{ expanded: 0, lookedAgain: 0, looks: 0, letters: [], boards, live: 0, waiting: 0 },
  cost: {
    ...{ loading: 0, working: 0, saving: 0, isInMemory: false },
    ...{ blockRead: 0, blockWritten: 0, blockBytes: 0, lettersRead: 0, lettersWritten: 0 },
  },
});

function takerOf(
  redis: RedisOptions,
  coordinator: TaskCoordinator,
  folder: string,
  log: ReturnType<typeof readableLog>["log"],
): TaskTaker {
  const taker = new TaskTaker({
    ...{ connection: connect(redis, "blocking"), keys: keysOf(redis), name: "me", log },
    ...{ game: GAME, folder, threads: 1, bytes: 2 ** 25 },
    run: coordinator.observe().run?.run as string,
  });
  onTestFinished(() => taker[Symbol.asyncDispose]());
  return taker;
}

function clientOf(redis: RedisOptions): Redis {
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

/**
 * Makes visits as worker `name`, with ten times the step as the number of boards, or another
 * result.
 */
function work(
  redis: RedisOptions,
  how: (step: number) => number | object = (step) => 10 * step,
  { name = "w", queue = TASKS } = {},
) {
  const worker = new Worker<TaskMessage>(
    queue,
    async ({ data }) => {
      const found = how("visit" in data.work ? data.work.visit.step : Number.NaN);
      const outcome = typeof found === "number" ? { visit: resultOf(found) } : found;
      return { protocol: PROTOCOL, worker: name, outcome };
    },
    { connection: clientOf(redis) as never, prefix: keysOf(redis).prefix, concurrency: 3 },
  );
  worker.on("error", () => {});
  onTestFinished(() => worker.close(true));
  return worker;
}

/** Announces workers, and waits until the coordinator knows them. */
async function announce(redis: RedisOptions, coordinator: TaskCoordinator, names: string[]) {
  const keys = keysOf(redis);
  const client = clientOf(redis);
  const message: Omit<WorkerMessage, "worker"> = {
    ...{ protocol: PROTOCOL, host: "h", pid: 1, version: "0", threads: 1, memory: 0 },
    ...{ state: "idle", job: null, tasks: 0, run: null, nodesPerSecond: 0 },
    counts: { positions: 0, afterstates: 0 },
  };
  for (const worker of names) {
    await client.set(keys.worker(worker), JSON.stringify({ ...message, worker }));
    await client.sadd(keys.workers, worker);
  }
  await until("they are known", () => coordinator.observe().workers === names.length);
}

describe("a coordinator of tasks", () => {
  it("returns the results in the order of the tasks, and leaves no job", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    work(redis);
    expect(await visit(coordinator, [])).toEqual([]);
    expect(await visit(coordinator, [3, 1, 2])).toEqual([30, 10, 20]);
    expect(await visit(coordinator, [4])).toEqual([40]);
    const keys = keysOf(redis);
    const client = clientOf(redis);
    await until("no job is left", async () => {
      return (await client.keys(`${keys.tasks}:${coordinator.observe().run?.run}-*`)).length === 0;
    });
  });

  it("writes the id of its run into the folder", async () => {
    const { coordinator, folder } = await open(await someRedis());
    const { run } = coordinator.observe();
    expect(readFileSync(join(folder, "run"), "utf8")).toBe(run?.run);
    expect(join(run?.layers?.data as string, run?.layers?.folder as string)).toBe(folder);
  });

  it("fails if the folder cannot be written, and gives up the lead", async () => {
    const redis = await someRedis();
    const missing = join(folderForTest(), "missing");
    await expect(open(redis, missing)).rejects.toMatchObject({
      code: "folder",
      message: expect.stringMatching(/^cannot write .*missing.run /),
    });
    expect(await clientOf(redis).exists(keysOf(redis).coordinator)).toBe(0);
  });

  it("reports why a task failed, and then stops", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    work(redis, () => {
      throw new Error("w: the disk is full");
    });
    const reason = { code: "job", message: "a task failed on w: the disk is full" };
    await expect(visit(coordinator, [1, 2])).rejects.toMatchObject(reason);
    await expect(visit(coordinator, [3])).rejects.toMatchObject(reason);
  });

  it("fails the tasks under way when it is stopped, even if the server is away", async () => {
    const server = await testRedis();
    const { coordinator } = await open(optionsOf(server.url));
    const visited = visit(coordinator, [1]).catch((error: Error) => error);
    await server.stop("SIGKILL");
    coordinator.stop(new Error("stopped"));
    expect(await visited).toMatchObject({ message: "stopped" });
    await coordinator[Symbol.asyncDispose]();
  });

  it.each<[string, (client: Redis, queue: string) => Promise<unknown>]>([
    ["the server loses everything", (client) => client.flushall()],
    ["their list is deleted", (client, queue) => client.del(`${queue}:wait`)],
    [
      "their list is replaced by a key of another type",
      async (client, queue) => {
        await client.del(`${queue}:wait`);
        await client.set(`${queue}:wait`, "nonsense");
      },
    ],
  ])("queues tasks again when %s", async (_, damage) => {
    const redis = optionsOf((await testRedis()).url);
    const { coordinator } = await open(redis);
    const client = clientOf(redis);
    const { tasks } = keysOf(redis);
    const visited = visit(coordinator, [1, 2]);
    await until("they are queued", async () => (await client.llen(`${tasks}:wait`)) === 2);
    await damage(client, tasks);
    work(redis);
    expect(await visited).toEqual([10, 20]);
  });

  it("finds the failure of a task whose event was lost", async () => {
    const redis = await someRedis();
    const { coordinator } = await open(redis);
    const client = clientOf(redis);
    const { tasks } = keysOf(redis);
    const visited = visit(coordinator, [1]).catch((error: Error) => error);
    await until("it is queued", async () => (await client.llen(`${tasks}:wait`)) === 1);
    // The state that a worker leaves, without the event.
    const id = (await client.rpop(`${tasks}:wait`)) as string;
    await client.hset(`${tasks}:${id}`, "failedReason", "w: no memory");
    await client.zadd(`${tasks}:failed`, Date.now(), id);
    expect(await visited).toMatchObject({ message: "a task failed on w: no memory" });
  });
});

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

describe("a result", () => {
  it.each([
    ["that is invalid", { visit: 7 }],
    ["of something else", { check: { damaged: "0.1.block" } }],
    ["that names a file elsewhere", { visit: { damaged: "../0.1.block" } }],
  ])("%s is ignored, and the task is repeated", async (_, wrong) => {
    const redis = await someRedis();
    const { coordinator, messages } = await open(redis);
    let tries = 0;
    work(redis, () => (tries++ === 0 ? wrong : 7));
    expect(await visit(coordinator, [1])).toEqual([7]);
    expect(messages).toContain("ignored a result");
  });
});

describe("a taker of tasks", () => {
  it("rejects a task that names a file elsewhere", async () => {
    const redis = await someRedis();
    const { coordinator, folder } = await open(redis);
    const { log, messages } = readableLog();
    takerOf(redis, coordinator, folder, log);
    const visited = coordinator.visit([{ ...TASK, letters: ["../0.0.letters"] }]);
    await expect(visited).rejects.toThrow(/^a task failed on me: not a valid task: /);
    expect(messages).toContain("refused a task");
  });

  it("reports a task that it cannot do by its name, and takes the next", async () => {
    const redis = await someRedis();
    const { coordinator, folder } = await open(redis);
    const { log, messages } = readableLog();
    const taker = takerOf(redis, coordinator, folder, log);
    mkdirSync(join(folder, "0.0.letters"));
    const task = { ...TASK, letters: ["0.0.letters"] };
    await expect(coordinator.visit([task])).rejects.toThrow(/^a task failed on me: EISDIR/);
    expect(messages).toContain("a task failed");
    expect(taker.done).toBe(0);
  });

  it("waits while the folder is away, and so does the coordinator", async () => {
    const redis = await someRedis();
    const { coordinator, folder, messages: heard } = await open(redis);
    const { log, messages } = readableLog();
    const taker = takerOf(redis, coordinator, folder, log);
    renameSync(folder, `${folder}.away`);
    onTestFinished(() => rmSync(`${folder}.away`, { recursive: true, force: true }));
    const visited = coordinator.visit([TASK]);
    const awaited = coordinator.awaitFolder();
    await until("the worker waits", () => messages.includes("waiting for the folder"));
    expect(heard).toContain("waiting for the folder");
    renameSync(`${folder}.away`, folder);
    expect(await visited).toMatchObject([{ boards: 0, letters: [] }]);
    expect(await awaited).toBe(true);
    expect(messages).toContain("the folder is back");
    expect(taker.done).toBe(1);
    expect(await coordinator.awaitFolder()).toBe(false);
  });

  it("leaves a task that waits for the folder to others", async () => {
    const redis = await someRedis();
    const { coordinator, folder } = await open(redis);
    const { log, messages } = readableLog();
    const taker = takerOf(redis, coordinator, folder, log);
    renameSync(folder, `${folder}.away`);
    onTestFinished(() => rmSync(`${folder}.away`, { recursive: true, force: true }));
    const visited = visit(coordinator, [1]);
    await until("it waits", () => messages.includes("waiting for the folder"));
    await taker[Symbol.asyncDispose]();
    work(redis, () => 7);
    expect(await visited).toEqual([7]);
    expect(messages).not.toContain("a task failed");
  });

  it("leaves the tasks of another run to others", async () => {
    const redis = await someRedis();
    const { coordinator, folder } = await open(redis);
    const { log, messages } = readableLog();
    const taker = new TaskTaker({
      ...{ connection: connect(redis, "blocking"), keys: keysOf(redis), name: "me", log },
      ...{ game: GAME, folder, threads: 1, bytes: 2 ** 25, run: "before" },
    });
    onTestFinished(() => taker[Symbol.asyncDispose]());
    const client = clientOf(redis);
    const visited = visit(coordinator, [1]);
    await until("it has left it", () => client.exists(`${keysOf(redis).tasks}:delayed`));
    work(redis);
    await taker[Symbol.asyncDispose]();
    expect(await visited).toEqual([10]);
    expect(messages).not.toContain("a task failed");
  });
});

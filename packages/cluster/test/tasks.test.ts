import { readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@gridlock/testbed";
import type { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
// The threads of the taker are built files.
import { TaskTaker } from "../dist/task-taker.js";
import { connect } from "../src/connection.js";
import { keysOf } from "../src/keys.js";
import type { RedisOptions } from "../src/redis-options.js";
import type { TaskCoordinator } from "../src/task-coordinator.js";
import { readableLog } from "./log.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";
import { clientOf, folderForTest, GAME, open, TASK, work } from "./tasks.js";

/** Has blocks visited in the given steps; returns the boards of the results. */
const visit = async (coordinator: TaskCoordinator, steps: readonly number[]) => {
  const outcomes = await coordinator.visit(steps.map((step) => ({ ...TASK, step })));
  return outcomes.map((outcome) => ("boards" in outcome ? outcome.boards : outcome));
};

function takerOf(
  redis: RedisOptions,
  coordinator: TaskCoordinator,
  folder: string,
  log: ReturnType<typeof readableLog>["log"],
  threads = 1,
): TaskTaker {
  const taker = new TaskTaker({
    ...{ connection: connect(redis, "blocking"), keys: keysOf(redis), name: "me", log },
    ...{ game: GAME, folder, threads, bytes: 2 ** 25, onRefusal() {} },
    run: coordinator.observe().run?.run as string,
  });
  onTestFinished(() => taker[Symbol.asyncDispose]());
  return taker;
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
    symlinkSync("0.0.letters", join(folder, "0.0.letters")); // a link to itself
    const task = { ...TASK, letters: ["0.0.letters"] };
    await expect(coordinator.visit([task])).rejects.toThrow(
      /^a task failed on me: cannot open .*0\.0\.letters \(too many/,
    );
    expect(messages).toContain("a task failed");
    expect(taker.done).toBe(0);
  });

  it("does not blame a task for the failure of another", async () => {
    const redis = await someRedis();
    const { coordinator, folder } = await open(redis);
    const { log, messages } = readableLog();
    takerOf(redis, coordinator, folder, log, 4);
    symlinkSync("0.0.letters", join(folder, "0.0.letters")); // a link to itself
    const visits = ["0", "1", "2", "3"].map((block) => ({
      ...{ ...TASK, block, letters: block === "0" ? ["0.0.letters"] : [] },
    }));
    await expect(coordinator.visit(visits)).rejects.toThrow(
      /^a task failed on me: cannot open .*0\.0\.letters \(too many/,
    );
    const failures = messages.filter((message) => message.startsWith("a task failed"));
    expect(failures).toEqual(["a task failed; trying again", "a task failed"]);
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

  it("does a task once that comes again while it is under way", async () => {
    const redis = await someRedis();
    const { coordinator, folder } = await open(redis);
    const { log, messages } = readableLog();
    const client = clientOf(redis);
    const { tasks } = keysOf(redis);
    const taker = takerOf(redis, coordinator, folder, log, 2);
    renameSync(folder, `${folder}.away`);
    onTestFinished(() => rmSync(`${folder}.away`, { recursive: true, force: true }));
    const visited = coordinator.visit([TASK]);
    await until("the worker waits", () => messages.includes("waiting for the folder"));
    // As after an outage in which the lock has expired.
    const [id] = (await client.lrange(`${tasks}:active`, 0, -1)) as [string];
    await client.del(`${tasks}:${id}:lock`);
    await client.lrem(`${tasks}:active`, 0, id);
    await client.rpush(`${tasks}:wait`, id);
    await client.zadd(`${tasks}:marker`, 0, "0");
    await until("it is taken again", async () => (await client.llen(`${tasks}:active`)) === 1);
    await sleep(300); // time to begin it again
    renameSync(`${folder}.away`, folder);
    expect(await visited).toMatchObject([{ boards: 0, letters: [] }]);
    expect(taker.done).toBe(1);
    expect(messages.filter((message) => message === "waiting for the folder").length).toBe(1);
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
      ...{ game: GAME, folder, threads: 1, bytes: 2 ** 25, run: "before", onRefusal() {} },
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

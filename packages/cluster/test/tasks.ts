/* Coordinators and workers for tests of tasks. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseShape } from "@gridlock/game";
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { keysOf, TASKS } from "../src/keys.js";
import { PROTOCOL } from "../src/messages.js";
import type { RedisOptions } from "../src/redis-options.js";
import { TaskCoordinator } from "../src/task-coordinator.js";
import type { TaskMessage } from "../src/task-messages.js";
import { readableLog } from "./log.js";

export const GAME = { shape: parseShape("2x2"), tiles: [2, 4] } as const;

export function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const proof = join(folder, "test.2x2.layers");
  mkdirSync(proof);
  return proof;
}

/** Opens a coordinator of tasks. */
export async function open(redis: RedisOptions, folder = folderForTest()) {
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
export const TASK = {
  ...{ block: "0", split: 1, step: 1 },
  ...{ last: undefined, isNewRound: false, letters: [] },
};

/** Returns the result of a visit with this many boards. */
export const resultOf = (boards: number) => ({
  ...{ expanded: 0, lookedAgain: 0, looks: 0, letters: [], boards, live: 0, waiting: 0 },
  cost: {
    ...{ loading: 0, working: 0, saving: 0, isInMemory: false },
    ...{ blockRead: 0, blockWritten: 0, blockBytes: 0, lettersRead: 0, lettersWritten: 0 },
  },
});

export function clientOf(redis: RedisOptions): Redis {
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

/**
 * Makes visits as worker `name`, with ten times the step as the number of boards, or another
 * result.
 */
export function work(
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

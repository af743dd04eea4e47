/*
 * Measures the time that the queue adds to each step of a proof by layers on many machines, with
 * tasks that do nothing, a real Redis server, and worker processes on this machine.
 *
 *     npm run load
 *     npm run load -- --workers 8
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PROTOCOL, TaskCoordinator } from "@gridlock/cluster";
import { parseShape } from "@gridlock/game";
import { startRedis } from "@gridlock/testbed";
import { Worker } from "bullmq";
import { Redis } from "ioredis";

const { values: flags } = parseArgs({
  options: {
    workers: { type: "string", default: "2" },
    work: { type: "string" },
    name: { type: "string" },
  },
});

/** The result of a visit without work; with the name of its worker it has 500 bytes. */
const NOTHING = {
  ...{
    expanded: 0,
    lookedAgain: 0,
    looks: 0,
    letters: [],
    boards: 0,
    live: 0,
    waiting: 0,
  },
  cost: {
    ...{ loading: 0, working: 0, saving: 0, isInMemory: false },
    ...{ blockRead: 0, blockWritten: 0, blockBytes: 0, lettersRead: 0, lettersWritten: 0 },
  },
};
const NAME_BYTES = 190;
/** Tasks of all steps of a measurement. */
const TASKS = 400;

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Takes tasks from a worker's own queue, and returns empty results. */
async function work(url, name) {
  const worker = name.padEnd(NAME_BYTES, "x");
  const status = {
    ...{ protocol: PROTOCOL, worker, host: "here", pid: process.pid, version: "0" },
    ...{ threads: 1, memory: 0, state: "idle", job: null, tasks: 0, run: null },
    ...{ counts: { positions: 0, afterstates: 0 }, nodesPerSecond: 0 },
  };
  const client = new Redis(url, { maxRetriesPerRequest: null });
  const outcome = { visit: NOTHING };
  new Worker(`tasks-${worker}`, async () => ({ protocol: PROTOCOL, worker, outcome }), {
    ...{ connection: client, prefix: "{gridlock}" },
  });
  await client.set(`{gridlock}:worker:${worker}`, JSON.stringify(status));
  await client.sadd("{gridlock}:workers", worker);
}

async function measure(coordinator, tasks, bytes) {
  const data = "y".repeat(bytes);
  const times = [];
  for (let step = 0; step < Math.max(10, TASKS / tasks); step++) {
    const began = performance.now();
    await coordinator.visit(Array.from({ length: tasks }, (_, i) => ({ block: `${i}`, data })));
    times.push(performance.now() - began);
  }
  const ms = median(times);
  console.log(
    `${flags.workers} workers, steps of ${tasks} tasks of ${bytes} bytes: ${ms.toFixed(1)} ms a step, ${(ms / tasks).toFixed(2)} ms a task`,
  );
}

async function coordinate() {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-load-"));
  const redis = await startRedis();
  const args = (name) => [fileURLToPath(import.meta.url), "--work", redis.url, "--name", name];
  const workers = Array.from({ length: Number(flags.workers) }, (_, i) =>
    spawn(process.execPath, args(`w${i}`), { stdio: "inherit" }),
  );
  const silent = { child: () => silent, debug() {}, info() {}, warn() {}, error() {} };
  try {
    const coordinator = await TaskCoordinator.open({
      redis: { url: redis.url, prefix: "gridlock", cluster: false },
      game: { shape: parseShape("2x6"), tiles: [2, 4] },
      ...{ folder, bytes: 0, log: silent },
    });
    try {
      while (coordinator.observe().workers < workers.length) await sleep(100);
      // To warm up.
      await coordinator.visit(Array.from({ length: 500 }, (_, i) => ({ block: `${i}` })));
      for (const tasks of [1, 4, 16, 64]) {
        for (const bytes of [1000, 100_000]) await measure(coordinator, tasks, bytes);
      }
    } finally {
      await coordinator[Symbol.asyncDispose]();
    }
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await redis.stop("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

if (flags.work === undefined) await coordinate();
else await work(flags.work, flags.name);

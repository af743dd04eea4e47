import { type Job, UnrecoverableError, Worker } from "bullmq";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { JobQueue } from "../src/job-queue.js";
import { keysOf, QUEUE } from "../src/keys.js";
import { PROTOCOL } from "../src/messages.js";
import type { RedisOptions } from "../src/redis-options.js";
import { someRedis } from "./redis.js";
import { client } from "./servers.js";

const QUESTION = {
  ...{ protocol: PROTOCOL, shape: "2x2", tiles: "2,4" },
  ...{ board: "2 2/0 0", threshold: 12 },
};

async function queueOf(redis: RedisOptions) {
  const keys = keysOf(redis);
  const queue = new JobQueue({
    ...{ client: client(redis, "commands"), redis, keys, log: pino({ level: "silent" }) },
    ...{ onCompleted() {}, onFailed() {}, onError() {} },
  });
  onTestFinished(() => queue[Symbol.asyncDispose]());
  const connection = client(redis, "blocking") as never;
  const worker = new Worker(QUEUE, null, { connection, prefix: keys.prefix });
  onTestFinished(() => worker.close(true));
  return { queue, worker };
}

it("finds a job in each state, also if it changes after the look at the lists", async () => {
  const { queue, worker } = await queueOf(await someRedis());
  const empty = await queue.list();
  expect(await queue.find("question", empty)).toBeUndefined();
  await queue.add("question", QUESTION);
  expect(await queue.find("question", empty)).toEqual({ state: "queued" });
  const listed = await queue.list();
  const job = (await worker.getNextJob("token")) as Job;
  expect(await queue.find("question", listed)).toEqual({ state: "queued" });
  const answer = { protocol: PROTOCOL, bound: { lo: 12, hi: null } };
  await job.moveToCompleted(answer, "token", false);
  for (const before of [empty, listed, await queue.list()]) {
    expect(await queue.find("question", before)).toEqual({ state: "completed", returned: answer });
  }
});

it("finds why a job has failed, and jobs that are on no list", async () => {
  const redis = await someRedis();
  const { queue, worker } = await queueOf(redis);
  await queue.add("question", QUESTION);
  const job = (await worker.getNextJob("token")) as Job;
  await job.moveToFailed(new UnrecoverableError("a reason"), "token");
  const listed = await queue.list();
  const failed = { state: "failed", reason: "a reason", tries: 1, data: QUESTION };
  expect(await queue.find("question", listed)).toEqual(failed);
  await client(redis, "commands").del(`${keysOf(redis).queue}:failed`);
  await queue.add("other", QUESTION);
  await client(redis, "commands").del(`${keysOf(redis).queue}:wait`);
  expect(await queue.find("other", await queue.list())).toEqual({ state: "damaged" });
});

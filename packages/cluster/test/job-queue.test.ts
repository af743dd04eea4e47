import { Job, Worker } from "bullmq";
import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { JobQueue } from "../src/job-queue.js";
import { keysOf, QUEUE } from "../src/keys.js";
import { PROTOCOL } from "../src/messages.js";
import { someRedis } from "./redis.js";
import { client } from "./servers.js";

const QUESTION = {
  ...{ protocol: PROTOCOL, shape: "2x2", tiles: "2,4" },
  ...{ board: "2 2/0 0", threshold: 12 },
};

it("returns the answer of a question that is answered while it is looked up", async () => {
  const redis = await someRedis();
  const keys = keysOf(redis);
  const queue = new JobQueue({
    ...{ client: client(redis, "commands"), subscriber: client(redis, "blocking") },
    ...{ keys, log: pino({ level: "silent" }), onCompleted() {}, onFailed() {} },
  });
  onTestFinished(() => queue[Symbol.asyncDispose]());
  const connection = client(redis, "blocking") as never;
  const worker = new Worker(QUEUE, null, { connection, prefix: keys.prefix });
  onTestFinished(() => worker.close(true));
  await queue.add("question", QUESTION);
  const job = (await worker.getNextJob("token")) as Job;

  const answer = { protocol: PROTOCOL, bound: { lo: 12, hi: null } };
  const { getState } = Job.prototype;
  vi.spyOn(Job.prototype, "getState").mockImplementationOnce(async function (this: Job) {
    await job.moveToCompleted(answer, "token", false);
    return await getState.call(this);
  });
  expect(await queue.find("question")).toEqual({ state: "completed", returned: answer });
});

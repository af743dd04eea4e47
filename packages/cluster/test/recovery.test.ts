import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { ClusterRun, checkSolve, type Process, until } from "@gridlock/testbed";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROTOCOL } from "../src/messages.js";

const PREFIX = "{gridlock}";
const TIMEOUT = { timeout: 180_000 };

/** Milliseconds for a question that is never expected to be answered. */
const ENDLESS_MS = 3_600_000;

async function runOf(shape: string, slow = 100): Promise<ClusterRun> {
  const run = new ClusterRun({ shape, slow });
  onTestFinished(() => run[Symbol.asyncDispose]());
  await run.startRedis({ keep: false });
  return run;
}

function clientOf(run: ClusterRun): Redis {
  const client = new Redis(run.redis.url);
  onTestFinished(() => client.disconnect());
  return client;
}

const waits = (process: Process) => () => process.stderr.includes('"msg":"waiting for Redis"');

describe("a server that is away", () => {
  it("is waited for by a worker and a coordinator when they start", TIMEOUT, async () => {
    const run = await runOf("2x3");
    const { port, url } = run.redis;
    await run.redis.stop("SIGKILL");
    const workers = [run.worker("first", { url }), run.worker("second", { url })];
    const solve = run.solve(url);
    for (const each of [...workers, solve]) await until("it waits", waits(each));
    await run.startRedis({ port, keep: false });
    await checkSolve(solve, "2x3");
    expect(workers.map(({ child }) => child.exitCode)).toEqual([null, null]);
  });

  it("does not keep processes from stopping", TIMEOUT, async () => {
    const run = await runOf("2x3", ENDLESS_MS);
    const worker = run.worker("first");
    const solve = run.solve();
    await run.working();
    await run.redis.stop("SIGKILL");
    for (const each of [worker, solve]) await until("it waits", waits(each));
    for (const each of [worker, solve]) each.child.kill("SIGTERM");
    expect((await worker.ended).code).toBe(0);
    expect((await solve.ended).code).toBe(130);
  });
});

describe("a metrics port that is taken", () => {
  it(
    "ends workers and coordinator with a sentence, and the lead is released",
    TIMEOUT,
    async () => {
      const run = await runOf("2x3");
      const other = createServer().listen(0, "127.0.0.1");
      onTestFinished(() => void other.close());
      await once(other, "listening");
      const { port } = other.address() as AddressInfo;
      const service = ["--redis", run.redis.url, "--metrics", String(port)];
      for (const command of [
        ["worker", "--db", "w.db"],
        ["solve", "2x3", "--db", "s.db"],
      ]) {
        const { code, stderr } = await run.start([...command, ...service]).ended;
        expect(code).toBe(1);
        expect(stderr).toContain(
          `error: cannot serve metrics at 127.0.0.1, port ${port}: another program uses`,
        );
      }
      expect(await clientOf(run).exists(`${PREFIX}:coordinator`, `${PREFIX}:run`)).toBe(0);
    },
  );
});

describe("a message of another protocol", () => {
  it("is ignored and reported by workers if it does not persist", TIMEOUT, async () => {
    const run = await runOf("2x4");
    const worker = run.worker("first");
    const solve = run.solve();
    await run.working();
    const client = clientOf(run);
    const foreign = JSON.stringify({ protocol: PROTOCOL + 1, run: "x" });
    await until("the worker has read it", async () => {
      // The coordinator replaces it soon.
      await client.set(`${PREFIX}:run`, foreign);
      return worker.child.exitCode !== null || worker.stderr.includes("ignored the description");
    });
    await checkSolve(solve, "2x4");
    expect(worker.child.exitCode).toBe(null);
  });
});

describe("a coordinator", () => {
  it("reports that there are no workers, and uses the first that arrives", TIMEOUT, async () => {
    const run = await runOf("2x3");
    const solve = run.solve();
    await until("it says so", () => solve.stderr.includes("there are no workers"));
    run.worker("first");
    await checkSolve(solve, "2x3");
  });
});

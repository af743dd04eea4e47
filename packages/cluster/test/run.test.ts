import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  ClusterRun,
  freePort,
  GRIDLOCK,
  type Process,
  until,
  valuesHere,
  valuesOf,
} from "@gridlock/testbed";
import { Queue, QueueEvents, Worker } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ClusterStatusSchema, PROTOCOL } from "../src/messages.js";

const PREFIX = "{gridlock}";
const TIMEOUT = { timeout: 120_000 };

/** Milliseconds for a question that is never expected to be answered. */
const ENDLESS_MS = 3_600_000;

interface Where {
  /** Milliseconds for each question. */
  readonly slow?: number;
  /** Further options of the server. */
  readonly extra?: readonly string[];
}

async function runOf(shape: string, { slow, extra = [] }: Where = {}): Promise<ClusterRun> {
  const run = new ClusterRun(slow === undefined ? { shape } : { shape, slow });
  onTestFinished(() => run[Symbol.asyncDispose]());
  await run.startRedis({ keep: false, extra });
  return run;
}

/** Watches a run in a terminal of this size, and checks that all of it is on one screen. */
async function expectOneScreen(url: string, { rows, cols }: { rows: number; cols: number }) {
  const status = `'${process.execPath}' '${GRIDLOCK}' status --redis ${url} --watch`;
  // `exec`, since a shell that waited for the command would be interrupted too, and some end with its exit code.
  const line = `stty rows ${rows} cols ${cols}; exec ${status}`;
  const terminal = spawn("script", ["-qec", line, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void terminal.kill());
  let shown = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  const frames = () => shown.split("\u001b[1;1H\u001b[0J").slice(1, -1);
  await until("two frames are shown", () => frames().length >= 2);
  terminal.stdin.write("\u0003"); // Ctrl-C
  await until("it has ended", () => terminal.exitCode !== null);
  expect(terminal.exitCode).toBe(0);
  for (const frame of frames()) {
    const lines = frame.trimEnd().split("\r\n");
    expect(lines.length).toBeLessThan(rows);
    expect(Math.max(...lines.map((text) => text.length))).toBeLessThanOrEqual(cols);
    expect(frame).toContain("0 of 34 starts solved");
    expect(frame).toMatch(/^… \d+ more\r$/m);
    expect(frame).toMatch(/^worker +version/m);
  }
}

const solveArgs = (run: ClusterRun, shape: string, ...more: string[]) => [
  ...["solve", shape, "--redis", run.redis.url, "--db", "solve.db", "--json", ...more],
];

describe("two workers, in one run after another,", () => {
  const run = new ClusterRun({ shape: "2x2" });
  afterAll(() => run[Symbol.asyncDispose]());
  let [first, second] = [] as unknown as [Process, Process];
  beforeAll(async () => {
    await run.startRedis({ keep: false });
    [first, second] = [run.worker("first"), run.worker("second")];
    await run.workers(2);
  });

  it.each(["2x2", "3x3"])("find the values of %s", TIMEOUT, async (shape) => {
    expect(await valuesOf(run.start(solveArgs(run, shape)))).toBe(await valuesHere(shape));
  });

  it("find them with 2s only", TIMEOUT, async () => {
    const solve = run.start(solveArgs(run, "2x3", "--tiles", "2"));
    expect(await valuesOf(solve)).toBe(await valuesHere("2x3", [2]));
  });

  it("are both asked each question if the run is checked, and agree", TIMEOUT, async () => {
    const before = [first, second].map(({ stderr }) => stderr.length);
    const solve = run.start([...solveArgs(run, "2x3"), "--check"]);
    expect(await valuesOf(solve)).toBe(await valuesHere("2x3"));
    const logs = [first, second].map(({ stderr }, i) => stderr.slice(before[i])).join("");
    const count = (text: string) => logs.split(text).length - 1;
    expect(count('"msg":"checking"')).toBeGreaterThan(20);
    expect(count('"msg":"checking"')).toBe(count('"msg":"working"'));
  });

  it("wait without using the processor when there is no run", TIMEOUT, async () => {
    const { pid } = first.child;
    const spent = () =>
      Number(execFileSync("ps", ["-o", "cputimes=", "-p", String(pid)], { encoding: "utf8" }));
    const before = spent();
    await new Promise((resolve) => setTimeout(resolve, 8000));
    expect(spent() - before).toBeLessThanOrEqual(1);
  });
});

describe("a run over several processes", () => {
  it("finds the values through a Redis Cluster", TIMEOUT, async () => {
    const extra = ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"];
    const run = await runOf("2x3", { extra });
    const client = new Redis(run.redis.url);
    onTestFinished(() => client.disconnect());
    await client.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await until("it has all slots", async () =>
      `${await client.call("CLUSTER", "INFO")}`.includes("cluster_state:ok"),
    );
    const worker = ["worker", "--redis", run.redis.url, "--redis-cluster", "--threads", "1"];
    run.start([...worker, "--db", "first.db"]);
    run.start([...worker, "--db", "second.db"]);
    const solve = run.start(solveArgs(run, "2x3", "--redis-cluster"));
    expect(await valuesOf(solve)).toBe(await valuesHere("2x3"));
  });

  const WORKER = ["worker", "--db", "w.db"];
  const SOLVE = ["solve", "2x2", "--db", "s.db"];

  it.each<[string, string, string[][], RegExp]>([
    [
      "an unreachable server",
      "redis://127.0.0.1:1",
      [WORKER, SOLVE, ["status"]],
      /error: Redis at 127.0.0.1:1 .*expected/,
    ],
    [
      "no URL",
      "localhost",
      [WORKER, SOLVE, ["status"]],
      /error: localhost is not the URL of a Redis server; expected redis:/,
    ],
    ["a wrong password", "PASSWORD", [WORKER], /error: .*password.*expected/i],
    ["a server that forgets", "EVICTING", [SOLVE], /error: .*allkeys-lru.*noeviction/],
  ])("ends within seconds, with a sentence, given %s", TIMEOUT, async (_, kind, all, sentence) => {
    const extra = kind === "EVICTING" ? ["--maxmemory-policy", "allkeys-lru"] : [];
    const run = await runOf("2x2", { extra });
    const url =
      kind === "PASSWORD"
        ? run.redis.url.replace("redis://", "redis://:wrong@")
        : kind === "EVICTING"
          ? run.redis.url
          : kind;
    if (kind === "PASSWORD") {
      const client = new Redis(run.redis.url);
      await client.config("SET", "requirepass", "right");
      client.disconnect();
    }
    for (const process_ of all.map((args) => run.start([...args, "--redis", url]))) {
      const { code } = await process_.ended;
      expect(code).toBe(kind === "localhost" ? 2 : 1);
      expect(process_.stderr).toMatch(sentence);
      const lines = process_.stderr.trim().split("\n");
      expect(lines.filter((line) => !line.includes('"msg":"waiting for Redis"'))).toHaveLength(1);
      expect(process_.stdout).toBe("");
      expect(process_.stderr).not.toContain("wrong@");
    }
  });

  it("reports its progress to people, programs and Prometheus", TIMEOUT, async () => {
    const run = await runOf("2x4", { slow: ENDLESS_MS });
    const metrics = await freePort();
    run.worker("first", { more: ["--metrics", String(metrics)] });
    run.solve();
    const { worker: name } = await run.working();
    const url = `http://127.0.0.1:${metrics}`;
    await until("it counts nodes", async () =>
      /gridlock_nodes\{kind="positions"\} [1-9]/.test(await (await fetch(`${url}/metrics`)).text()),
    );
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ ok: true });
    const status = run.start(["status", "--redis", run.redis.url]);
    expect((await status.ended).code).toBe(0);
    expect(status.stdout).toContain("0 of 34 starts solved");
    expect(status.stdout).toContain(name);
    const asJson = run.start(["status", "--redis", run.redis.url, "--json"]);
    await asJson.ended;
    const found = JSON.parse(asJson.stdout);
    expect(found).toMatchObject({ run: { shape: "2x4" }, workers: [{ worker: name }] });
    expect(ClusterStatusSchema.parse(found)).toEqual(found);
    if (existsSync("/usr/bin/script")) await expectOneScreen(run.redis.url, { rows: 20, cols: 60 });
  });

  it("stops when its time is up, with an exit code for open starts", TIMEOUT, async () => {
    const run = await runOf("2x6"); // and no worker
    const { code, stdout, stderr } = await run.start(solveArgs(run, "2x6", "--for", "0.5s")).ended;
    expect(code).toBe(3);
    expect(stderr).toContain("run the same command to resume");
    expect(JSON.parse(stdout).starts).toHaveLength(75);
  });

  it("rejects and reports invalid jobs, and continues", TIMEOUT, async () => {
    const run = await runOf("2x4", { slow: ENDLESS_MS });
    const worker = run.worker("first");
    const client = new Redis(run.redis.url, { maxRetriesPerRequest: null });
    const queue = new Queue("questions", { connection: client as never, prefix: PREFIX });
    const listener = client.duplicate();
    const events = new QueueEvents("questions", { connection: listener as never, prefix: PREFIX });
    onTestFinished(async () => {
      await queue.close();
      await events.close();
      listener.disconnect();
      client.disconnect();
    });
    const reasons = new Map<string, string>();
    events.on("failed", ({ jobId, failedReason }) => reasons.set(jobId, failedReason));
    await events.waitUntilReady();
    const solve = run.start(solveArgs(run, "2x4", "--quiet"));
    await run.working();
    const good = {
      protocol: PROTOCOL,
      shape: "2x4",
      tiles: "2,4",
      board: "2 2 0 0/0 0 0 0",
      threshold: 4,
    };
    const bad: Record<string, unknown> = {
      number: 7,
      version: { ...good, protocol: PROTOCOL + 1 },
      board: { ...good, board: "2 2 0 0/0 0 0 3" },
      shape: { ...good, board: "2 2 0/0 0 0" },
      image: { ...good, board: "0 0 0 0/2 2 0 0" },
      game: { ...good, shape: "3x3", board: "2 2 0/0 0 0/0 0 0" },
      threshold: { ...good, threshold: 5 },
    };
    for (const [name, data] of Object.entries(bad)) {
      await queue.add("question", data, { jobId: name });
    }
    run.worker("second");
    await until("all are refused", () => Object.keys(bad).every((name) => reasons.has(name)));
    expect(Object.fromEntries(reasons)).toEqual({
      number: expect.stringContaining("not a valid question"),
      version: expect.stringContaining(`received a message of protocol ${PROTOCOL + 1}`),
      board: expect.stringContaining("3 is not a tile"),
      shape: expect.stringContaining("is not a board of 2x4"),
      image: expect.stringContaining("is not canonical"),
      game: expect.stringContaining("a question about 3x3 in a run of 2x4"),
      threshold: expect.stringContaining("must be a multiple of 4"),
    });
    expect(worker.isRunning).toBe(true);
    expect(solve.isRunning).toBe(true);
  });

  it("gives up a question that makes the kernel trap, after three tries", TIMEOUT, async () => {
    const run = await runOf("2x3");
    const hook = fileURLToPath(new URL("./poison.js", import.meta.url));
    const args = ["worker", "--redis", run.redis.url, "--threads", "1", "--db", "w.db"];
    const worker = run.start(args, {
      node: ["--import", hook],
      env: { POISONED_BOARD: String(0x11) },
    });
    const solve = run.start(solveArgs(run, "2x3"));
    const { code } = await solve.ended;
    expect(code).toBe(1);
    expect(solve.stderr).toMatch(
      /whether 2 2 0\/0 0 0 is worth \d+ was given up after 3 tries: .*unreachable/,
    );
    expect(worker.child.exitCode).toBe(null);
    await worker.kill("SIGTERM");
  });

  it("is rejected while another coordinator has the lead", TIMEOUT, async () => {
    const run = await runOf("2x6");
    run.solve();
    await until("there is a run", async () => (await run.status()).run);
    const other = run.start([...solveArgs(run, "3x3"), "--db", "other.db"]);
    expect((await other.ended).code).toBe(1);
    expect(other.stderr).toMatch(
      /another coordinator \(.*, process \d+, 2x6\) has a run under the prefix gridlock/,
    );
  });

  it("is rejected by a worker that speaks another protocol, with a sentence", TIMEOUT, async () => {
    const run = await runOf("2x2");
    const client = new Redis(run.redis.url);
    onTestFinished(() => client.disconnect());
    await client.set(`${PREFIX}:run`, JSON.stringify({ protocol: PROTOCOL + 1, run: "x" }));
    const worker = run.worker("first");
    expect((await worker.ended).code).toBe(1);
    expect(worker.stderr).toMatch(
      new RegExp(
        `error: .*of protocol ${PROTOCOL + 1}, but this version speaks protocol ${PROTOCOL}`,
      ),
    );
  });
});

describe("a checked run", () => {
  it(
    "shuts out a worker that gives false answers, and finds the right values",
    TIMEOUT,
    async () => {
      const run = await runOf("2x3");
      const client = new Redis(run.redis.url, { maxRetriesPerRequest: null });
      const name = "liar";
      const counts = { positions: 0, afterstates: 0 };
      const beat = setInterval(async () => {
        const message = {
          ...{ protocol: PROTOCOL, worker: name, host: "h", pid: 1, version: "0", threads: 1 },
          ...{
            memory: 0,
            state: "idle",
            job: null,
            run: null,
            counts,
            nodesPerSecond: 0,
          },
        };
        await client.set(`${PREFIX}:worker:${name}`, JSON.stringify(message));
        await client.sadd(`${PREFIX}:workers`, name);
      }, 200);
      // Claims for every board more than is asked.
      const liar = new Worker(
        "questions",
        async (job) => {
          const { run: id } = JSON.parse((await client.get(`${PREFIX}:run`)) as string);
          const bound = { lo: job.data.threshold + 100, hi: null };
          return { protocol: PROTOCOL, run: id, worker: name, counts, bound };
        },
        { connection: client as never, prefix: PREFIX },
      );
      onTestFinished(async () => {
        clearInterval(beat);
        await liar.close(true);
        client.disconnect();
      });
      run.worker("first");
      await run.workers(2);
      const solve = run.start([...solveArgs(run, "2x3"), "--check", "--log-level", "warn"]);
      await until(
        "it is shut out",
        () => solve.stderr.includes("liar gave a false answer"),
        60_000,
      );
      await liar.close(true);
      clearInterval(beat);
      run.worker("second");
      expect(await valuesOf(solve)).toBe(await valuesHere("2x3"));
    },
  );
});

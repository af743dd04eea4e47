import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packNode, parseShape } from "@gridlock/game";
import { StatusRedisOutput } from "@gridlock/schemas";
import { openStarts } from "@gridlock/solver";
import { Database } from "@gridlock/store";
import {
  ClusterRun,
  CuttablePort,
  checkSolve,
  freePort,
  type Process,
  Terminal,
  until,
} from "@gridlock/testbed";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { PROTOCOL } from "../src/messages.js";

const PREFIX = "{gridlock}";
const TIMEOUT = { timeout: 120_000 };
const LONG = { timeout: 900_000, tags: ["long"] };

/** Milliseconds for a question that is never expected to be answered. */
const ENDLESS_MS = 3_600_000;

interface Where {
  /** Milliseconds for each question. */
  readonly slow?: number;
  /** Further options of the server. */
  readonly extra?: readonly string[];
}

async function runOf(
  { onTestFinished }: TestContext,
  shape: string,
  { slow, extra = [] }: Where = {},
): Promise<ClusterRun> {
  const run = new ClusterRun(slow === undefined ? { shape } : { shape, slow });
  onTestFinished(() => run[Symbol.asyncDispose]());
  await run.startRedis({ keep: false, extra });
  return run;
}

const solveArgs = (run: ClusterRun, shape: string, ...more: string[]) => [
  ...["solve", shape, "--redis", run.redis.url, "--db", "solve.db", "--json", ...more],
];

/** Ticks of the processor time that Linux reports. */
const TICKS_PER_SECOND = 100;

/** Returns the processor time that all threads of a process have used, in ticks. */
function spentTicks({ child }: Process): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return Number(user) + Number(system);
}

describe("two workers, in one run after another,", () => {
  const run = new ClusterRun({ shape: "2x2" });
  afterAll(() => run[Symbol.asyncDispose]());
  let first: Process;
  beforeAll(async () => {
    await run.startRedis({ keep: false });
    first = run.worker("first");
    run.worker("second");
    await run.workers(2);
  });

  it.each(["2x2", "2x4"])("find the values of %s", TIMEOUT, async (shape) => {
    await checkSolve(run.start(solveArgs(run, shape)), shape);
  });

  it("prove lines of best play too, and the next solve answers at once", TIMEOUT, async () => {
    const solve = ["solve", "2x3", "--redis", run.redis.url, "--db", "lines.db"];
    const found = await run.start(solve).ended;
    expect(found.stdout.match(/^\d \d .* \d+ .*\d$/gm)).toHaveLength(20);
    expect(found.stderr).not.toContain("to find them");
    const again = await run.start(solve).ended;
    expect(again).toMatchObject({ code: 0, stdout: found.stdout });
    expect(again.stderr).toMatch(/^all 20 values of 2x3 are already in lines.db\n.*\n?$/);
  });

  it("are not believed with --verify", TIMEOUT, async () => {
    const solve = ["solve", "2x3", "--redis", run.redis.url, "--verify"];
    const found = await run.start([...solve, "--db", "proven.db"]).ended;
    expect(found.code).toBe(0);
    expect(found.stderr).toContain("the values of all 20 starts follow");
    const game = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
    {
      using database = Database.open(join(run.folder, "false.db"));
      // As if workers had claimed that all starts are worth 48.
      const claims = openStarts(game, database).map(({ board }) => ({
        ...packNode({ turn: "slider", board }),
        lo: 48,
        hi: 48,
      }));
      database.bounds(game).merge(claims);
    }
    const refused = await run.start([...solve, "--db", "false.db"]).ended;
    expect(refused).toMatchObject({ code: 1, stdout: "" });
  });

  it("find them with 2s only", TIMEOUT, async () => {
    const solve = run.start(solveArgs(run, "2x3", "--tiles", "2"));
    await checkSolve(solve, "2x3-tiles-2");
  });

  it.runIf(existsSync("/proc/self/stat"))(
    "wait without using the processor when there is no run",
    TIMEOUT,
    async () => {
      const [before, began] = [spentTicks(first), performance.now()];
      await sleep(1500);
      const seconds = (performance.now() - began) / 1000;
      expect(spentTicks(first) - before).toBeLessThan(0.2 * seconds * TICKS_PER_SECOND);
    },
  );
});

describe.concurrent("a run over several processes", () => {
  it("finds the values through a Redis Cluster", TIMEOUT, async (test) => {
    const extra = ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"];
    const run = await runOf(test, "2x3", { extra });
    const client = new Redis(run.redis.url);
    test.onTestFinished(() => client.disconnect());
    await client.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await until("it has all slots", async () =>
      `${await client.call("CLUSTER", "INFO")}`.includes("cluster_state:ok"),
    );
    const worker = ["worker", "--redis", run.redis.url, "--redis-cluster", "--threads", "1"];
    run.start([...worker, "--db", "first.db"]);
    run.start([...worker, "--db", "second.db"]);
    const solve = run.start(solveArgs(run, "2x3", "--redis-cluster"));
    await checkSolve(solve, "2x3");
  });

  const WORKER = ["worker", "--db", "w.db"];
  const SOLVE = ["solve", "2x2", "--db", "s.db"];

  it.for<[string, string, string[][], RegExp]>([
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
  ])(
    "ends within seconds, with a sentence, given %s",
    TIMEOUT,
    async ([_, kind, all, sentence], test) => {
      const extra = kind === "EVICTING" ? ["--maxmemory-policy", "allkeys-lru"] : [];
      const run = await runOf(test, "2x2", { extra });
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
      const processes = all.map((args) => run.start([...args, "--redis", url]));
      for (const process_ of processes) {
        const { code } = await process_.ended;
        expect(code).toBe(kind === "localhost" ? 2 : 1);
        expect(process_.stderr).toMatch(sentence);
        const lines = process_.stderr.trim().split("\n");
        const others = lines.filter((line) => !/"msg":"starting"|waiting for Redis/.test(line));
        expect(others).toHaveLength(1);
        expect(process_.stdout).toBe("");
        expect(process_.stderr).not.toContain("wrong@");
      }
    },
  );

  it("has a worker that logs text in a terminal, and ends with it", TIMEOUT, async (test) => {
    const run = new ClusterRun({ shape: "2x2" });
    test.onTestFinished(() => run[Symbol.asyncDispose]());
    const { url, port } = await run.startRedis({ keep: false, password: "s3cret" });
    const args = ["worker", "--redis", url, "--threads", "1", "--memory", "64M", "--once"];
    await using terminal = new Terminal(args, { cwd: run.folder, columns: 160 });
    await terminal.shows(/ waiting for a coordinator$/m);
    await checkSolve(run.start(solveArgs(run, "2x2")), "2x2");
    expect(await terminal.ended).toBe(0);
    const lines = terminal.text.trimEnd().split("\n");
    for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d [^{}"]+$/);
    expect(lines[0]).toContain(
      `starting (server 127.0.0.1:${port}, prefix gridlock, threads 1, memory 64 MiB, db results/worker.db)`,
    );
    expect(terminal.text).toMatch(/ searching \(question 2x2_\w+, order 0\)$/m);
    expect(terminal.text).toMatch(/ done \(question 2x2_\w+, bound \w+ \d+.*, seconds [\d.]+\)$/m);
    expect(lines.at(-1)).toMatch(/ the run is over$/);
    expect(terminal.output).not.toContain("s3cret");
  });

  it("gives subtrees to each of eight slow workers", LONG, async (test) => {
    const run = await runOf(test, "2x5", { slow: 200 });
    for (let i = 0; i < 8; i++) run.worker(`worker${i}`);
    await run.workers(8);
    const solve = run.solve();
    const seen = new Set<string>();
    await until("each worker has had a subtree", async () => {
      if (!solve.isRunning) throw new Error(`the solve is over, and ${seen.size} had one`);
      for (const { worker, subtree } of (await run.status()).workers) {
        if (subtree) seen.add(worker);
      }
      return seen.size === 8;
    });
    await checkSolve(solve, "2x5");
  });

  it("begins, and keeps its lead, where each reply takes 2 s", TIMEOUT, async (test) => {
    const run = await runOf(test, "2x2");
    using proxy = await CuttablePort.open(run.redis.port);
    proxy.delay = 2000;
    run.worker("first", { url: proxy.url });
    const solve = run.start(["solve", "2x2", "--redis", proxy.url, "--db", "solve.db", "--json"]);
    const status = run.start(["status", "--redis", proxy.url, "--json"]);
    expect(await status.ended).toMatchObject({ code: 0, stderr: "" });
    await run.workers(1);
    const client = new Redis(run.redis.url);
    test.onTestFinished(() => client.disconnect());
    const left = async () => Number(await client.pttl(`${PREFIX}:coordinator`));
    await until("there is a coordinator", async () => (await left()) > 0);
    for (let renewals = 0, before = await left(); renewals < 2; ) {
      const now = await left();
      expect(now).toBeGreaterThan(0); // not yet expired
      if (now > before) renewals++;
      before = now;
      await sleep(20);
    }
    proxy.delay = 0;
    await checkSolve(solve, "2x2");
  });

  it("reports its progress to people, programs and Prometheus", TIMEOUT, async (test) => {
    const run = await runOf(test, "2x4", { slow: ENDLESS_MS });
    const metrics = await freePort();
    run.worker("first", { more: ["--metrics", String(metrics)] });
    run.solve();
    const { worker: name } = await until("it searches", async () => (await run.atWork())[0]);
    const url = `http://127.0.0.1:${metrics}`;
    await until("it counts nodes", async () =>
      /gridlock_nodes\{kind="positions"\} [1-9]/.test(await (await fetch(`${url}/metrics`)).text()),
    );
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ ok: true });
    const status = run.start(["status", "--redis", run.redis.url]);
    expect((await status.ended).code).toBe(0);
    expect(status.stdout).toContain("0 of 34 starts solved");
    expect(status.stdout).toContain(name);
    expect(status.stdout).not.toMatch(/… \?|^2 .* 0 … \d{4,}/m); // nothing is proven of the starts
    const asJson = run.start(["status", "--redis", run.redis.url, "--json"]);
    await asJson.ended;
    const found = JSON.parse(asJson.stdout);
    expect(found).toMatchObject({ run: { shape: "2x4" }, workers: [{ worker: name }] });
    expect(StatusRedisOutput.parse(found)).toEqual(found);
  });

  it("stops when its time is up, with an exit code for open starts", TIMEOUT, async (test) => {
    const run = await runOf(test, "2x6"); // and no worker
    const { code, stdout, stderr } = await run.start(solveArgs(run, "2x6", "--for", "0.5s")).ended;
    expect(code).toBe(3);
    expect(stderr).toContain("run the same command to resume");
    expect(JSON.parse(stdout).starts).toHaveLength(75);
  });

  it(
    "loses a worker whose search fails three times, and continues with others",
    TIMEOUT,
    async (test) => {
      const run = await runOf(test, "2x3");
      const broken = run.worker("broken", { hook: "slow", env: { TRAPS: "1" } });
      const solve = run.start(solveArgs(run, "2x3"));
      expect((await broken.ended).code).toBe(1);
      expect(broken.stderr.split("a search failed; trying again")).toHaveLength(3);
      expect(broken.stderr).toMatch(/^error: a worker thread failed: unreachable$/m);
      expect(solve.isRunning).toBe(true);
      run.worker("second");
      await checkSolve(solve, "2x3");
    },
  );

  it("survives the end of each thread of a worker", TIMEOUT, async (test) => {
    const run = await runOf(test, "2x3", { slow: 300 });
    // Of three engines, one after another: the thread that searches, that shares bounds, and that
    // saves the table.
    const env = { KILL_THREAD: "0,4,8", KILL_THREAD_AFTER: "3000" };
    const worker = run.worker("first", { hook: "kill-thread", env });
    const solve = run.start(solveArgs(run, "2x3"));
    await checkSolve(solve, "2x3");
    const ended = worker.stderr.matchAll(/"error":"([^"]*) ended unexpectedly".*trying again/g);
    expect([...ended].map(([, name]) => name)).toEqual([
      "a worker thread failed: the thread",
      "a worker thread failed: the thread that shares bounds",
      "the snapshot thread",
    ]);
    expect((await worker.kill("SIGTERM")).code).toBe(0);
  });

  it("is rejected while another coordinator has the lead", TIMEOUT, async (test) => {
    const run = await runOf(test, "2x6");
    run.solve();
    await until("there is a run", async () => (await run.status()).run);
    const other = run.start([...solveArgs(run, "3x3"), "--db", "other.db"]);
    expect((await other.ended).code).toBe(1);
    expect(other.stderr).toMatch(
      /another coordinator \(.*, process \d+, 2x6\) has a run under the prefix gridlock/,
    );
  });

  it(
    "is rejected by a worker that speaks another protocol, with a sentence",
    TIMEOUT,
    async (test) => {
      const run = await runOf(test, "2x2");
      const client = new Redis(run.redis.url);
      test.onTestFinished(() => client.disconnect());
      await client.set(`${PREFIX}:run`, JSON.stringify({ protocol: PROTOCOL + 1, run: "x" }));
      const worker = run.worker("first");
      expect((await worker.ended).code).toBe(1);
      expect(worker.stderr).toMatch(
        new RegExp(
          `error: .*of protocol ${PROTOCOL + 1}, but this version speaks protocol ${PROTOCOL}`,
        ),
      );
    },
  );
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterRun, type Process, until, valuesHere, valuesIn, valuesOf } from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";

const TIMEOUT = { timeout: 180_000 };
/** A guess near the values, so that a run has few rounds. */
const GUESS: Readonly<Record<string, string>> = { "2x4": "124", "2x5": "196" };

async function runOf(shape: string, { keep = false } = {}): Promise<ClusterRun> {
  const run = new ClusterRun({ shape });
  onTestFinished(() => run[Symbol.asyncDispose]());
  await run.startRedis({ keep });
  return run;
}

const solveArgs = (shape: string) => [
  ...["solve", shape, "--method", "layers", "--guess", GUESS[shape] as string],
  ...["--json", "--quiet", "--log-level", "info"],
];

/** Starts a coordinator with the folder `shared`. */
function solve(run: ClusterRun, shape: string, ...more: string[]): Process {
  return run.start([
    ...[...solveArgs(shape), "--redis", run.redis.url, "--data", "shared", "--db", "solve.db"],
    ...more,
  ]);
}

/** Solves a shape on this machine alone; returns the values and the files of the proof. */
async function solveHere(run: ClusterRun, shape: string) {
  const values = await valuesOf(run.start([...solveArgs(shape), "--db", "here/solve.db"]));
  return { values, files: filesIn(join(run.folder, `here/solve.${shape}.layers`)) };
}

const proofOf = (run: ClusterRun, shape: string) =>
  join(run.folder, `shared/solve.${shape}.layers`);

/** Returns the parts' files in a folder with their contents. */
function filesIn(folder: string): [string, string][] {
  return readdirSync(folder)
    .filter((name) => /\.(block|letters|tmp)$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "latin1")]);
}

/** Waits until `workers` workers have each done `least` tasks. */
async function tasksDone(run: ClusterRun, least: number, workers = 1): Promise<void> {
  await until("tasks are done", async () => {
    const { workers: all } = await run.status();
    return all.filter(({ tasks }) => tasks >= least).length >= workers;
  });
}

describe("a proof by layers on two workers", () => {
  it("has the values and the files of a proof on this machine", TIMEOUT, async () => {
    const run = await runOf("2x4");
    const [first, second] = [run.worker("first"), run.worker("second")];
    const solving = solve(run, "2x4", "--record", "run.jsonl");
    const values = await valuesOf(solving);
    const here = await solveHere(run, "2x4");
    expect(values).toBe(here.values);
    expect(values).toBe(await valuesHere("2x4"));
    expect(filesIn(proofOf(run, "2x4"))).toEqual(here.files);
    expect([first.isRunning, second.isRunning]).toEqual([true, true]);
    const { code, stdout } = await run.start(["simulate", "run.jsonl", "--json"]).ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      shape: "2x4",
      replays: [{ efficiency: 1 }, {}, {}, {}, {}],
    });
  });

  it.each<[string, (run: ClusterRun, there: Disturbed) => Promise<Process>]>([
    [
      "a worker is killed",
      async (run, { first, solving }) => {
        await tasksDone(run, 3, 2);
        await first.kill();
        return solving;
      },
    ],
    [
      "a worker is stopped, and wakes after others have done its task",
      async (run, { first, solving }) => {
        await tasksDone(run, 3, 2);
        first.child.kill("SIGSTOP");
        await until("it is gone", async () => (await run.status()).workers.length === 1);
        first.child.kill("SIGCONT");
        return solving;
      },
    ],
    [
      "the coordinator is killed and started again",
      async (run, { solving }) => {
        await tasksDone(run, 3);
        await solving.kill();
        const killed = (await run.status()).run?.run;
        const resumed = solve(run, "2x5");
        await until("the nodes of both runs are counted", async () => {
          const now = (await run.status()).run;
          if (!now?.layers || now.run === killed) return false;
          return now.layers.expanded > now.counts.afterstates && now.layers.seconds > 0;
        });
        return resumed;
      },
    ],
    [
      "Redis is killed and restarted, its data lost",
      async (run, { solving }) => {
        await tasksDone(run, 3);
        const { port } = run.redis;
        await run.redis.stop("SIGKILL");
        await until("it waits", () => solving.stderr.includes('"msg":"waiting for Redis"'));
        await run.startRedis({ port, keep: false });
        return solving;
      },
    ],
    [
      "all workers leave, and others come",
      async (run, { first, second, solving }) => {
        await tasksDone(run, 3, 2);
        for (const worker of [first, second]) worker.child.kill("SIGTERM");
        for (const worker of [first, second]) expect((await worker.ended).code).toBe(0);
        run.worker("third");
        return solving;
      },
    ],
  ])("has the same values and files even if %s", TIMEOUT, async (_, disturb) => {
    const run = await runOf("2x5");
    const there = { first: run.worker("first"), second: run.worker("second") };
    const solving = await disturb(run, { ...there, solving: solve(run, "2x5") });
    const values = await valuesOf(solving);
    const here = await solveHere(run, "2x5");
    expect(values).toBe(here.values);
    expect(filesIn(proofOf(run, "2x5"))).toEqual(here.files);
  });

  it("is stopped by Ctrl-C, even while Redis is away, and resumed", TIMEOUT, async () => {
    const run = await runOf("2x5");
    run.worker("first");
    const stopped = solve(run, "2x5");
    await tasksDone(run, 3);
    const { port } = run.redis;
    await run.redis.stop("SIGKILL");
    await until("it waits", () => stopped.stderr.includes('"msg":"waiting for Redis"'));
    stopped.child.kill("SIGINT");
    expect((await stopped.ended).code).toBe(130);
    await run.startRedis({ port, keep: false });
    const values = await valuesOf(solve(run, "2x5"));
    expect(values).toBe(await valuesHere("2x5"));
  });
});

interface Disturbed {
  readonly first: Process;
  readonly second: Process;
  readonly solving: Process;
}

describe("a proof that is checked", () => {
  const CHECK = ["--check"];
  /**
   * Returns the pattern of a coordinator's message that it shuts a worker out; names have process
   * ids.
   */
  const shutOut = ({ child }: Process) =>
    new RegExp(`-${child.pid}-[0-9a-f]+ gave a false answer and is shut out`);

  it("by two workers has the values and the files of an unchecked one", TIMEOUT, async () => {
    const run = await runOf("2x4");
    const workers = [run.worker("first"), run.worker("second")];
    await run.workers(2);
    const solving = solve(run, "2x4", ...CHECK);
    const values = await valuesOf(solving);
    const here = await solveHere(run, "2x4");
    expect(values).toBe(here.values);
    expect(filesIn(proofOf(run, "2x4"))).toEqual(here.files);
    expect(solving.stderr).toContain('"msg":"all bounds follow"');
    expect(workers.map(({ isRunning }) => isRunning)).toEqual([true, true]);
  });

  it("with one worker is also checked by the coordinator", TIMEOUT, async () => {
    const run = await runOf("2x4");
    run.worker("only");
    const solving = solve(run, "2x4", ...CHECK);
    expect(await valuesOf(solving)).toBe(await valuesHere("2x4"));
    expect(solving.stderr).toContain('"msg":"all bounds follow"');
  });

  it.each(["blocks", "letters", "blocks,letters,praise"])(
    "has the right values even if one of three workers lies (%s), and names it",
    TIMEOUT,
    async (lies) => {
      const run = await runOf("2x4");
      const liar = run.liar("liar", lies);
      const others = [run.worker("first"), run.worker("second")];
      await run.workers(3);
      const solving = solve(run, "2x4", ...CHECK);
      expect(await valuesOf(solving)).toBe(await valuesHere("2x4"));
      expect(solving.stderr).toContain(
        '"msg":"bounds do not follow by the rules; proving them again"',
      );
      expect(solving.stderr).toMatch(shutOut(liar));
      expect((await liar.ended).code).toBe(1);
      expect(liar.stderr).toMatch(/gave a false answer and was shut out of the run/);
      expect(others.map(({ isRunning }) => isRunning)).toEqual([true, true]);
      const verify = run.start([
        "verify",
        "2x4",
        "--method",
        "layers",
        "--data",
        "shared",
        "--db",
        "solve.db",
      ]);
      expect((await verify.ended).stdout).toContain("the values of all 34 starts follow");
    },
  );

  it("has false values without the check", TIMEOUT, async () => {
    const run = await runOf("2x4");
    run.liar("liar", "blocks,letters");
    const { stdout, code } = await solve(run, "2x4").ended;
    expect(code === 0 ? valuesIn(stdout) : stdout).not.toBe(await valuesHere("2x4"));
  });

  it("is proven by another worker if its only one lies", TIMEOUT, async () => {
    const run = await runOf("2x4");
    const liar = run.liar("liar", "blocks,letters,praise");
    const solving = solve(run, "2x4", ...CHECK);
    await until("it is shut out", () => shutOut(liar).test(solving.stderr));
    run.worker("first");
    expect(await valuesOf(solving)).toBe(await valuesHere("2x4"));
  });

  it("shuts out only the worker that slanders the others", TIMEOUT, async () => {
    const run = await runOf("2x4");
    const liar = run.liar("liar", "slander");
    const others = [run.worker("first"), run.worker("second")];
    await run.workers(3);
    const solving = solve(run, "2x4", ...CHECK);
    expect(await valuesOf(solving)).toBe(await valuesHere("2x4"));
    expect(solving.stderr).toMatch(shutOut(liar));
    expect(solving.stderr.match(/is shut out/g)).toHaveLength(1);
    expect(solving.stderr).not.toContain("bounds do not follow by the rules");
    expect(others.map(({ isRunning }) => isRunning)).toEqual([true, true]);
  });
});

describe("a solve", () => {
  it.each([
    [["--method", "layers"], "needs a folder that all machines reach; add --data DIR"],
    [["--data", "shared"], "--data needs --method layers and --redis"],
  ])("with --redis and %j is rejected", TIMEOUT, async (args, words) => {
    const run = new ClusterRun({ shape: "2x2" });
    onTestFinished(() => run[Symbol.asyncDispose]());
    const { code, stderr } = await run.start([
      ...["solve", "2x2", "--redis", "redis://127.0.0.1:1"],
      ...args,
    ]).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe("a folder", () => {
  // Nothing can be written to /proc.
  it.skipIf(process.platform !== "linux")(
    "on a disk that is too small is rejected",
    TIMEOUT,
    async () => {
      const run = new ClusterRun({ shape: "2x5" });
      onTestFinished(() => run[Symbol.asyncDispose]());
      const args = [...solveArgs("2x5"), "--redis", "redis://127.0.0.1:1", "--data", "/proc/none"];
      const { code, stderr } = await run.start(args).ended;
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /2x5.* layer by layer would take about .* but only 0 B is free in .proc;/,
      );
    },
  );
});

describe("a worker", () => {
  const worker = (run: ClusterRun, name: string, data: string) =>
    run.start([
      ...["worker", "--redis", run.redis.url, "--threads", "1", "--db", `${name}.db`],
      ...["--data", data],
    ]);

  it("without the folder, or with another one, is rejected", TIMEOUT, async () => {
    const run = await runOf("2x5");
    solve(run, "2x5");
    await until("there is a run", async () => (await run.status()).run);
    const blind = worker(run, "blind", "nowhere");
    expect((await blind.ended).code).toBe(1);
    expect(blind.stderr).toMatch(
      /error: this worker does not see the folder of the run: cannot read .*nowhere.*\(ENOENT\); expected the folder that .* knows as .*shared; name its path here with --data/,
    );
    const other = join(run.folder, "other/solve.2x5.layers");
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, "run"), "another run");
    const wrong = worker(run, "wrong", "other");
    expect((await wrong.ended).code).toBe(1);
    expect(wrong.stderr).toMatch(
      /error: .*solve.2x5.layers is not the folder of the run; expected/,
    );
  });

  it("takes part in a search, a proof by layers, and a search again", TIMEOUT, async () => {
    const run = await runOf("2x4");
    const only = run.worker("only");
    const values = await valuesHere("2x4");
    const search = (db: string) =>
      run.start(["solve", "2x4", "--redis", run.redis.url, "--db", db, "--json", "--quiet"]);
    expect(await valuesOf(search("search.db"))).toBe(values);
    expect(await valuesOf(solve(run, "2x4"))).toBe(values);
    expect(await valuesOf(search("again.db"))).toBe(values);
    expect(only.stderr.match(/"msg":"run"/g)).toHaveLength(3);
  });

  it("with too little memory is rejected", TIMEOUT, async () => {
    const run = await runOf("2x5");
    solve(run, "2x5");
    await until("there is a run", async () => (await run.status()).run);
    const small = run.start([
      ...["worker", "--redis", run.redis.url, "--threads", "2", "--memory", "64M"],
    ]);
    expect((await small.ended).code).toBe(2);
    expect(small.stderr).toMatch(/--memory of .* bytes is too little; expected at least/);
  });

  it("may use another path for the folder", TIMEOUT, async () => {
    const run = await runOf("2x4");
    worker(run, "first", join(run.folder, "here", "..", "shared"));
    expect(await valuesOf(solve(run, "2x4"))).toBe(await valuesHere("2x4"));
  });
});

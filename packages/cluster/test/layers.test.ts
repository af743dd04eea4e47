import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseShape } from "@gridlock/game";
import { verifyLayers } from "@gridlock/layers";
import { ClusterRun, type Process, until, valuesHere, valuesIn, valuesOf } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const TIMEOUT = { timeout: 180_000 };
const SHAPE = "2x4";
/** A first threshold near the values, so that a proof has few rounds. */
const GUESS = "124";
/** Milliseconds for a visit such that a proof of some 50 steps can be disturbed in the middle. */
const SLOW_MS = 200;
/** Milliseconds after which every connection of a frozen process has timed out. */
const FROZEN_MS = 32_000;
/** Milliseconds for a visit that is never expected to end. */
const ENDLESS_MS = 3_600_000;

type WhenDone = (clean: () => Promise<void>) => void;

function newRun(slow?: number, whenDone: WhenDone = onTestFinished): ClusterRun {
  const run = new ClusterRun(slow === undefined ? { shape: SHAPE } : { shape: SHAPE, slow });
  whenDone(() => run[Symbol.asyncDispose]());
  return run;
}

/** Starts a server for the running test, and workers with slow visits if `slow` is given. */
async function runOf(slow?: number): Promise<ClusterRun> {
  const run = newRun(slow);
  await run.startRedis({ keep: false });
  return run;
}

/** Makes a run for all tests of a block, whose server is started before them. */
function runOfAll(): ClusterRun {
  const run = newRun(undefined, afterAll);
  beforeAll(async () => {
    await run.startRedis({ keep: false });
  });
  return run;
}

const SOLVE = [
  ...["solve", SHAPE, "--method", "layers", "--guess", GUESS],
  ...["--json", "--quiet", "--log-level", "info"],
];

/** Starts a coordinator with the folder and the database of a name. */
function solve(run: ClusterRun, name: string, ...more: string[]): Process {
  const places = ["--redis", run.redis.url, "--data", name, "--db", `${name}.db`];
  return run.start([...SOLVE, ...places, ...more]);
}

/** The folder of the proof that a coordinator has made. */
const proofOf = (run: ClusterRun, name: string) =>
  join(run.folder, name, `${name}.${SHAPE}.layers`);

/** Returns the parts' files in a folder with their contents. */
function filesIn(folder: string): [string, string][] {
  return readdirSync(folder)
    .filter((name) => /\.(block|letters|tmp)$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "latin1")]);
}

/** The values and the files of a proof that the command makes on this machine alone. */
let here: { readonly values: string; readonly files: [string, string][] };
beforeAll(async () => {
  await using run = new ClusterRun({ shape: SHAPE });
  const values = await valuesOf(run.start([...SOLVE, "--db", "here.db"]));
  here = { values, files: filesIn(join(run.folder, `here.${SHAPE}.layers`)) };
});

/** Waits until a worker has done `least` tasks. */
async function tasksDone(run: ClusterRun, least: number): Promise<void> {
  await until("tasks are done", async () =>
    (await run.status()).workers.some(({ tasks }) => tasks >= least),
  );
}

/** Waits until a worker is in the middle of a visit. */
async function visiting(run: ClusterRun, { child }: Process): Promise<void> {
  await until("it visits a block", async () =>
    (await run.status()).workers.some(
      ({ pid, state }) => pid === child.pid && state === "visiting",
    ),
  );
}

/** Expects that all bounds of a proof follow, and show all values. */
async function expectHolds(run: ClusterRun, name: string): Promise<void> {
  const game = { shape: parseShape(SHAPE), tiles: [2, 4] } as const;
  const room = { threads: 1, bytes: 64 * 2 ** 20 };
  const report = await verifyLayers(game, proofOf(run, name), new Map(), room);
  expect(report).toMatchObject({ failed: 0, damaged: [], proven: 34, complete: true });
}

const CHECK = ["--check"];
/**
 * Returns the pattern of a coordinator's message that it shuts a worker out; names have process
 * ids.
 */
const shutOut = ({ child }: Process) =>
  new RegExp(`-${child.pid}-[0-9a-f]+ gave a false answer and is shut out`);

describe("a proof by layers on two workers", () => {
  const run = runOfAll();
  let workers: readonly Process[];
  beforeAll(() => {
    workers = [run.worker("first"), run.worker("second")];
  });

  it("has the values and the files of a proof on this machine", TIMEOUT, async () => {
    const more = ["--record", "run.jsonl", "--log-level", "debug"];
    const solving = solve(run, "plain", ...more);
    const values = await valuesOf(solving);
    expect(values).toBe(here.values);
    expect(solving.stderr).toContain("a worker has worked off steps");
    expect(values).toBe(await valuesHere(SHAPE));
    expect(filesIn(proofOf(run, "plain"))).toEqual(here.files);
    expect(workers.map(({ isRunning }) => isRunning)).toEqual([true, true]);
    const { code, stdout } = await run.start(["simulate", "run.jsonl", "--json"]).ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      shape: SHAPE,
      replays: [{ efficiency: 1 }, {}, {}, {}, {}],
    });
  });

  it(
    "whose blocks are split has the values of any, and the files of such a one",
    TIMEOUT,
    async () => {
      const split = ["--split", "2"];
      expect(await valuesOf(solve(run, "split", ...split))).toBe(here.values);
      await valuesOf(run.start([...SOLVE, ...split, "--db", "split-here.db"]));
      const folder = join(run.folder, `split-here.${SHAPE}.layers`);
      expect(filesIn(proofOf(run, "split"))).toEqual(filesIn(folder));
    },
  );

  it("that is checked has the values and the files of an unchecked one", TIMEOUT, async () => {
    await run.workers(2);
    const solving = solve(run, "checked", ...CHECK);
    expect(await valuesOf(solving)).toBe(here.values);
    expect(filesIn(proofOf(run, "checked"))).toEqual(here.files);
    expect(solving.stderr).toContain('"msg":"all bounds follow"');
    expect(workers.map(({ isRunning }) => isRunning)).toEqual([true, true]);
  });

  it.each(["blocks", "blocks,letters,praise"])(
    "that is checked has the right values even if a third worker lies (%s), and names it",
    TIMEOUT,
    async (lies) => {
      const liar = run.liar("liar", lies);
      await run.workers(3);
      const name = lies.replaceAll(",", "-");
      const solving = solve(run, name, ...CHECK);
      expect(await valuesOf(solving)).toBe(here.values);
      expect(solving.stderr).toContain(
        '"msg":"bounds do not follow by the rules; proving them again"',
      );
      expect(solving.stderr).toMatch(shutOut(liar));
      expect((await liar.ended).code).toBe(1);
      expect(liar.stderr).toMatch(/gave a false answer and was shut out of the run/);
      expect(workers.map(({ isRunning }) => isRunning)).toEqual([true, true]);
      await expectHolds(run, name);
    },
  );

  it("that is checked shuts out only the worker that slanders the others", TIMEOUT, async () => {
    const liar = run.liar("liar", "slander");
    await run.workers(3);
    const solving = solve(run, "slander", ...CHECK);
    expect(await valuesOf(solving)).toBe(here.values);
    expect(solving.stderr).toMatch(shutOut(liar));
    expect(solving.stderr.match(/is shut out/g)).toHaveLength(1);
    expect(solving.stderr).not.toContain("bounds do not follow by the rules");
    expect(workers.map(({ isRunning }) => isRunning)).toEqual([true, true]);
  });
});

/** Starts two workers and a proof, and waits until it is in the middle. */
async function underWay() {
  const run = await runOf(SLOW_MS);
  const workers = [run.worker("first"), run.worker("second")];
  const solving = solve(run, "shared");
  await tasksDone(run, 3);
  return { run, workers, solving };
}

/** Kills the server, and waits until the coordinator has noticed; returns its port. */
async function killRedis({ redis }: ClusterRun, solving: Process): Promise<number> {
  await redis.stop("SIGKILL");
  await until("it waits", () => solving.stderr.includes('"msg":"waiting for Redis"'));
  return redis.port;
}

describe("a proof by layers", () => {
  async function expectSame(run: ClusterRun, solving: Process): Promise<void> {
    expect(await valuesOf(solving)).toBe(here.values);
    expect(filesIn(proofOf(run, "shared"))).toEqual(here.files);
  }

  it("has the same values and files even if a worker is killed", TIMEOUT, async () => {
    const run = await runOf();
    run.worker("second");
    const first = run.worker("first", { slow: ENDLESS_MS });
    await run.workers(2);
    const solving = solve(run, "shared");
    await visiting(run, first);
    await first.kill();
    await expectSame(run, solving);
  });

  it("has them even if a worker is stopped, and wakes after others have done its task", {
    ...TIMEOUT,
  }, async () => {
    const run = await runOf(SLOW_MS);
    const first = run.worker("first", { slow: 10 * SLOW_MS });
    const second = run.worker("second");
    await run.workers(2);
    const solving = solve(run, "shared");
    await visiting(run, first);
    first.child.kill("SIGSTOP");
    const tasksOfSecond = async () =>
      (await run.status()).workers.find(({ pid }) => pid === second.child.pid)?.tasks ?? 0;
    await until("it is gone", async () => (await run.status()).workers.length === 1);
    const before = await tasksOfSecond();
    await until(
      "another has done its task",
      async () => !solving.isRunning || (await tasksOfSecond()) > before,
    );
    first.child.kill("SIGCONT");
    await run.workers(2);
    expect((await first.kill("SIGTERM")).code).toBe(0); // so that it slows down nothing else
    await expectSame(run, solving);
  });

  it("has them even if the coordinator is killed and started again", TIMEOUT, async () => {
    const { run, solving } = await underWay();
    await solving.kill();
    const killed = (await run.status()).run?.run;
    const resumed = solve(run, "shared");
    await until("the nodes of both runs are counted", async () => {
      const now = (await run.status()).run;
      if (!now?.layers || now.run === killed) return false;
      return now.layers.expanded > now.counts.afterstates && now.layers.seconds > 0;
    });
    await expectSame(run, resumed);
  });

  it(
    "has them even if the coordinator is frozen for longer than any time-out",
    TIMEOUT,
    async () => {
      const { run, solving } = await underWay();
      solving.child.kill("SIGSTOP");
      await sleep(FROZEN_MS);
      solving.child.kill("SIGCONT");
      await expectSame(run, solving);
    },
  );

  it("has them even if Redis is killed and restarted, its data lost", TIMEOUT, async () => {
    const { run, solving } = await underWay();
    const port = await killRedis(run, solving);
    await run.startRedis({ port, keep: false });
    await expectSame(run, solving);
  });

  it("has them even if all workers leave, and others come", TIMEOUT, async () => {
    const { run, workers, solving } = await underWay();
    for (const worker of workers) worker.child.kill("SIGTERM");
    for (const worker of workers) expect((await worker.ended).code).toBe(0);
    run.worker("third", { slow: 0 });
    await expectSame(run, solving);
  });

  it(
    "is checked once a file was damaged, even without --check, and then holds",
    TIMEOUT,
    async () => {
      const { run, workers, solving } = await underWay();
      solving.child.kill("SIGINT");
      expect((await solving.ended).code).toBe(130);
      for (const worker of workers) await worker.kill("SIGTERM"); // they have blocks in memory
      const folder = proofOf(run, "shared");
      const blocks = readdirSync(folder).filter((name) => /^[0-9a-e].*\.block$/.test(name));
      for (const name of blocks) {
        const bytes = readFileSync(join(folder, name));
        const middle = bytes.length >> 1;
        bytes[middle] = (bytes[middle] as number) ^ 1;
        writeFileSync(join(folder, name), bytes);
      }
      run.worker("third", { slow: 0 });
      const resumed = solve(run, "shared");
      expect(await valuesOf(resumed)).toBe(here.values);
      expect(resumed.stderr).toContain('"msg":"all bounds follow"');
      await expectHolds(run, "shared");
    },
  );

  it("is stopped by Ctrl-C, even while Redis is away, and resumed", TIMEOUT, async () => {
    const { run, solving: stopped } = await underWay();
    const port = await killRedis(run, stopped);
    stopped.child.kill("SIGINT");
    expect((await stopped.ended).code).toBe(130);
    await run.startRedis({ port, keep: false });
    expect(await valuesOf(solve(run, "shared"))).toBe(here.values);
  });
});

describe("a worker that lies, alone", () => {
  const run = runOfAll();
  let liar: Process;
  beforeAll(() => {
    liar = run.liar("liar", "blocks,letters,praise");
  });

  it("makes a proof false that is not checked", TIMEOUT, async () => {
    const { stdout, code } = await solve(run, "unchecked").ended;
    expect(code === 0 ? valuesIn(stdout) : stdout).not.toBe(here.values);
  });

  it("is shut out of one that is checked, which another worker makes", TIMEOUT, async () => {
    const solving = solve(run, "checked", ...CHECK);
    await until("it is shut out", () => shutOut(liar).test(solving.stderr));
    run.worker("first");
    expect(await valuesOf(solving)).toBe(here.values);
  });
});

describe("a single worker", () => {
  it("takes part in a search, a proof by layers, and a search again; the coordinator checks the proof, too", {
    ...TIMEOUT,
  }, async () => {
    const run = await runOf();
    // It may know the folder by another path.
    mkdirSync(join(run.folder, "shared"));
    symlinkSync("shared", join(run.folder, "link"));
    const only = run.worker("only", { more: ["--data", "link"] });
    const search = (db: string) =>
      run.start(["solve", SHAPE, "--redis", run.redis.url, "--db", db, "--json", "--quiet"]);
    expect(await valuesOf(search("search.db"))).toBe(here.values);
    const solving = solve(run, "shared", ...CHECK);
    expect(await valuesOf(solving)).toBe(here.values);
    expect(solving.stderr).toContain('"msg":"all bounds follow"');
    expect(await valuesOf(search("again.db"))).toBe(here.values);
    expect(only.stderr.match(/"msg":"run"/g)).toHaveLength(3);
  });
});

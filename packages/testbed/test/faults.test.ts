import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  FAULT_KINDS,
  FAULTS,
  inflictFaults,
  leftBehind,
  logFaults,
  logLines,
  Process,
  solveFaults,
  temporaryFolder,
  workerFaults,
} from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";

describe("the kinds of fault", () => {
  it("say what happens", () => {
    for (const [name, { what, times }] of Object.entries(FAULT_KINDS)) {
      expect(name).toMatch(/^[a-z0-9-]+$/);
      expect(what.length).toBeGreaterThan(10);
      expect(times).toBeGreaterThan(0);
    }
  });

  it("include each that a run must survive, each freeze and each refusal", () => {
    expect(Object.keys(FAULT_KINDS)).toEqual(
      expect.arrayContaining([
        ...Object.keys(FAULTS),
        ...["freeze-all-120", "oom", "noperm-for-good", "failover-2x4", "solve-killed"],
      ]),
    );
  });
});

describe("a series of faults", () => {
  const KINDS = ["claim-moved", "claims-deleted"];
  const OPTIONS = { seed: 1, jobs: 2, slow: 0, runs: 2 };

  it("has kinds take turns, and repeats no run that is known", async () => {
    const told: string[] = [];
    const all = await inflictFaults(KINDS, OPTIONS, ({ kind, run }) => told.push(`${kind} ${run}`));
    expect(all.flatMap(({ failures }) => failures)).toEqual([]);
    expect(new Set(told.slice(0, 2))).toEqual(new Set(KINDS.map((kind) => `${kind} 1`)));
    expect(told).toHaveLength(4);
    const known = all.filter(({ run }) => run === 1);
    const again = await inflictFaults(KINDS, OPTIONS, undefined, known);
    const plain = (reports: typeof all) =>
      reports.map(({ kind, run, outcome }) => `${kind} ${run} ${outcome}`).sort();
    expect(plain(again)).toEqual(plain(all));
    expect(again.slice(0, 2)).toEqual(known);
  });

  it("begins no run when its time is over, and reports a run that fails", async () => {
    expect(await inflictFaults(KINDS, { ...OPTIONS, seconds: 0 })).toEqual([]);
    const bad = { ...OPTIONS, runs: 1, shape: "9x9" };
    const [{ failures } = { failures: [] }] = await inflictFaults(["claims-deleted"], bad);
    expect(failures).toHaveLength(1);
  });
});

describe("a log", () => {
  const waiting = (error: string) =>
    JSON.stringify({ level: 40, worker: "a-1", error, msg: "waiting for Redis" });

  it("is right if it is short and says what happened", () => {
    expect(logFaults(logLines(`${waiting("ECONNREFUSED")}\n{"msg":"Redis is back"}\n`))).toEqual(
      [],
    );
  });

  it.each([
    "Stream isn't writeable and enableOfflineQueue options is false",
    "Connection is closed.",
    'Reached the max retries per request limit (which is 0). Refer to "maxRetriesPerRequest"',
  ])("may not repeat %s", (error) => {
    const [fault, ...others] = logFaults([waiting("ECONNREFUSED"), waiting(error), waiting(error)]);
    expect(fault).toMatch(/^2 lines have "/);
    for (const other of others) expect(other).toMatch(/^2 lines have "/);
  });

  it("may not have stacks and warnings of Node", () => {
    const warning = "(node:4711) MaxListenersExceededWarning: Possible EventEmitter memory leak";
    expect(logFaults([warning, "    at Redis.connect (redis.js:1:1)"])).toHaveLength(2);
  });

  it("has fewer than 1000 lines", () => {
    const lines = Array.from({ length: 1000 }, () => waiting("ECONNREFUSED"));
    expect(logFaults(lines)).toEqual(["1000 log lines; expected fewer than 1000"]);
    expect(logFaults(lines.slice(1))).toEqual([]);
  });
});

describe("the end of a run", () => {
  const expected = '[["2 2/0 0",8]]';

  /** Starts a command that runs a script in a folder. */
  function command(script: string) {
    const folder = temporaryFolder();
    const file = join(folder, "command.js");
    writeFileSync(file, script);
    const started = new Process(file, [], { cwd: folder });
    onTestFinished(() => started[Symbol.asyncDispose]());
    return { started, folder };
  }

  it("is right with the values of an undisturbed run", async () => {
    const output = JSON.stringify({ starts: [{ board: "2 2/0 0", value: 8 }] });
    const { started: solve } = command(`console.log(${JSON.stringify(output)})`);
    expect(await solveFaults({ solve }, expected)).toEqual([]);
    expect(await solveFaults({ solve }, "[]")).toEqual(["other values"]);
    expect(await solveFaults({ solve, fails: /OOM/ }, expected)).toEqual([
      "the solve ended with 0, expected 1 and /OOM/: nothing logged",
    ]);
  });

  it("is right with exit code 1 and the reason, if it must fail", async () => {
    const { started: solve } = command('console.error("error: OOM"); process.exit(1)');
    expect(await solveFaults({ solve, fails: /OOM/ }, expected)).toEqual([]);
    expect(await solveFaults({ solve, fails: /NOPERM/ }, expected)).toHaveLength(1);
    expect(await solveFaults({ solve }, expected)).toEqual(["the solve ended with 1: error: OOM"]);
    expect(await workerFaults([solve], { workersFail: /OOM/ }, 10_000)).toEqual([]);
    expect(await workerFaults([solve], {}, 10_000)).toEqual([
      "worker 1 ended by itself with 1: error: OOM",
    ]);
  });

  it("is right if workers end on SIGTERM, and no process is left", async () => {
    const stays = "setInterval(() => {}, 1000); console.error('ready');";
    const polite = command(`process.on("SIGTERM", () => process.exit(0)); ${stays}`);
    expect(await workerFaults([polite.started], {}, 10_000)).toEqual([]);
    const deaf = command(`process.on("SIGTERM", () => {}); ${stays}`);
    expect(await workerFaults([deaf.started], {}, 100)).toEqual([
      "worker 1 has not ended 0.1 s later: ready",
    ]);
    expect(leftBehind(polite.folder)).toEqual([]);
    if (process.platform === "linux") {
      expect(leftBehind(deaf.folder)).toEqual([`processes left behind: ${deaf.started.child.pid}`]);
    }
  });
});

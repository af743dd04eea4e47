import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  checkLog,
  checkNothingRuns,
  checkSolve,
  checkWorkers,
  FAULT_KINDS,
  inflictFaults,
  Process,
  temporaryFolder,
} from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";

it("the kinds of fault say what happens", () => {
  for (const [name, { what, times }] of Object.entries(FAULT_KINDS)) {
    expect(name).toMatch(/^[a-z0-9-]+$/);
    expect(what.length).toBeGreaterThan(10);
    expect(times).toBeGreaterThan(0);
  }
});

describe("a series of faults", () => {
  const KINDS = ["changed-weights", "changed-certificate"];
  const OPTIONS = { seed: 1, jobs: 1, runs: 2 };

  it("has kinds take turns, and repeats no run that is known", async () => {
    const told: string[] = [];
    const all = await inflictFaults(KINDS, OPTIONS, ({ kind, run }) => told.push(`${kind} ${run}`));
    expect(all.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(told.slice(0, 2)).toEqual(KINDS.map((kind) => `${kind} 1`));
    expect(told).toHaveLength(4);
    const known = all.filter(({ run }) => run === 1);
    const again = await inflictFaults(KINDS, OPTIONS, undefined, known);
    const plain = (reports: typeof all) =>
      reports.map(({ kind, run, outcome }) => `${kind} ${run} ${outcome}`).sort();
    expect(plain(again)).toEqual(plain(all));
    expect(again.slice(0, 2)).toEqual(known);
  });

  it("reports a run that fails", async () => {
    const bad = { ...OPTIONS, runs: 1, shape: "9x9" };
    const [report] = await inflictFaults(["solve-killed"], bad);
    expect(report).toMatchObject({ outcome: "failed", failure: expect.stringContaining("9x9") });
  });
});

describe("a log", () => {
  const waiting = (error: string) =>
    JSON.stringify({ level: 40, worker: "a-1", error, msg: "waiting for Redis" });

  it("is right if it is short and says what happened", () => {
    checkLog([waiting("ECONNREFUSED"), '{"msg":"Redis is back"}']);
  });

  it.each([
    "Stream isn't writeable and enableOfflineQueue options is false",
    "Connection is closed.",
    'Reached the max retries per request limit (which is 0). Refer to "maxRetriesPerRequest"',
    "(node:4711) MaxListenersExceededWarning: Possible EventEmitter memory leak",
    "    at Redis.connect (redis.js:1:1)",
  ])("may not have %s", (error) => {
    const line = waiting(error);
    expect(() => checkLog([waiting("ECONNREFUSED"), line, line])).toThrow(
      `2 log lines for no user, such as ${line}`,
    );
  });

  it("has fewer than 1000 lines", () => {
    const lines = Array.from({ length: 1000 }, () => waiting("ECONNREFUSED"));
    expect(() => checkLog(lines)).toThrow("1000 log lines; expected fewer than 1000");
    checkLog(lines.slice(1));
  });
});

describe("the end of a run", () => {
  /** Starts a command that runs a script in a folder. */
  function command(script: string) {
    const folder = temporaryFolder();
    const file = join(folder, "command.js");
    writeFileSync(file, script);
    const started = new Process(file, [], { cwd: folder });
    onTestFinished(() => started[Symbol.asyncDispose]());
    return { started, folder };
  }

  it("is right with the published values", async () => {
    const results = new URL("../../../results/2x2.json", import.meta.url);
    const { started: solve } = command(
      `import("node:fs").then((fs) => console.log(fs.readFileSync(${JSON.stringify(fileURLToPath(results))}, "utf8")))`,
    );
    await checkSolve(solve, "2x2");
    await expect(checkSolve(solve, "2x3")).rejects.toThrow("other values");
    await expect(checkSolve(solve, "2x2", /OOM/)).rejects.toThrow(
      "the solve ended with 0, expected 1 and /OOM/: nothing logged",
    );
  });

  it("is right with exit code 1 and the reason, if it must fail", async () => {
    const { started: solve } = command('console.error("error: OOM"); process.exit(1)');
    await checkSolve(solve, "2x2", /OOM/);
    await expect(checkSolve(solve, "2x2", /NOPERM/)).rejects.toThrow("expected 1 and /NOPERM/");
    await expect(checkSolve(solve, "2x2")).rejects.toThrow(
      "the solve ended with 1, expected 0: error: OOM",
    );
    await checkWorkers([solve], /OOM/, 10_000);
    await expect(checkWorkers([solve], undefined, 10_000)).rejects.toThrow(
      "worker 1 ended with 1, expected 0: error: OOM",
    );
  });

  it("is right if workers end on SIGTERM, and no process is left", async () => {
    const stays = "setInterval(() => {}, 1000); console.error('ready');";
    const polite = command(`process.on("SIGTERM", () => process.exit(0)); ${stays}`);
    await checkWorkers([polite.started], undefined, 10_000);
    checkNothingRuns(polite.folder);
    const deaf = command(`process.on("SIGTERM", () => {}); ${stays}`);
    await expect(checkWorkers([deaf.started], undefined, 100)).rejects.toThrow(
      "worker 1 has not ended 0.1 s later: ready",
    );
    if (process.platform === "linux") {
      const left = `processes left behind: ${deaf.started.child.pid}`;
      expect(() => checkNothingRuns(deaf.folder)).toThrow(left);
    }
  });
});

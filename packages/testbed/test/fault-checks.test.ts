import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  checkLog,
  checkNothingRuns,
  checkSolve,
  checkWorkers,
  Process,
  temporaryFolder,
} from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";

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

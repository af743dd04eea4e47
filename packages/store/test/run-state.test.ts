import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type Run, stateOfRun, thisProcess } from "../src/index.js";

const STARTED = Date.parse("2026-01-01T00:00:00Z");

/** Returns the state of a run of a process, so many seconds after its last record. */
function stateAfter(seconds: number, process: unknown): string {
  const run: Run = {
    id: 1,
    game: { shape: { rows: 2, cols: 2 }, tiles: [2, 4] },
    version: "",
    machine: "",
    options: { process },
    positions: 0,
    afterstates: 0,
    seconds: 5,
    outcome: "unfinished",
    question: null,
    started: new Date(STARTED).toISOString(),
  };
  return stateOfRun(run, STARTED + 1000 * (5 + seconds));
}

describe("an unfinished run", () => {
  it("runs as long as its process is there, even if it is too busy to record anything", () => {
    expect(stateAfter(60, thisProcess())).toBe("running");
    // By then another process may have its number.
    expect(stateAfter(3600, thisProcess())).toBe("unfinished");
  });

  it("has ended as soon as its process is gone", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    expect(stateAfter(0, { ...thisProcess(), pid })).toBe("unfinished");
  });

  it.each([[{ host: "another machine", pid: 1 }], [undefined]])(
    "of %j has ended when it records nothing any more",
    (process) => {
      expect(stateAfter(10, process)).toBe("running");
      expect(stateAfter(20, process)).toBe("unfinished");
    },
  );
});

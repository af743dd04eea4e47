import { mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { TemporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { DemandRuns } from "../src/demand-runs.js";

const OPEN = "/proc/self/fd";

/** Returns the files that this process has open in a folder. */
function openIn(folder: string): string[] {
  return readdirSync(OPEN).flatMap((name) => {
    try {
      const file = readlinkSync(join(OPEN, name));
      return file.startsWith(folder) ? [file] : [];
    } catch {
      return []; // closed since
    }
  });
}

describe.runIf(process.platform === "linux")("demands in files", () => {
  it("are closed if one of them cannot be opened", () => {
    using folder = new TemporaryFolder();
    const path = join(folder.path, "x");
    mkdirSync(`${path}.demands-1`);
    expect(() => new DemandRuns(path, { 0: [0], 2: [0] })).toThrow("x.demands-1");
    expect(openIn(folder.path)).toEqual([]);
  });
});

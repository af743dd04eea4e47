import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CHANGED_FILES,
  FAULT_RUNS,
  gridlock,
  json,
  readChanged,
  resealColumn,
  temporaryFolder,
} from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder whose database has 2×2 and 2×3, solved and proven. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  for (const shape of ["2x2", "2x3"]) {
    await json(folder, ["solve", shape, "--json"]);
    await json(folder, ["prove", shape, "--json"]);
  }
});

const FILE = "results/gridlock.2x2.certificate";

describe("Ctrl-C", () => {
  it.each([
    ["opens the database", "1 user_version", ["verify"]],
    ["checks that the database is intact", "1 integrity_check", ["verify"]],
    ["reads the starts", "1 FROM start", ["verify"]],
    ["reads a certificate's file", "1 readSync", ["verify", "--certificate", FILE]],
  ])("ends verify at once while it %s", async (_, at, args) => {
    const { code, signal, stderr } = await gridlock(folder, args, { interrupt: { at } });
    expect({ code, signal, stderr }).toEqual({ code: null, signal: "SIGINT", stderr: "" });
  });
});

describe("a tabulation with boards that no play makes", () => {
  it("is refused with a sentence, though its checksums are right", async () => {
    const folder = temporaryFolder();
    await gridlock(folder, ["solve", "2x2"]);
    await gridlock(folder, ["tabulate", "2x2", "--quiet"]);
    const file = join(folder, "results/gridlock.2x2.positions");
    const bytes = readFileSync(file);
    bytes.writeUInt16LE(0xffff, 58); // the first board
    resealColumn(bytes);
    writeFileSync(file, bytes);
    const { code, stderr } = await gridlock(folder, [
      "analyze",
      "2x2",
      "--workers",
      "1",
      "--quiet",
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: a file of the tabulation has contents that no sweep writes, /);
  });
});

describe("files of all formats, changed at random", () => {
  async function testChanges(runs: number): Promise<void> {
    const ends = new Set<string>();
    for (const format of Object.keys(CHANGED_FILES) as (keyof typeof CHANGED_FILES)[]) {
      const all = await readChanged(format, temporaryFolder(), runs);
      for (const end of all) ends.add(`${format} ${end}`);
    }
    expect(ends.size).toBeGreaterThan(20);
  }

  it("give right values or a sentence, and no other files change", () => testChanges(8));
  it("do so after many changes", { tags: ["long"], timeout: 600_000 }, () => testChanges(100));
  it.runIf(FAULT_RUNS > 0)(
    "do so after hundreds of changes",
    { tags: ["fault"], timeout: 3_600_000 },
    () => testChanges(500 * FAULT_RUNS),
  );
});

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GRIDLOCK, gridlock, temporaryFolder } from "@gridlock/testbed";
import { expect, it } from "vitest";

it("exports the published tables of 2x2", async () => {
  const folder = temporaryFolder();
  await gridlock(folder, ["solve", "2x2", "--workers", "1"]);
  for (const format of ["md", "csv"]) {
    const { code, stdout } = await gridlock(folder, ["export", "2x2", "--format", format]);
    expect(code).toBe(0);
    const published = readFileSync(
      new URL(`../../../results/2x2.${format}`, import.meta.url),
      "utf8",
    );
    const withoutRun = (text: string) => text.replace(/\sLast run: [\s\S]*?\)\.\n/, "\n");
    expect(withoutRun(stdout)).toBe(withoutRun(published));
  }
});

const PYTHON = spawnSync("python3", ["--version"]).status === 0;

it.skipIf(!PYTHON)("publishes CSV that Python's csv.DictReader reads as the JSON beside it", () => {
  const program = `
import csv, glob, json, sys
for file in glob.glob("results/**/*.csv", recursive=True):
    with open(file, newline="") as table:
        rows = list(csv.DictReader(table))
    with open(file[:-3] + "json") as twin:
        starts = json.load(twin)["starts"]
    number = lambda text: int(text) if text else None
    assert [(row["start"], number(row["value"]), number(row["lo"]), number(row["hi"])) for row in rows] == [
        (start["board"], start["value"], start["lo"], start["hi"]) for start in starts], file
    assert [row["line"] for row in rows] == [" ".join(start["line"] or []) for start in starts], file
    assert [row["end"] or None for row in rows] == [start["end"] for start in starts], file
    print(file)
`;
  const cwd = new URL("../../..", import.meta.url);
  const { stdout, stderr } = spawnSync("python3", ["-c", program], { cwd, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toContain("results/3x3.csv");
});

it("draws best play as published, and only for a solved start", async () => {
  const folder = temporaryFolder();
  await gridlock(folder, ["solve", "3x3", "--workers", "1"]);
  const { code, stdout } = await gridlock(folder, ["export", "3x3", "--format", "svg"]);
  expect(code).toBe(0);
  expect(stdout).toBe(readFileSync(new URL("../../../results/3x3.svg", import.meta.url), "utf8"));
  expect(stdout).toContain("<title>Best play on 3x3 from 2 2 0/0 0 0/0 0 0: 184 points</title>");

  await gridlock(folder, ["solve", "3x4", "--lower-bounds", "--for", "0.1s", "--workers", "1"]);
  const unsolved = await gridlock(folder, ["export", "3x4", "--format", "svg"]);
  expect(unsolved.code).toBe(2);
  expect(unsolved.stderr).toMatch(/^error: no start of 3x4 is solved yet/);
});

it("keeps the old file when the disk is too small for the new one", async () => {
  const folder = temporaryFolder();
  await gridlock(folder, ["solve", "3x3", "--workers", "1"]);
  const file = join(folder, "3x3.json");
  writeFileSync(file, "what was there");
  const before = readdirSync(folder).sort();
  // No file may become larger than 4 KiB; the table has 10.
  const { status, stderr } = spawnSync(
    "bash",
    [
      ...["-c", 'ulimit -f 4; exec "$@"', "bash", process.execPath, GRIDLOCK],
      ...["export", "3x3", "--format", "json", "--output", file],
    ],
    { cwd: folder, encoding: "utf8" },
  );
  expect(stderr).toMatch(/^error: --output .*3x3.json cannot be written \(file too large/);
  expect(status).toBe(1);
  expect(readFileSync(file, "utf8")).toBe("what was there");
  expect(readdirSync(folder).sort()).toEqual(before);
});

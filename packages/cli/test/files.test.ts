import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  beginSolves,
  GRIDLOCK,
  gridlock,
  json,
  Process,
  temporaryFolder,
  until,
} from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeResult } from "../src/output/result-files.js";

/** A folder whose database has 2×2 solved and proven. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  await json(folder, ["solve", "2x2", "--json"]);
  await json(folder, ["prove", "2x2", "--json"]);
});

/** Runs a line of bash with the command `gridlock`; a line that never ends fails the test. */
async function bash(line: string) {
  const script = `gridlock() { '${process.execPath}' '${GRIDLOCK}' "$@"; }\n${line}`;
  const ran = promisify(execFile)("bash", ["-c", script], { cwd: folder, timeout: 60_000 });
  const { stdout, stderr } = await ran.catch((error) => {
    if (error.killed || typeof error.code !== "number") throw error;
    return error as { stdout: string; stderr: string };
  });
  return { code: ran.child.exitCode, stdout, stderr };
}

describe("a standard output that its reader has closed", () => {
  it("ends an endless batch of queries", async () => {
    beginSolves(join(folder, "yes.db"), "2x3");
    const { stdout, stderr } = await bash(
      `yes '2 2 0/0 0 0' | gridlock query --db yes.db | head -n 1; echo "\${PIPESTATUS[1]}"`,
    );
    expect(stdout).toMatch(/^2 2 0\/0 0 0: 44, ends at .*\n141\n$/);
    expect(stderr).toBe("");
    const { games } = await json(folder, ["status", "--json", "--db", "yes.db"]);
    expect(games[0].exact).toBeGreaterThan(0);
  });

  it.each([
    ["export", "2x2"],
    ["query", "2 2/0 0"],
    ["solve", "2x2", "--quiet"],
    ["status"],
    ["verify"],
  ])("ends gridlock %s without a word", async (...args) => {
    await using command = new Process(GRIDLOCK, args, { cwd: folder });
    command.child.stdout.destroy();
    expect(await command.ended).toMatchObject({ code: 141, stderr: "" });
  });
});

describe.runIf(existsSync("/dev/full"))("a standard output without room", () => {
  it.each([
    "--help",
    "export 2x2",
    "prove 2x2",
    "query '2 2/0 0'",
    "query < <(echo 2 2/0 0)",
    "solve 2x2 --quiet",
    "status",
    "tabulate 2x2 --quiet",
    "verify",
  ])("ends gridlock %s with a sentence", async (command) => {
    expect(await bash(`gridlock ${command} > /dev/full`)).toEqual({
      code: 1,
      stdout: "",
      // On a slow machine, progress comes first.
      stderr: expect.stringMatching(
        /^(proof of .*\n)*error: cannot write to standard output: no space left on device\n$/,
      ),
    });
  });

  it("costs no values", async () => {
    expect((await bash("gridlock solve 2x3 --quiet > /dev/full")).code).toBe(1);
    const { nodes } = await json(folder, ["solve", "2x3", "--json"]);
    expect(nodes).toEqual({ positions: 0, afterstates: 0 });
  });

  it("does not disturb a command if only standard error is full", async () => {
    for (const command of ["solve 2x3 --fresh --yes", "status", "tabulate 2x2"]) {
      const { code, stdout } = await bash(`gridlock ${command} 2> /dev/full`);
      expect(code, command).toBe(0);
      expect(stdout).not.toBe("");
    }
    expect((await bash("gridlock nonsense 2> /dev/full")).code).toBe(2);
  });

  it("does not stop a service if its log is full", async () => {
    const logger = new URL("../dist/output/log.js", import.meta.url);
    const program = `import { loggerOf } from "${logger}";
const log = loggerOf({ logLevel: "info" });
for (let i = 0; i < 3; i++) log.info("a line");
process.stdout.write("still here");`;
    const line = `'${process.execPath}' --input-type=module -e '${program}' 2> /dev/full`;
    expect(await bash(line)).toMatchObject({ code: 0, stdout: "still here" });
  });
});

describe("too few file descriptors", () => {
  it.each([
    [20, "export 2x2"],
    [50, "query '2 2/0 0'"],
    [20, "solve 2x3 --fresh --yes"],
    [50, "status"],
    [20, "verify 2x2"],
  ])("%i: ends gridlock %s with a sentence", async (limit, command) => {
    const { code, stdout, stderr } = await bash(`ulimit -n ${limit}; gridlock ${command}`);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^error: .*too many open files.*ulimit -n\n$/);
  });
});

it("a solve whose run cannot be recorded ends with a sentence, its threads included", async () => {
  const file = join(folder, "full.db");
  await json(folder, ["solve", "2x2", "--json", "--db", file]);
  const sqlite = new Sqlite(file);
  const [page, bytes] = [
    "SELECT rootpage FROM sqlite_schema WHERE name = 'run'",
    "PRAGMA page_size",
  ].map((sql) => sqlite.prepare(sql).pluck().get() as number) as [number, number];
  sqlite.close();
  const contents = readFileSync(file);
  writeFileSync(file, contents.fill(0xff, (page - 1) * bytes, page * bytes));
  const { code, stderr } = await gridlock(folder, ["solve", "2x3", "--quiet", "--db", file]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: .*full\.db is damaged; .*\n$/);
});

it("a batch of queries answers all lines that it has, and then waits for more", async () => {
  await using query = new Process(GRIDLOCK, ["query", "--db", "wait.db"], { cwd: folder });
  query.child.stdin.write("2 2/0 0\n2 2/0 0\n2 2/0 0\n"); // and no end
  await until("three answers", () => query.stdout.split("\n").length === 4);
  query.child.stdin.end();
  expect((await query.ended).code).toBe(0);
  expect(query.stdout).toMatch(/^(2 2\/0 0: 12, ends at .*\n){3}$/);
});

it("writes no file of its own naming through a link or into a pipe", () => {
  const folder = temporaryFolder();
  const pathOf = (name: string) => join(folder, name);
  writeFileSync(pathOf("victim"), "precious");
  symlinkSync("victim", pathOf("link.md"));
  execFileSync("mkfifo", [pathOf("pipe.md")]);
  for (const name of ["link.md", "pipe.md"]) {
    expect(() => writeResult("--out", pathOf(name), "")).toThrow(/expected a regular file$/);
  }
  expect(readFileSync(pathOf("victim"), "utf8")).toBe("precious");
  writeResult("--output", pathOf("link.md"), "an export");
  expect(readFileSync(pathOf("victim"), "utf8")).toBe("an export");
});

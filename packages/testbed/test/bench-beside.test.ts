import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Process, temporaryFolder, until } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SCRIPT = fileURLToPath(new URL("../../../scripts/bench.js", import.meta.url));

/** Starts the benchmark with its temporary files in `folder`. */
function bench(folder: string, ...args: string[]): Process {
  return new Process(SCRIPT, args, { cwd: ROOT, env: { ...process.env, TMPDIR: folder } });
}

describe("the benchmark beside another revision", () => {
  it("builds the revision, measures both builds, and removes its files", async () => {
    const folder = temporaryFolder();
    const args = ["--beside", "HEAD", "--only", "start: --version", "--rounds", "1", "--json"];
    await using run = bench(folder, ...args);
    const { code, stdout, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" });
    const { results, ...about } = JSON.parse(stdout);
    expect(about).toMatchObject({ revision: "HEAD", commit: commit.trim(), rounds: 1 });
    expect(results).toHaveLength(1);
    const times = { wall: expect.any(Number), processor: expect.any(Number) };
    const build = { ...times, runs: [times] };
    expect(results[0]).toEqual({ name: "start: --version", other: build, now: build });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("removes its files when it is interrupted", async () => {
    const folder = temporaryFolder();
    await using run = bench(folder, "--beside", "HEAD");
    await until("it builds", () => run.stderr.includes("building HEAD"));
    expect(await run.kill("SIGINT")).toMatchObject({ code: 130, stdout: "" });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [["--beside", "no-such-revision"], "no-such-revision is not a revision of this repository"],
    [["--beside", "HEAD", "--only", "nothing"], "nothing to measure; --only takes part of one of"],
  ])("refuses %j", async (args, sentence) => {
    const folder = temporaryFolder();
    await using run = bench(folder, ...args);
    const { code, stderr } = await run.ended;
    expect(stderr).toMatch(new RegExp(`^error: ${sentence}`));
    expect(code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});

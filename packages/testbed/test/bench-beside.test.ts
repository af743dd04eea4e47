import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Process, temporaryFolder, until } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Starts the benchmark of a repository with its temporary files in `folder`. */
function bench(root: string, folder: string, ...args: string[]): Process {
  const env = { ...process.env, TMPDIR: folder };
  return new Process(join(root, "scripts/bench.js"), args, { cwd: root, env });
}

function git(root: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

/** Makes a repository with our scripts and a command that needs a package of its own and a build. */
function smallRepository(build: string): string {
  const root = temporaryFolder();
  const own = { name: "@gridlock/own", version: "1.0.0", type: "module", exports: "./own.js" };
  const all = { type: "module", workspaces: ["packages/own"], scripts: { prepare: build } };
  const link = { resolved: "packages/own", link: true };
  const packages = { "": all, "packages/own": own, "node_modules/@gridlock/own": link };
  for (const [file, text] of Object.entries({
    "package.json": JSON.stringify(all),
    "package-lock.json": JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
    "packages/own/package.json": JSON.stringify(own),
    "packages/own/own.js": "",
    "packages/cli/command.js": 'import "@gridlock/own";',
  })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  cpSync(join(ROOT, "scripts"), join(root, "scripts"), { recursive: true });
  git(root, "init", "--quiet");
  git(root, "add", ".");
  git(root, "-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "--message=all");
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  return root;
}

async function isMeasured(root: string): Promise<void> {
  const folder = temporaryFolder();
  const args = ["--beside", "HEAD", "--only", "start: --version", "--rounds", "1"];
  await using run = bench(root, folder, ...args);
  const { code, stdout, stderr } = await run.ended;
  expect(code, stderr).toBe(0);
  const rows = stdout.split("\n").filter((row) => row.startsWith("| start: --version"));
  expect(rows).toHaveLength(1);
  const time = "[\\d.]+ s \\| +[\\d.]+ s \\| +[\\d.]+";
  expect(rows[0]).toMatch(new RegExp(`\\| +${time} \\| +${time} \\| +[\\d.]+ MiB`));
  expect(readdirSync(folder)).toEqual([]);
}

describe("the benchmark beside another revision", () => {
  const measures = "builds the revision, measures both builds, and removes its files";
  it(measures, () =>
    isMeasured(smallRepository("cd packages/cli && mkdir bin && cp command.js bin/gridlock.js")),
  );
  // npm may have to compile the SQLite driver.
  const long = { tags: ["long"], timeout: 600_000 };
  it(`${measures}, in this repository`, long, () => isMeasured(ROOT));

  it("removes its files when it is interrupted", async () => {
    const folder = temporaryFolder();
    await using run = bench(smallRepository("sleep 100"), folder, "--beside", "HEAD");
    await until("it builds", () => run.stderr.includes("building HEAD"));
    expect(await run.kill("SIGINT")).toMatchObject({ code: 130, stdout: "" });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [["--beside", "no-such-revision"], 1, /^error: no-such-revision is not a revision of this rep/],
    [["--beside", "HEAD", "--only", "nothing"], 2, /^nothing to measure; --only takes part of one/],
  ])("refuses %j", async (args, expected, sentence) => {
    const folder = temporaryFolder();
    await using run = bench(ROOT, folder, ...args);
    const { code, stderr } = await run.ended;
    expect(stderr).toMatch(sentence);
    expect(code).toBe(expected);
    expect(readdirSync(folder)).toEqual([]);
  });
});

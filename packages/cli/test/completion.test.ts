import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GRIDLOCK, gridlock, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder with the scripts, each named after its shell. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stdout } = await gridlock(folder, ["completion", shell]);
    expect(code).toBe(0);
    writeFileSync(join(folder, shell), stdout);
  }
});

/** Returns bash's suggestions for the last of these words. */
function completed(...words: string[]): string[] {
  const script = `source ./bash
    complete -p gridlock > /dev/null || exit 1
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    gridlock() { "${process.execPath}" "${GRIDLOCK}" "$@"; }
    _gridlock gridlock
    printf '%s\n' "\${COMPREPLY[@]}"`;
  const args = ["-c", script, "bash", "gridlock", ...words];
  return execFileSync("bash", args, { cwd: folder, encoding: "utf8" }).trim().split("\n").sort();
}

/** The options in a command's `--help`. */
async function optionsOf(command: string): Promise<string[]> {
  const { stdout } = await gridlock(folder, [command, "--help"]);
  return [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)]
    .map(([, name]) => name as string)
    .sort();
}

describe("gridlock completion bash", () => {
  it("suggests commands, and options as --help lists them", async () => {
    const { stdout } = await gridlock(folder, ["--help"]);
    const [, list = ""] = stdout.split("Commands:");
    const commands = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name as string);
    const named = commands.filter((name) => name !== "help").sort();
    expect(named.length).toBeGreaterThan(12);
    expect(completed("").filter((word) => !word.startsWith("--"))).toEqual(named);
    expect(completed("qu")).toEqual(["query"]);
    for (const command of ["solve", "worker", "query"]) {
      const options = await optionsOf(command);
      expect(options.length).toBeGreaterThan(4);
      expect(completed(command, "--"), command).toEqual(options);
    }
    expect(completed("solve", "--without")).toEqual(["--without-bound"]);
  });

  it("suggests the values of options and arguments", () => {
    const formats = ["csv", "json", "md", "svg"];
    expect(completed("export", "--format", "")).toEqual(formats);
    expect(completed("export", "--format", "=", "s")).toEqual(["svg"]);
    expect(completed("export", "--format", "=")).toEqual(formats);
    expect(completed("solve", "3x")).toEqual(["3x3", "3x4"]);
    expect(completed("completion", "")).toEqual(["bash", "fish", "zsh"]);
    expect(completed("solve", "--memory", "")).toEqual([""]);
    expect(completed("solve", "--db", "z")).toEqual([""]); // bash suggests files
    expect(completed("nonsense", "")).toEqual([""]);
    expect(completed("variants", "2x3", "pass")).toEqual(["passes=6"]);
    expect(completed("play", "3x3", "--player", "zaky-e")).toEqual(["zaky-expectimax"]);
    expect(completed("play", "3x3", "--placer", "per")).toEqual(["perfect"]);
    expect(completed("paper", "table")).toEqual(["table1", "table2", "table3", "table4"]);
    expect(completed("paper", "players", "zaky", "--most-g")).toEqual(["--most-games"]);
  });
});

describe.each(["bash", "zsh", "fish"])("gridlock completion %s", (shell) => {
  it("is free of errors of syntax, where the shell is installed", () => {
    const { error, status, stderr } = spawnSync(shell, ["-n", shell], {
      cwd: folder,
      encoding: "utf8",
    });
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

it("gridlock completion zsh and fish have descriptions, and take --option=value for one word", async () => {
  const suggested = async (...words: string[]) =>
    (await gridlock(folder, ["completion", ...words])).stdout;
  expect(await suggested("fish", "--", "que")).toMatch(
    /^query\tprint the value of a board [^\n]*\n$/,
  );
  expect(await suggested("zsh", "--", "solve", "--yes")).toMatch(/^--yes:do not ask [^\n]*\n$/);
  expect(await suggested("fish", "--", "export", "--format=s")).toBe("--format=svg\t\n");
});

it("gridlock completion refuses other shells", async () => {
  const { code, stderr } = await gridlock(folder, ["completion", "cmd"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: SHELL: expected bash, zsh, fish, not "cmd"$/m);
});

import { spawnSync } from "node:child_process";
import { GRIDLOCK, gridlock, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/** GiB of address space, less than a search reserves, and more than Node.js needs. */
const LITTLE = 8;
/** GiB that a new search with two threads, or a sweep, needs, as measured, and a little more. */
const ENOUGH = { solve: 26, tabulate: 16 };
/** The option of Node.js with which V8 reserves no more than a memory may use. */
const NO_RESERVE = "--disable-wasm-trap-handler";

/** Runs the command with this much address space, as batch systems limit it. */
function limited(cwd: string, args: readonly string[], gib = LITTLE, options = "") {
  const quoted = [process.execPath, GRIDLOCK, ...args].map((arg) => `'${arg}'`).join(" ");
  const script = `ulimit -c 0 && ulimit -v ${gib * 2 ** 20} && exec ${quoted}`;
  const env = { ...process.env, NODE_OPTIONS: options };
  return spawnSync("sh", ["-c", script], { cwd, env, encoding: "utf8" });
}

describe.runIf(process.platform === "linux")("little address space", () => {
  const START = "2 2/0 0";
  const REMEDY = /limited to 8.5 GB \(ulimit -v\).*NODE_OPTIONS=--disable-wasm-trap-handler/;
  const NO_THREAD = /^error: there is no room for another thread: .* limited to .* \(ulimit -v\)/m;

  it("is enough for stored values", async () => {
    const folder = temporaryFolder();
    await gridlock(folder, ["solve", "2x2", "--db", "x.db"]);
    const { status, stdout, stderr } = limited(folder, ["query", START, "--db", "x.db", "--json"]);
    expect([status, JSON.parse(stdout).value]).toEqual([0, 12]);
    expect(stderr).toMatch(REMEDY);
    const other = limited(folder, ["query", "2 2/0 4 placer", "--db", "y.db", "--json"]);
    expect(JSON.parse(other.stdout)).toMatchObject({
      value: null,
      unsearched: expect.stringMatching(REMEDY),
    });
    for (const command of ["status", "export 2x2"]) {
      const shown = limited(folder, [...command.split(" "), "--db", "x.db"]);
      expect([shown.status, shown.stderr]).toEqual([0, ""]);
    }
  });

  it("is named, with the remedy, where it is too little", () => {
    for (const args of ["solve 2x2", "tabulate 2x2"]) {
      const { status, stderr } = limited(temporaryFolder(), args.split(" "));
      expect([args, status]).toEqual([args, 1]);
      expect(stderr).toMatch(REMEDY);
    }
  });

  it("is enough for a search without V8's reserve", () => {
    const solved = limited(temporaryFolder(), ["solve", "2x2"], LITTLE, NO_RESERVE);
    expect([solved.status, solved.stdout]).toEqual([0, expect.stringMatching(/^2 2.0 0 +12 /m)]);
  });

  it("is reserved for as few memories as possible", () => {
    for (const command of ["solve", "tabulate"] as const) {
      const args = [command, "2x4", "--workers", "2"];
      const { status, stderr } = limited(temporaryFolder(), args, ENOUGH[command]);
      expect([command, status, stderr]).toEqual([command, 0, expect.not.stringMatching(/error/)]);
    }
  });

  it("is checked before a thread starts, which V8 would abort", () => {
    const memory = ["--memory", "512M", "--workers", "2"];
    for (const args of ["solve 2x4", "tabulate 2x4"]) {
      for (const gib of [1.5, 2]) {
        const all = [...args.split(" "), ...memory];
        const { status, stderr } = limited(temporaryFolder(), all, gib, NO_RESERVE);
        expect([args, gib, status, stderr]).toEqual([
          ...[args, gib, 1],
          expect.stringMatching(/^error: .* \(ulimit -v\).*Raise the limit/m),
        ]);
      }
    }
    // There is room for the memory of a search, but not for all of its threads.
    const { status, stderr } = limited(temporaryFolder(), ["solve", "2x2"], 11.5);
    expect([status, stderr]).toEqual([1, expect.stringMatching(NO_THREAD)]);
  });
});

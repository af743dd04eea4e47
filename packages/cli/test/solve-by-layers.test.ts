import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

interface Start {
  readonly value: number;
}

describe("gridlock solve --method layers", () => {
  it("finds the values and lines that the search finds", async () => {
    const layers = await json(temporaryFolder(), ["solve", "3x2", "--method", "layers", "--json"]);
    const search = await json(temporaryFolder(), ["solve", "3x2", "--json"]);
    const values = ({ starts }: typeof layers) =>
      starts.map(({ board, value }: Start & { board: string }) => [board, value]);
    expect(values(layers)).toEqual(values(search));
    expect(layers.nodes.afterstates).toBeGreaterThan(0);
    expect(layers.starts[0].line.length).toBeGreaterThan(0);
  });

  it("is stopped by Ctrl-C, resumed by the same command, and forgotten with --fresh", async () => {
    const folder = temporaryFolder();
    const args = ["solve", "2x5", "--method", "layers", "--guess", "196"];
    const stopped = await gridlock(folder, args, {
      during: (child) => {
        child.stderr?.once("data", () => setTimeout(() => child.kill("SIGINT"), 1000));
      },
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain("run the same command to resume");
    const resumed = await json(folder, [...args, "--json"]);
    expect(new Set(resumed.starts.map(({ value }: Start) => value))).toEqual(new Set([188, 192]));
    const layers = join(folder, "results/gridlock.2x5.layers");
    expect(existsSync(layers)).toBe(true);
    const fresh = await gridlock(folder, ["solve", "2x5", "--fresh", "--yes", "--for", "1s"]);
    expect([0, 3]).toContain(fresh.code); // a fast machine may solve it
    expect(existsSync(layers)).toBe(false);
  });

  it("refuses options that exclude each other, and too little memory", async () => {
    const folder = temporaryFolder();
    for (const [args, words] of [
      [["--seed", "1"], /--method layers cannot be combined with --seed/],
      [["--check"], /--method layers cannot be combined with --check/],
      [["--lower-bounds"], /--method layers cannot be combined with --lower-bounds/],
      [
        ["--redis", "redis://127.0.0.1"],
        /^error: --redis cannot be combined with --method layers\n$/,
      ],
      [["--memory", "64M"], /--memory of [\d,]+ bytes is too little; expected at least/],
    ] as const) {
      const { code, stderr } = await gridlock(folder, [
        ...["solve", "2x3", "--method", "layers"],
        ...args,
      ]);
      expect(code).toBe(2);
      expect(stderr).toMatch(words);
    }
  });

  it("splits blocks, and continues only a proof with the same --split", async () => {
    const folder = temporaryFolder();
    const solve = ["solve", "2x3", "--method", "layers", "--json"];
    const split = await json(folder, [...solve, "--split", "4"]);
    const unsplit = await json(temporaryFolder(), solve);
    const valuesOf = ({ starts }: typeof split) => starts.map(({ value }: Start) => value);
    expect(valuesOf(split)).toEqual(valuesOf(unsplit));
    expect(split.nodes).not.toEqual(unsplit.nodes);
    const [start] = split.starts;
    rmSync(join(folder, "results/gridlock.db"));
    const { value } = await json(folder, ["query", start.board, "--json"]); // from the files
    expect(value).toBe(start.value);
    const other = await gridlock(folder, [...solve, "--split", "2"]);
    expect(other.stderr).toMatch(
      /was begun with --split 4, not 2; delete the folder to start over/,
    );
    expect(other.code).toBe(2);
    const wrong = await gridlock(folder, [...solve, "--split", "3"]);
    expect(wrong.stderr).toMatch(/expected a power of two from 1 to 32, not "3"/);
    expect(wrong.code).toBe(2);
    expect(valuesOf(await json(folder, solve))).toEqual(valuesOf(split));
    expect((await gridlock(folder, ["verify", "2x3"])).code).toBe(0);
  });

  it("continues a proof that was begun", async () => {
    const folder = temporaryFolder();
    const solve = ["solve", "3x4", "--memory", "512M", "--workers", "1"];
    const args = [...solve, "--for", "1s"];
    const begun = await gridlock(folder, [...args, "--method", "layers"]);
    expect(begun.stderr).toContain("layer by layer");
    expect(begun.code).toBe(3);
    const secondsOf = async () =>
      (await json(folder, ["status", "--json"])).games[0].layers.seconds as number;
    const before = await secondsOf();
    let again = await gridlock(folder, [...solve, "--for", "4s"]);
    // A slow machine may need most of a short time to begin.
    for (let seconds = 8; !again.stderr.includes("0/80 starts"); seconds *= 2) {
      again = await gridlock(folder, [...solve, "--for", `${seconds}s`]);
    }
    expect(again.stderr).toMatch(/^resuming after [\d.,]+ ?\w? nodes and [\d.]+ m?s, in round 1$/m);
    expect(before).toBeGreaterThan(0);
    expect(await secondsOf()).toBeGreaterThan(before);
    expect(again.stderr).toMatch(
      /^3x4: 0\/80 starts, [\d.]+ s in all, .* nodes in round 1, (about .* left, )?.* open$/m,
    );
    const other = await gridlock(folder, [...args, "--seed", "1"]);
    expect(other.stderr).not.toContain("layer by layer");
  });

  it("refuses a shape whose files do not fit onto the disk", async () => {
    const { code, stderr } = await gridlock(temporaryFolder(), [
      ...["solve", "4x4", "--method", "layers"],
      ...["--memory", "256M", "--workers", "1"],
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/needs --force|of disk/);
  });
});

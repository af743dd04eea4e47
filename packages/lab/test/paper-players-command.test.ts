import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GRIDLOCK, gridlock, json, Process, temporaryFolder, until } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder with a tabulation of 2×2. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  await json(folder, ["tabulate", "2x2", "--json"]);
});

const SMALL = ["--shapes", "2x2", "--most-games", "300"];

describe("gridlock paper players", () => {
  it("measures players exactly, as games do, and writes Markdown, JSON and charts", async () => {
    const args = ["paper", "players", "exact", "moves", ...SMALL, "--quiet"];
    const { code, stdout, stderr } = await gridlock(folder, args);
    expect(stderr).toBe("");
    expect(stdout).toBe("");
    expect(code).toBe(0);
    const out = join(folder, "results/players");
    expect(readdirSync(out).sort()).toEqual([
      "exact-2x2.svg",
      "exact.json",
      "exact.md",
      "moves.json",
      "moves.md",
    ]);
    const read = (name: string) => readFileSync(join(out, name), "utf8");
    expect(read("exact.md")).toContain(
      "Made by `npx gridlock paper players exact --most-games 300 --shapes 2x2` on ",
    );
    expect(read("exact.md")).toContain("![2x2: expected score,");
    const [{ shape, rows }] = JSON.parse(read("exact.json")).shapes;
    expect(shape).toBe("2x2");
    expect(rows.length).toBeGreaterThan(70);
    const row = (name: string) =>
      rows.find(({ player }: { readonly player: string }) => player === name);
    // The values of 2×2: 12 from two 2s, 8 from all other starts.
    expect(row("perfect").heldTo).toEqual({ least: 8, mean: 28 / 3, most: 12 });
    expect(row("perfect-ordinary").expected).toBeCloseTo(66.96, 2);
    expect(row("emr").expected).toBeLessThan(row("perfect-ordinary").expected);

    const [moves] = JSON.parse(read("moves.json")).shapes;
    expect(moves.positions).toBe(74);
    const perfect = moves.players.find(({ player }: { player: string }) => player === "perfect");
    expect(perfect.againstPlacer).toMatchObject({ meanCost: 0, maxCost: 0, costliest: null });
    expect(perfect.againstPlacer.best).toBeCloseTo(1, 9);

    for (const player of ["r", "emr", "greedy", "perfect", "perfect-ordinary"]) {
      const games = ["--player", player, "--games", "1000", "--workers", "1", "--json"];
      const { mean, error } = await json(folder, ["play", "2x2", ...games]);
      expect(Math.abs(mean - row(player).expected), player).toBeLessThan(4 * error);
    }
  });

  it("reports its progress and the files that it wrote", async () => {
    const args = ["paper", "players", "moves", "--shapes", "2x2", "--most-games", "1"];
    const { code, stdout, stderr } = await gridlock(folder, [...args, "--out", "here"]);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/wrote here\/moves\.md in /);
  });

  it("keeps the results of finished experiments when it is interrupted", async () => {
    const args = ["paper", "players", "moves", "strategies", ...SMALL, "--out", "cut"];
    await using command = new Process(GRIDLOCK, args, { cwd: folder });
    await until("an experiment is finished", () => existsSync(join(folder, "cut/moves.md")));
    const { code, stderr } = await command.kill("SIGINT");
    expect(stderr).toContain("stopping; finished experiments are written");
    expect(stderr).not.toContain("Warning");
    expect(code).toBe(130);
    expect(readdirSync(join(folder, "cut")).sort()).toEqual(["moves.json", "moves.md"]);
  });

  it.each([
    [["nonsense"], /there is no experiment "nonsense"; expected strategies, estimate, gradient, /],
    [
      ["exact", "--shapes", "2x2,2x3"],
      /this experiment needs a tabulation of 2x3 beside results\/gridlock\.db; run gridlock tabulate 2x3 first/,
    ],
    [["exact", "--shapes", "2x5"], /--shapes has 2x5; expected at most 9 cells/],
    [["exact", "--shapes", "2by2"], /--shapes: "2by2" is not a shape/],
    [["zaky", "--most-games", "0"], /expected a whole number from 1/],
    [["zaky", "--out", "/dev/null/x"], /--out \/dev\/null\/x cannot be used/],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await gridlock(folder, ["paper", "players", ...args]);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder with a tabulation of 2×3. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  await json(folder, ["tabulate", "2x3", "--json"]);
});

describe("gridlock assess", () => {
  it("prints a player's scores from each start, beside the values", async () => {
    const found = await json(folder, ["assess", "2x3", "--player", "emr", "--moves", "--json"]);
    const tabulated = await json(folder, ["tabulate", "2x3", "--json"]);
    expect(found).toMatchObject({ player: "emr", shape: "2x3", tiles: [2, 4] });
    expect(found.optimum).toBeCloseTo(tabulated.expected, 6);
    expect(found.expected).toBeLessThan(found.optimum);
    expect(found.starts).toHaveLength(20);
    for (const [i, start] of found.starts.entries()) {
      const { board, value } = tabulated.starts[i];
      expect(start).toMatchObject({ board, value });
      expect(start.heldTo).toBeLessThanOrEqual(value);
      expect(start.heldToWorstTie).toBeLessThanOrEqual(start.heldTo);
      expect(start.expected).toBeGreaterThan(start.heldTo);
    }
    const { positions, againstPlacer, againstChance } = found.moves;
    expect(positions).toBe(tabulated.positions - tabulated.terminal);
    for (const { best, maxCost, costliest } of [againstPlacer, againstChance]) {
      expect(best).toBeGreaterThan(0.5);
      expect(best).toBeLessThan(1);
      expect(maxCost).toBeGreaterThan(0);
      expect(costliest).toMatch(/^\d+ \d+ \d+\/\d+ \d+ \d+$/);
    }
  });

  it("prints a table, and names missing values", async () => {
    const args = ["assess", "2x3", "--player", "perfect"];
    const { stdout, stderr } = await gridlock(folder, args);
    expect(stdout).toMatch(/^2 2 0\/0 0 0 +44 +44 +44 +0 +\d+\.\d\d$/m);
    expect(stdout).toMatch(
      /perfect expects \d+\.\d\d points, \d+\.\d % of the optimum of 480\.26\.$/m,
    );
    expect(stderr).not.toContain("missing");
    const other = await gridlock(folder, ["assess", "3x1", "--player", "greedy"]);
    expect(other.stderr).toContain("values are missing; gridlock tabulate 3x1 finds them");
    expect(other.stdout).toMatch(/^2\/2\/0 +– +\d+ +\d+ +– +\d/m);
  });

  it("searches shapes that are too large for a sweep", async () => {
    const found = await json(folder, ["assess", "3x4", "--player", "emr", "--json"]);
    expect(found).toMatchObject({ player: "emr", expected: null, optimum: null });
    expect(found.starts).toHaveLength(80);
    for (const { value, heldTo, heldToWorstTie, atLeast } of found.starts) {
      expect(value).toBeNull();
      expect(heldTo).toBeNull();
      expect(heldToWorstTie).toBe(atLeast);
    }
  });

  it("stops on Ctrl-C", async () => {
    const args = ["assess", "2x4", "--player", "random"];
    const { code, stdout, stderr } = await gridlock(folder, args, { interrupt: true });
    expect(code).toBe(130);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^stopping; nothing is printed$/m);
  });

  it.each([
    [["2x3"], /required option '--player <name>' not specified/],
    [["2x3", "--player", "nobody"], /there is no player "nobody"/],
    [["2x4", "--player", "perfect"], /run gridlock tabulate 2x4 first/],
    [
      ["2x4", "--player", "emr", "--moves"],
      /--moves needs a tabulation; run gridlock tabulate 2x4/,
    ],
    [["3x4", "--player", "emr", "--moves"], /--moves needs every position of the shape/],
  ])("refuses %s", async (args, message) => {
    const { code, stderr } = await gridlock(folder, ["assess", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("names the position in which a player breaks the rules", async () => {
    writeFileSync(join(folder, "bad.mjs"), 'export default () => "up";');
    const { code, stderr } = await gridlock(folder, ["assess", "2x2", "--player", "./bad.mjs"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/bad\.mjs returned 'up' in the position \d \d\/\d \d; expected one of/);
  });
});

describe("gridlock query --player", () => {
  it("prints a player's choices and their cost", async () => {
    const board = "2 2 4/8 4 4";
    const args = ["query", board, "--player", "random"];
    const { moves, player } = await json(folder, [...args, "--json"]);
    expect(player.name).toBe("random");
    expect(player.choices.map(({ move }: { move: string }) => move)).toEqual(
      moves.map(({ move }: { move: string }) => move),
    );
    for (const [cost, key] of [
      [player.cost, "value"],
      [player.expectedCost, "expected"],
    ] as const) {
      const worths = moves.map(
        (move: Record<"score" | "value" | "expected", number>) => move.score + move[key],
      );
      const mean = worths.reduce((sum: number, worth: number) => sum + worth, 0) / worths.length;
      expect(cost).toBeCloseTo(Math.max(...worths) - mean, 9);
    }
    const { stdout } = await gridlock(folder, ["query", board, "--player", "greedy"]);
    expect(stdout).toMatch(/^greedy slides \w+: costs \d+\.\d\d points against the placer, /m);
    const over = await json(folder, ["query", "2 4/4 2", "--player", "greedy", "--json"]);
    expect(over.player.choices).toEqual([]);
  });

  it("needs a position", async () => {
    const args = ["query", "2 2 4/8 4 0 placer", "--player", "greedy"];
    const { code, stderr } = await gridlock(folder, args);
    expect(code).toBe(2);
    expect(stderr).toContain("needs a board with the slider to move");
  });
});

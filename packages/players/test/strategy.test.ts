import { parseBoard } from "@gridlock/game";
import { allStrategies } from "@gridlock/players";
import { describe, expect, it } from "vitest";
import { countEmpty } from "../src/cell-rules.js";
import { monotonicity, uniformity } from "../src/strategy.js";
import { cellsOf } from "./boards.js";
import { makePlayer } from "./made.js";

const choicesOf = async (name: string, text: string) => {
  const player = await makePlayer(name, { shape: parseBoard(text).board });
  return player.choose(cellsOf(text)).map(({ direction }) => direction);
};

describe("the evaluators of Kohler, Migler and Khosmood", () => {
  it("counts empty cells", () => {
    expect(countEmpty(cellsOf("2 0 4/0 0 2"))).toBe(3);
  });

  it("sums the cubes of the counts of each value", () => {
    const cells = cellsOf("2 2 4 8/2 4 0 0/0 0 0 0/0 0 0 16");
    expect(uniformity(cells)).toBe(3 ** 3 + 2 ** 3 + 1 + 1);
    expect(uniformity(cells, true)).toBe(3 ** 3 + 2 ** 3 + 1 + 1 + 9 ** 3);
  });

  it("counts the neighbours that do not increase away from the best corner", () => {
    const sorted = cellsOf("64 32 16 8/32 16 8 4/16 8 4 2/8 4 2 0");
    expect(monotonicity({ rows: 4, cols: 4 }, sorted)).toBe(24);
    // From right to left 3 of 4 pairs do not increase, from top to bottom 2 of 3.
    expect(monotonicity({ rows: 2, cols: 3 }, cellsOf("4 8 2/2 4 8"))).toBe(3 + 2);
    // The same board, turned and mirrored, scores the same.
    expect(monotonicity({ rows: 3, cols: 2 }, cellsOf("2 4/4 8/8 2"))).toBe(5);
    expect(monotonicity({ rows: 2, cols: 3 }, cellsOf("2 8 4/8 4 2"))).toBe(5);
  });

  it("counts equal neighbours, empty ones too, in both directions", () => {
    expect(monotonicity({ rows: 1, cols: 4 }, cellsOf("0 0 2 2/"))).toBe(3);
  });
});

describe("the strategies of Kohler, Migler and Khosmood", () => {
  it("are 65, each ending with its only r", () => {
    const strategies = allStrategies();
    expect(strategies).toHaveLength(65);
    expect(new Set(strategies).size).toBe(65);
    for (const name of strategies) expect(name).toMatch(/^(?!.*(.).*\1)[megu]*r$/);
  });

  it("break ties by the next evaluator, and the last at random", async () => {
    // To the left and right two pairs merge, up and down one.
    expect(await choicesOf("er", "2 2 4/8 4 4/0 0 16")).toEqual(["left", "right"]);
    expect(await choicesOf("gr", "2 2 4/8 4 4/0 0 16")).toEqual(["left", "right"]);
    // Nothing merges. To the left all rows and columns fall: 4 and 3 pairs; to the right 3 and 3,
    // down 3 and 2.
    expect(await choicesOf("er", "8 0 4/2 0 0")).toEqual(["left", "down", "right"]);
    expect(await choicesOf("emr", "8 0 4/2 0 0")).toEqual(["left"]);
    expect(await choicesOf("r", "2 0/0 0")).toEqual(["down", "right"]);
  });

  it("count empty cells for u only as a variant", async () => {
    // Merging leaves two values and four empty cells, 2 and 66; not merging a pair, one value and
    // three, 9 and 36.
    const board = "2 0 0/2 8 0";
    expect(await choicesOf("ur", board)).toEqual(["right"]);
    expect(await choicesOf("ur:empty", board)).toEqual(["up", "down"]);
  });
});

import type { Shape } from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ESTIMATE_TERMS } from "../src/estimate.js";
import { type ExpectimaxRules, plainExpectimax } from "../src/expectimax.js";
import { GradientLines, gradient, gradientMasks } from "../src/gradient.js";
import { Grid } from "../src/grid.js";
import { type Horizon, LineExpectimax } from "../src/line-expectimax.js";
import { LineMinimax } from "../src/line-minimax.js";
import { heuristicOf, LineSums, type LineTerms } from "../src/line-sums.js";
import { fitsLines, type LineBoards } from "../src/lines.js";
import { plainMinimax } from "../src/minimax.js";
import type { Cells } from "../src/player.js";
import { type ZakyVariant, zakyTerms } from "../src/zaky.js";
import { fullBoardsOf, shapes } from "./boards.js";
import { estimate, type Heuristic, zakyHeuristic } from "./heuristics.js";
import { expectimaxOf, minimaxOf } from "./recursions.js";

/** A plain heuristic, that of the players, and its form on lines. */
interface Judge {
  readonly plain: Heuristic;
  readonly heuristic: Heuristic;
  readonly horizonOf: (boards: LineBoards) => Horizon;
}

const anyVariant: fc.Arbitrary<ZakyVariant> = fc.record({
  sum: fc.boolean(),
  corner: fc.boolean(),
  edge: fc.boolean(),
  inner: fc.boolean(),
  leaves: fc.boolean(),
  deepen: fc.constant(false),
});

function judges(shape: Shape): fc.Arbitrary<Judge> {
  const masks = gradientMasks(shape);
  const ofTerms = (plain: Heuristic, terms: LineTerms) => ({
    plain,
    heuristic: heuristicOf(shape, terms),
    horizonOf: (boards: LineBoards) => new LineSums(boards, terms),
  });
  return fc.oneof(
    fc.constant(ofTerms((cells) => estimate(shape, cells), ESTIMATE_TERMS)),
    fc.constant({
      plain: (cells: Cells) => gradient(masks, cells),
      heuristic: (cells: Cells) => gradient(masks, cells),
      horizonOf: (boards: LineBoards) => new GradientLines(boards, masks),
    }),
    anyVariant.map((variant) =>
      ofTerms((cells) => zakyHeuristic(shape, variant, cells), zakyTerms(shape, variant)),
    ),
  );
}

const anyRules: fc.Arbitrary<ExpectimaxRules> = fc.record({
  addsPoints: fc.boolean(),
  takesMean: fc.boolean(),
  lost: fc.constantFrom(undefined, -1, 0, -1000),
  seesLossAtHorizon: fc.boolean(),
});

/** A board with few empty cells on a shape that has lines, so that a plain search of two slides takes little. */
const anyPosition = fc
  .oneof({ weight: 5, arbitrary: shapes(3) }, { weight: 1, arbitrary: shapes(4) })
  .chain((shape) => fullBoardsOf(shape, 4));

function expectClose(found: Float64Array, expected: readonly number[]) {
  expected.forEach((worth, i) => {
    if (worth === -Infinity) expect(found[i]).toBe(-Infinity);
    else expect(Math.abs((found[i] as number) - worth)).toBeLessThan(1e-9 * (1 + Math.abs(worth)));
  });
}

describe("expectimax, on lines and plain", () => {
  const cases = anyPosition.chain((board) =>
    fc.tuple(fc.constant(board), judges(board), anyRules, fc.integer({ min: 1, max: 2 })),
  );

  it("finds the same as a recursion by the rules, and visits as many positions", () => {
    fc.assert(
      fc.property(cases, ([board, judge, rules, depth]) => {
        const expected = expectimaxOf(board, depth, rules, judge.plain);
        const grid = new Grid(board);
        const plain = plainExpectimax(grid, rules, judge.heuristic);
        const fast = new LineExpectimax(board, (of) => new Grid(of), rules, 2, judge.horizonOf);
        for (const search of [plain, fast]) {
          expectClose(search.worths(grid.cells(board), depth), expected.worths);
          expect(search.visits).toBe(expected.visits);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("minimax, on lines and plain", () => {
  const cases = anyPosition.chain((board) =>
    fc.record({
      board: fc.constant(board),
      variant: anyVariant,
      lost: fc.constantFrom(-1e6, 0, 5000),
      plies: fc.integer({ min: 1, max: 4 }),
      order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
    }),
  );

  it("finds the same best slides and worths as a recursion without pruning", () => {
    fc.assert(
      fc.property(cases, ({ board, variant, lost, plies, order }) => {
        const rules = { lost, seesLossAtHorizon: !variant.leaves };
        const judge = (cells: Cells) => zakyHeuristic(board, variant, cells);
        const expected = minimaxOf(board, plies, rules, judge);
        const most = Math.max(...expected);
        const first = order.find((i) => expected[i] === most) as number;
        const grid = new Grid(board);
        const terms = zakyTerms(board, variant);
        const plain = plainMinimax(board, rules, heuristicOf(board, terms));
        const fast = new LineMinimax(board, rules, 4, terms);
        for (const search of [plain, fast]) {
          const found = search.worths(grid.cells(board), plies, order);
          for (const i of order) {
            if (expected[i] === -Infinity) expect(found[i]).toBe(-Infinity);
            else expect(found[i]).toBeLessThanOrEqual(Math.max(most, lost));
          }
          if (most > lost) {
            expect(found[first]).toBe(most);
            expect(order.find((i) => found[i] === most)).toBe(first);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("fitsLines", () => {
  it("refuses boards from which a search could reach a tile of 65536", () => {
    const cells = Uint8Array.of(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2);
    expect(fitsLines(cells, 0)).toBe(true); // 65,532
    expect(fitsLines(cells, 1)).toBe(false);
  });
});

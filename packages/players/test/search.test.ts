import type { Shape } from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CellBoards } from "../src/boards.js";
import { CellRules, slideCells } from "../src/cell-rules.js";
import { ESTIMATE_TERMS } from "../src/estimate.js";
import { Expectimax, type ExpectimaxRules } from "../src/expectimax.js";
import { gradientOn } from "../src/gradient.js";
import { horizonOf, type LineTerms } from "../src/line-sums.js";
import { fitsLines, type HorizonMaker, LineBoards } from "../src/lines.js";
import { Minimax } from "../src/minimax.js";
import type { Cells } from "../src/player.js";
import { zakyTerms } from "../src/zaky.js";
import { fullBoardsOf, shapes } from "./boards.js";
import { estimate, gradient, type Heuristic, zakyHeuristic } from "./heuristics.js";
import { expectimaxOf, minimaxOf } from "./recursions.js";

/** A plain heuristic, and that of the players. */
interface Judge {
  readonly plain: Heuristic;
  readonly horizonOf: HorizonMaker;
}

const anyParts = fc
  .subarray(["sum", "corner", "edge", "inner", "leaves"])
  .map((parts) => new Set(parts));

/** The boards of a search, of cells and of lines. */
function boardsOf(shape: Shape) {
  return [new CellBoards(shape, slideCells, 4), new LineBoards(shape, slideCells, 4)];
}

function judges(shape: Shape): fc.Arbitrary<Judge> {
  const ofTerms = (plain: Heuristic, terms: LineTerms) => ({
    plain,
    horizonOf: horizonOf(terms),
  });
  return fc.oneof(
    fc.constant(ofTerms((cells) => estimate(shape, cells), ESTIMATE_TERMS)),
    fc.constant({
      plain: (cells: Cells) => gradient(shape, cells),
      horizonOf: gradientOn,
    }),
    anyParts.map((parts) =>
      ofTerms((cells) => zakyHeuristic(shape, parts, cells), zakyTerms(shape, parts)),
    ),
  );
}

const anyRules: fc.Arbitrary<ExpectimaxRules> = fc.record({
  addsPoints: fc.boolean(),
  averages: fc.boolean(),
  lost: fc.constantFrom(undefined, -1, 0, -1000),
  seesLossAtHorizon: fc.boolean(),
});

/** A board with few empty cells on a shape with lines: a plain search of two slides is fast. */
const anyPosition = fc
  .oneof({ weight: 5, arbitrary: shapes(3) }, { weight: 1, arbitrary: shapes(4) })
  .chain((shape) => fullBoardsOf(shape, 4));

function expectClose(found: Float64Array, expected: readonly number[]) {
  expected.forEach((worth, i) => {
    if (worth === -Infinity) expect(found[i]).toBe(-Infinity);
    else expect(Math.abs((found[i] as number) - worth)).toBeLessThan(1e-9 * (1 + Math.abs(worth)));
  });
}

describe("expectimax, on cells and on lines", () => {
  const cases = anyPosition.chain((board) =>
    fc.tuple(fc.constant(board), judges(board), anyRules, fc.integer({ min: 1, max: 2 })),
  );

  it("finds the same as a recursion by the rules, and visits as many positions", () => {
    fc.assert(
      fc.property(cases, ([board, judge, rules, depth]) => {
        const expected = expectimaxOf(board, depth, rules, judge.plain);
        const cellRules = new CellRules(board);
        for (const boards of boardsOf(board)) {
          const search = new Expectimax(boards, rules, judge.horizonOf(boards));
          expectClose(search.worths(cellRules.cells(board), depth), expected.worths);
          expect(search.visits).toBe(expected.visits);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("minimax, on cells and on lines", () => {
  const cases = anyPosition.chain((board) =>
    fc.record({
      board: fc.constant(board),
      parts: anyParts,
      lost: fc.constantFrom(-1e6, 0, 5000),
      plies: fc.integer({ min: 1, max: 4 }),
      order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
    }),
  );

  it("finds the same best slides and worths as a recursion without pruning", () => {
    fc.assert(
      fc.property(cases, ({ board, parts, lost, plies, order }) => {
        const rules = { lost, seesLossAtHorizon: !parts.has("leaves") };
        const judge = (cells: Cells) => zakyHeuristic(board, parts, cells);
        const expected = minimaxOf(board, plies, rules, judge);
        const most = Math.max(...expected);
        const first = order.find((i) => expected[i] === most) as number;
        const cellRules = new CellRules(board);
        const terms = zakyTerms(board, parts);
        for (const boards of boardsOf(board)) {
          const search = new Minimax(boards, rules, 4, horizonOf(terms)(boards));
          const found = search.worths(cellRules.cells(board), plies, order);
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

import { type Board, cellCount, MAX_CELLS, parseBoard, type Shape } from "@gridlock/game";
import { CellRules, type Cells } from "@gridlock/players";
import fc from "fast-check";

/** The cells of a board in notation. */
export function cellsOf(text: string): Cells {
  const { board } = parseBoard(text);
  return new CellRules(board).cells(board);
}

/** Any shape of up to `most` rows and columns. */
export function shapes(most: number): fc.Arbitrary<Shape> {
  const side = fc.integer({ min: 1, max: most });
  return fc
    .record({ rows: side, cols: side })
    .filter((shape) => cellCount(shape) >= 2 && cellCount(shape) <= MAX_CELLS);
}

/** A board of a shape with tiles of up to `2 ** most`. */
export function boardsOf(shape: Shape, most: number): fc.Arbitrary<Board> {
  const tile = fc.integer({ min: 0, max: most }).map((exponent) => exponent && 2 ** exponent);
  const cells = fc.array(tile, { minLength: cellCount(shape), maxLength: cellCount(shape) });
  return cells.map((of) => ({ ...shape, cells: of }));
}

/** A board with no more than `most` empty cells, whose tiles are small enough to merge often. */
export function fullBoardsOf(shape: Shape, most: number): fc.Arbitrary<Board> {
  const count = cellCount(shape);
  return fc
    .record({
      exponents: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: count, maxLength: count }),
      empty: fc.uniqueArray(fc.nat(count - 1), { maxLength: most }),
    })
    .map(({ exponents, empty }) => ({
      ...shape,
      cells: exponents.map((exponent, cell) => (empty.includes(cell) ? 0 : 2 ** exponent)),
    }));
}

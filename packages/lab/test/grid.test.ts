import {
  applySymmetry,
  type Board,
  canonical,
  cellCount,
  DIRECTIONS,
  exponentOf,
  linesToward,
  packBoard,
  parseBoard,
  parseShape,
  place,
  type Shape,
  SYMMETRIES,
  sameBoard,
  slide,
} from "@gridlock/game";
import { Grid, ILLEGAL, type LineRule } from "@gridlock/lab";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const SHAPES = ["2x2", "2x3", "3x2", "2x4", "3x3", "1x4"];

/**
 * Generates boards of a shape with tiles that play can reach: small tiles more often, so that they
 * meet, and the largest at most once.
 */
function anyBoard(shape: Shape): fc.Arbitrary<Board> {
  const cells = cellCount(shape);
  const largest = 2 ** (cells + 1);
  return fc
    .array(
      fc.oneof(
        fc.constantFrom(0, 0, 2, 4, 8),
        fc.integer({ min: 1, max: cells + 1 }).map((k) => 2 ** k),
      ),
      { minLength: cells, maxLength: cells },
    )
    .map((tiles) => ({
      ...shape,
      cells: tiles.map((tile, i) => (tile === largest && tiles.indexOf(tile) < i ? 0 : tile)),
    }));
}

/** Generates two boards of the same tiles, which are images of each other half the time. */
function anyPair(shape: Shape): fc.Arbitrary<[Board, Board]> {
  return anyBoard(shape).chain((board) =>
    fc.tuple(
      fc.constant(board),
      fc.oneof(
        fc.constantFrom(...shapeKeepingImages(board)),
        fc
          .shuffledSubarray([...board.cells], { minLength: board.cells.length })
          .map((cells) => ({ ...shape, cells })),
      ),
    ),
  );
}

function shapeKeepingImages(board: Board): Board[] {
  return SYMMETRIES.filter(({ transpose }) => !transpose || board.rows === board.cols).map(
    (symmetry) => applySymmetry(board, symmetry),
  );
}

/** Returns the code of a board by its definition: exponents as digits, the first cell lowest. */
function numberOf(board: Board): number {
  const base = cellCount(board) + 2;
  return board.cells.reduceRight((number, tile) => number * base + exponentOf(tile), 0);
}

/** Slides a board by any rule, in the plain way of `game`. */
function slideBy(rule: LineRule, board: Board, direction: (typeof DIRECTIONS)[number]) {
  const cells = [...board.cells];
  let score = 0;
  for (const line of linesToward(board, direction)) {
    const slid = rule(line.map((cell) => board.cells[cell] as number));
    score += slid.score;
    line.forEach((cell, i) => {
      cells[cell] = slid.line[i] as number;
    });
  }
  const slid = { rows: board.rows, cols: board.cols, cells };
  return sameBoard(slid, board) ? undefined : { board: slid, score };
}

function expectNumbers(grid: Grid, board: Board): void {
  const code = grid.encode(board);
  expect(code).toBe(numberOf(board));
  expect(grid.decode(code)).toEqual(board);
  board.cells.forEach((tile, cell) => {
    expect(grid.exponents(code)[cell]).toBe(exponentOf(tile));
  });
}

function expectImages(grid: Grid, board: Board): void {
  const code = grid.encode(board);
  const images = [...grid.images(code)];
  const naive = shapeKeepingImages(board).map(numberOf);
  expect(images[0]).toBe(code);
  expect(images.toSorted((a, b) => a - b)).toEqual(naive.toSorted((a, b) => a - b));
  expect(grid.canonical(code)).toBe(Math.min(...naive));
  if (board.rows <= board.cols) expect(grid.canonical(code)).toBe(numberOf(canonical(board)));
}

function expectSlides(grid: Grid, board: Board): void {
  grid.set(grid.encode(board));
  DIRECTIONS.forEach((direction, number) => {
    const naive = slide(board, direction);
    expect(grid.slide(number)).toBe(naive ? numberOf(naive.board) : ILLEGAL);
    expect(grid.slideToCanonical(number)).toBe(
      naive ? Math.min(...shapeKeepingImages(naive.board).map(numberOf)) : ILLEGAL,
    );
    expect(grid.score(number)).toBe(naive ? naive.score : 0);
  });
}

function expectPlacements(grid: Grid, board: Board): void {
  grid.images(grid.encode(board));
  board.cells.forEach((tile, cell) => {
    if (tile !== 0) return;
    for (const exponent of [1, 2]) {
      const next = place(board, cell, 2 ** exponent).board;
      expect(grid.placeToCanonical(cell, exponent)).toBe(
        Math.min(...shapeKeepingImages(next).map(numberOf)),
      );
    }
  });
}

describe.each(SHAPES)("boards of %s as numbers", (name) => {
  const shape = parseShape(name);
  const grid = new Grid(shape);
  const boards = anyBoard(shape);

  it("survive being encoded and decoded", () => {
    fc.assert(fc.property(boards, (board) => expectNumbers(grid, board)));
  });

  it("have the images under the game's symmetries, the smallest of them canonical", () => {
    fc.assert(fc.property(boards, (board) => expectImages(grid, board)));
  });

  it("have equal canonical forms exactly when they do in the game", () => {
    fc.assert(
      fc.property(anyPair(shape), ([a, b]) => {
        const same = packBoard(canonical(a)) === packBoard(canonical(b));
        expect(grid.canonical(grid.encode(a)) === grid.canonical(grid.encode(b))).toBe(same);
      }),
    );
  });

  it("slide as in the game", () => {
    fc.assert(fc.property(boards, (board) => expectSlides(grid, board)));
  });

  it("take placements as in the game", () => {
    fc.assert(fc.property(boards, (board) => expectPlacements(grid, board)));
  });

  it("slide by any other rule without affecting the game's rule", () => {
    // A rule that differs between the ends, changes the sum, and earns points even if nothing
    // moves.
    const anyRule: LineRule = (line) => ({
      line: line.map((tile, i) => (i === 0 && tile === 2 ? 0 : (line[i + 1] ?? tile))),
      score: line.reduce((score, tile, i) => score + (i + 1) * tile, 0),
    });
    const rule = grid.rule(anyRule);
    fc.assert(
      fc.property(boards, (board) => {
        grid.set(grid.encode(board));
        DIRECTIONS.forEach((direction, number) => {
          const naive = slideBy(anyRule, board, direction);
          expect(grid.slide(number, rule)).toBe(naive ? numberOf(naive.board) : ILLEGAL);
          expect(grid.slideToCanonical(number, rule)).toBe(
            naive ? Math.min(...shapeKeepingImages(naive.board).map(numberOf)) : ILLEGAL,
          );
          if (naive) expect(grid.score(number, rule)).toBe(naive.score);
        });
        expectSlides(grid, board);
      }),
    );
  });
});

describe("all 6⁴ boards of 2x2", () => {
  const shape = parseShape("2x2");
  const grid = new Grid(shape);
  const boards = Array.from({ length: 6 ** 4 }, (_, code) => grid.decode(code));

  it("survive being decoded and encoded, in the order of their codes", () => {
    boards.forEach((board, code) => {
      expect(numberOf(board)).toBe(code);
      expectNumbers(grid, board);
    });
  });

  it("have the images under the game's symmetries, and 231 canonical forms", () => {
    const forms = new Set<number>();
    for (const board of boards) {
      expectImages(grid, board);
      forms.add(grid.canonical(grid.encode(board)));
    }
    // By Burnside's lemma: (6⁴ + 2·6 + 3·6² + 2·6³) / 8.
    expect(forms.size).toBe(231);
  });

  it("slide and take placements as in the game", () => {
    for (const board of boards) {
      expectPlacements(grid, board);
      // Two 32s would merge into a tile that play cannot make and for which the base has no digit.
      if (board.cells.filter((tile) => tile === 32).length < 2) expectSlides(grid, board);
    }
  });
});

describe("a grid", () => {
  it("encodes the example in its documentation", () => {
    const { board } = parseBoard("2 0 8/0 4 0/0 0 2");
    expect(new Grid(board).encode(board)).toBe(1 + 3 * 11 ** 2 + 2 * 11 ** 4 + 11 ** 8);
  });

  it("keeps the largest numbers exact", () => {
    const grid = new Grid(parseShape("3x4"));
    const board = { rows: 3, cols: 4, cells: Array.from({ length: 12 }, (_, i) => 2 ** (13 - i)) };
    expectNumbers(grid, board);
    expectImages(grid, board);
  });

  it.each(["4x4", "3x5", "2x7", "1x8", "1x7"])(
    "rejects %s, whose tables would be too large",
    (name) => {
      expect(() => new Grid(parseShape(name))).toThrow(RangeError);
      expect(() => new Grid(parseShape(name))).toThrow(name);
    },
  );
});

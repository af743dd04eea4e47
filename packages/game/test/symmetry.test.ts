import {
  applySymmetry,
  canonical,
  cellPlaces,
  composeSymmetries,
  DIRECTIONS,
  inverseSymmetry,
  mapCell,
  mapDirection,
  packBoard,
  SYMMETRIES,
  slide,
  symmetriesOf,
  symmetriesToNormal,
  symmetryToCanonical,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyBoard } from "./boards.js";

const anySymmetry = fc.constantFrom(...SYMMETRIES);

describe("symmetries", () => {
  it("number eight, all different on a square with nine different cells", () => {
    const square = { rows: 3, cols: 3, cells: [0, 2, 4, 8, 16, 32, 64, 128, 256] };
    const images = SYMMETRIES.map((s) => applySymmetry(square, s).cells.join());
    expect(new Set(images).size).toBe(8);
  });

  it("keep the shape of a board, and place its cells", () => {
    fc.assert(
      fc.property(anyBoard, (board) => {
        for (const symmetry of symmetriesOf(board)) {
          const { rows, cols, cells } = applySymmetry(board, symmetry);
          expect([rows, cols]).toEqual([board.rows, board.cols]);
          const places = cellPlaces(board, symmetry);
          expect(places.map((place) => cells[place])).toEqual(board.cells);
        }
      }),
    );
    expect(symmetriesOf({ rows: 2, cols: 2 })).toHaveLength(8);
    expect(symmetriesOf({ rows: 3, cols: 2 })).toHaveLength(4);
  });

  it("are undone by their inverses; all but the quarter turns are their own", () => {
    fc.assert(
      fc.property(anyBoard, anySymmetry, (board, symmetry) => {
        const image = applySymmetry(board, symmetry);
        expect(applySymmetry(image, inverseSymmetry(symmetry))).toEqual(board);
        const quarterTurn = symmetry.transpose && symmetry.flipRows !== symmetry.flipCols;
        if (!quarterTurn) expect(applySymmetry(image, symmetry)).toEqual(board);
      }),
    );
  });

  it("compose", () => {
    fc.assert(
      fc.property(anyBoard, anySymmetry, anySymmetry, (board, first, second) => {
        expect(applySymmetry(board, composeSymmetries(first, second))).toEqual(
          applySymmetry(applySymmetry(board, first), second),
        );
      }),
    );
  });

  it("commute with slides", () => {
    fc.assert(
      fc.property(
        anyBoard,
        anySymmetry,
        fc.constantFrom(...DIRECTIONS),
        (board, symmetry, direction) => {
          const slidThenImage = slide(board, direction);
          const image = slide(applySymmetry(board, symmetry), mapDirection(direction, symmetry));
          expect(image?.score).toBe(slidThenImage?.score);
          expect(image?.board).toEqual(
            slidThenImage && applySymmetry(slidThenImage.board, symmetry),
          );
        },
      ),
    );
  });

  it("map each cell to where its tile goes", () => {
    fc.assert(
      fc.property(anyBoard, anySymmetry, (board, symmetry) => {
        const image = applySymmetry(board, symmetry);
        board.cells.forEach((tile, cell) => {
          expect(image.cells[mapCell(cell, board, symmetry)]).toBe(tile);
        });
      }),
    );
  });
});

describe("the canonical form", () => {
  it("is idempotent, has normal shape, and is the same for all images of a board", () => {
    fc.assert(
      fc.property(anyBoard, anySymmetry, (board, symmetry) => {
        const form = canonical(board);
        expect(form.rows).toBeLessThanOrEqual(form.cols);
        expect(canonical(form)).toEqual(form);
        expect(canonical(applySymmetry(board, symmetry))).toEqual(form);
      }),
    );
  });

  it("is the image with the smallest packed number", () => {
    fc.assert(
      fc.property(anyBoard, (board) => {
        const form = canonical(board);
        const symmetry = symmetryToCanonical(board, packBoard(form));
        expect(applySymmetry(board, symmetry)).toEqual(form);
        for (const other of symmetriesToNormal(board)) {
          expect(packBoard(form) <= packBoard(applySymmetry(board, other))).toBe(true);
        }
      }),
    );
  });
});

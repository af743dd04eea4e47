import {
  composeSymmetries,
  DIRECTIONS,
  type Direction,
  formatPlacement,
  inverseSymmetry,
  mapCell,
  mapDirection,
  type Placement,
  type Shape,
  SYMMETRIES,
  type Symmetry,
} from "@gridlock/game";

/** A move of either player, with its name: `left`, or `4@2,3` for a 4 in row 2, column 3. */
export type Move =
  | { readonly name: string; readonly direction: Direction }
  | { readonly name: string; readonly tile: number; readonly cell: number };

/*
 * Lines of best play are followed on canonical boards and shown in the orientation of the given
 * board, so every move is mapped through a symmetry. Here moves and symmetries are numbers, and the
 * mappings are tables. The number of a slide is 0 … 3 (in the order of DIRECTIONS), that of a 2 in
 * a cell 4 + 2·cell, and that of a 4 one more; the number of a symmetry is its index in SYMMETRIES.
 */

/** Returns the number of a slide. */
export function slideNumber(direction: Direction): number {
  return DIRECTIONS.indexOf(direction);
}

/** Returns the number of a placement. */
export function placementNumber(tile: number, cell: number): number {
  return DIRECTIONS.length + 2 * cell + (tile === 4 ? 1 : 0);
}

/** Returns the number of a symmetry. */
export function symmetryNumber({ transpose, flipRows, flipCols }: Symmetry): number {
  return 4 * Number(transpose) + 2 * Number(flipRows) + Number(flipCols);
}

/** `INVERSE[s]` undoes symmetry s. */
export const INVERSE: readonly number[] = SYMMETRIES.map((s) => symmetryNumber(inverseSymmetry(s)));

/** `COMPOSED[a][b]` is symmetry a followed by b. */
export const COMPOSED: readonly (readonly number[])[] = SYMMETRIES.map((a) =>
  SYMMETRIES.map((b) => symmetryNumber(composeSymmetries(a, b))),
);

const SLIDES: readonly Move[] = DIRECTIONS.map((direction) => ({ name: direction, direction }));

/** The moves on boards of each shape used so far, by number. */
const movesOfShapes = new Map<number, readonly Move[]>();

/** Lists the moves on boards of a shape, by number. */
export function movesOf(shape: Shape): readonly Move[] {
  const name = 100 * shape.rows + shape.cols;
  let moves = movesOfShapes.get(name);
  if (moves === undefined) {
    const cells = [...new Array(shape.rows * shape.cols).keys()];
    const placements = cells.flatMap((cell) =>
      [2, 4].map((tile) => ({ name: formatPlacement(shape, { tile, cell }), tile, cell })),
    );
    moves = [...SLIDES, ...placements];
    movesOfShapes.set(name, moves);
  }
  return moves;
}

/** Returns a slide with its name. */
export function slideMove(direction: Direction): Move {
  return SLIDES[slideNumber(direction)] as Move;
}

/** Returns a placement on a board of a shape with its name. */
export function placementMove(
  shape: Shape,
  { tile, cell }: Pick<Placement, "tile" | "cell">,
): Move {
  return movesOf(shape)[placementNumber(tile, cell)] as Move;
}

/**
 * Returns a table: `images[s][m]` is the number, on the image under s, of move m on a board of this
 * shape.
 */
export function moveImages(shape: Shape): number[][] {
  return SYMMETRIES.map((symmetry) =>
    movesOf(shape).map((move) =>
      "direction" in move
        ? slideNumber(mapDirection(move.direction, symmetry))
        : placementNumber(move.tile, mapCell(move.cell, shape, symmetry)),
    ),
  );
}

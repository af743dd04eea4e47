import {
  DIRECTIONS,
  type Direction,
  formatPlacement,
  mapCell,
  mapDirection,
  type Placement,
  type Shape,
  type Symmetry,
} from "@gridlock/game";

/** A move of either player, with its name: `left`, or `4@2,3` for a 4 in row 2, column 3. */
export type Move =
  | { readonly name: string; readonly direction: Direction }
  | { readonly name: string; readonly tile: number; readonly cell: number };

const SLIDES: readonly Move[] = DIRECTIONS.map((direction) => ({ name: direction, direction }));

/** The placements on boards of each shape used so far, the 2 before the 4 in each cell. */
const placementsOfShapes = new Map<number, readonly Move[]>();

/** Returns a slide with its name. */
export function slideMove(direction: Direction): Move {
  return SLIDES[DIRECTIONS.indexOf(direction)] as Move;
}

/** Returns a placement on a board of a shape with its name. */
export function placementMove(
  shape: Shape,
  { tile, cell }: Pick<Placement, "tile" | "cell">,
): Move {
  const name = 100 * shape.rows + shape.cols;
  let moves = placementsOfShapes.get(name);
  if (moves === undefined) {
    const cells = [...new Array(shape.rows * shape.cols).keys()];
    moves = cells.flatMap((cell) =>
      [2, 4].map((tile) => ({ name: formatPlacement(shape, { tile, cell }), tile, cell })),
    );
    placementsOfShapes.set(name, moves);
  }
  return moves[2 * cell + (tile === 4 ? 1 : 0)] as Move;
}

/** Returns the image of a move on a board of this shape under a symmetry. */
export function mapMove(move: Move, shape: Shape, symmetry: Symmetry): Move {
  if ("direction" in move) return slideMove(mapDirection(move.direction, symmetry));
  const { rows, cols } = shape;
  const image = symmetry.transpose ? { rows: cols, cols: rows } : shape;
  return placementMove(image, { tile: move.tile, cell: mapCell(move.cell, shape, symmetry) });
}

import type { Shape } from "@gridlock/game";

/** Side of a cell, distance between cells, and space around a board, in pixels. */
export const CELL = 64;
const GAP = 6;
/** The space around the cells of a board, in pixels. */
export const MARGIN = 10;

/** The style of a board and its empty cells. */
export const BOARD_STYLE = {
  light: ".board{fill:#bbada0}.cell{fill:#cdc1b4}",
  dark: ".board{fill:#3d3a36}.cell{fill:#57524b}",
};

/**
 * Draws an empty board as SVG. Returns its parts, its size without the space around it, and a
 * function that returns the centre of a cell.
 */
export function drawEmptyBoard({ rows, cols }: Shape) {
  const pitch = CELL + GAP;
  const width = cols * pitch + GAP;
  const height = rows * pitch + GAP;
  const centre = (cell: number) => ({
    x: MARGIN + GAP + (cell % cols) * pitch + CELL / 2,
    y: MARGIN + GAP + Math.floor(cell / cols) * pitch + CELL / 2,
  });
  const cells = Array.from({ length: rows * cols }, (_, cell) => {
    const { x, y } = centre(cell);
    return `<rect x="${x - CELL / 2}" y="${y - CELL / 2}" width="${CELL}" height="${CELL}" rx="6" class="cell"/>`;
  });
  const parts = [
    `<rect x="${MARGIN}" y="${MARGIN}" width="${width}" height="${height}" rx="8" class="board"/>`,
    ...cells,
  ];
  return { width, height, parts, centre };
}

import { type Board, type Node, type Placement, rowsOf } from "./board.js";
import type { Shape } from "./shape.js";

/**
 * Writes a board as `2 0 0/0 4 0/0 0 0`, followed by `placer` when the placer is to move. A board
 * of one row ends in `/`, so that it is not mistaken for a list of cells.
 */
export function formatBoard(board: Board, turn: Node["turn"] = "slider"): string {
  const { cells, cols } = board;
  let text = "";
  for (let cell = 0; cell < cells.length; cell++) {
    if (cell > 0) text += cell % cols === 0 ? "/" : " ";
    text += cells[cell];
  }
  if (board.rows === 1) text += "/";
  return turn === "placer" ? `${text} placer` : text;
}

/** Writes a placement as `4@2,3`: the tile, then the row and the column, both counted from 1. */
export function formatPlacement(shape: Shape, placement: Pick<Placement, "tile" | "cell">): string {
  const row = Math.floor(placement.cell / shape.cols) + 1;
  const col = (placement.cell % shape.cols) + 1;
  return `${placement.tile}@${row},${col}`;
}

/** Draws a board as a grid, with a dot for an empty cell. */
export function drawBoard(board: Board): string {
  const width = Math.max(...board.cells.map((tile) => String(tile).length));
  const cells = board.cells.map((tile) => (tile === 0 ? "·" : String(tile)).padStart(width + 2));
  return rowsOf({ ...board, cells })
    .map((row) => row.join(""))
    .join("\n");
}

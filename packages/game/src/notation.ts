import type { Board, Node } from "./board.js";
import { emptyCells, tileSum } from "./board.js";
import { GameError } from "./errors.js";
import type { Placement } from "./place.js";
import { largestTileSum } from "./score.js";
import { cellCount, formatShape, MAX_CELLS, MIN_CELLS, type Shape } from "./shape.js";

/** Returns the largest tile that the notation accepts: four bits hold exponents up to 15. */
function largestTileHeld(cells: number): number {
  return 2 ** Math.min(cells + 1, 15);
}

/**
 * The largest tile sum that the notation accepts. From a larger sum, which needs 15 or 16 cells, a
 * slide could make a tile of 65536.
 */
const LARGEST_SUM_HELD = 2 ** 16 - 2;

/** Words for an empty cell; {@link drawBoard} draws `·`. */
const EMPTY: ReadonlySet<string> = new Set(["0", "·", "."]);

const EXAMPLE = "rows of tiles, such as 2 0 0/0 4 0/0 0 0";

/**
 * Reads a board row by row, `2 0 0/0 4 0/0 0 0`, with the slider to move unless ` placer` follows.
 * Rows end at `/` or at the end of a line, so it also reads a board drawn by {@link drawBoard}. The
 * board need not be reachable from a start.
 *
 * @throws {GameError} with what was given and what was expected: `bad-board` (not a board),
 *   `ragged-board` (rows of unequal length), `bad-tile` (not a power of two, or too large for the
 *   shape), `impossible-board` (a tile sum that no play reaches), `full-afterstate` (no empty
 *   cell).
 */
export function parseBoard(text: string): Node {
  const [, content = "", turnWord] = /^(.*?)(?:\s+(slider|placer))?$/is.exec(text.trim()) ?? [];
  const turn = turnWord?.toLowerCase() === "placer" ? "placer" : "slider";
  const rows = content.split(/[/\n]/).map((row) => row.trim().split(/\s+/));
  const cols = rows[0]?.length ?? 0;
  const words = rows.flat().map((word) => (EMPTY.has(word) ? "0" : word));

  for (const word of words) {
    if (word === "" || (word === content && !/^\d+$/.test(word))) {
      throw new GameError("bad-board", `"${text}" is not a board; expected ${EXAMPLE}`);
    }
    if (!/^\d{1,9}$/.test(word) || !isTile(Number(word))) {
      const expected = /^\d+$/.test(word) ? "0 for an empty cell, or 2, 4, 8, 16, …" : EXAMPLE;
      throw new GameError("bad-tile", `"${word}" in "${text}" is not a tile; expected ${expected}`);
    }
  }
  const uneven = rows.findIndex((row) => row.length !== cols);
  if (uneven >= 0) {
    throw new GameError(
      "ragged-board",
      `row ${uneven + 1} of "${text}" differs from row 1 in length (${rows[uneven]?.length} and ${cols}); expected rows of equal length`,
    );
  }
  const board = { rows: rows.length, cols, cells: words.map(Number) };
  const cells = cellCount(board);
  if (cells < MIN_CELLS || cells > MAX_CELLS) {
    throw new GameError(
      "bad-board",
      `"${text}" has ${cells} cell${cells === 1 ? "" : "s"}; expected a board of ${MIN_CELLS} to ${MAX_CELLS}`,
    );
  }
  const tooLarge = board.cells.find((tile) => tile > largestTileHeld(cells));
  if (tooLarge !== undefined) {
    throw new GameError(
      "bad-tile",
      `a tile of ${tooLarge} is too large for ${formatShape(board)}; expected at most ${largestTileHeld(cells)}`,
    );
  }
  const largestSum = Math.min(largestTileSum(board), LARGEST_SUM_HELD);
  if (tileSum(board) > largestSum) {
    throw new GameError(
      "impossible-board",
      `the tiles of "${text}" sum to ${tileSum(board)}; expected at most ${largestSum} on ${formatShape(board)}`,
    );
  }
  if (turn === "placer" && emptyCells(board).length === 0) {
    throw new GameError(
      "full-afterstate",
      `"${text}" has the placer to move but no empty cell; expected at least one`,
    );
  }
  return { board, turn };
}

function isTile(tile: number): boolean {
  return tile === 0 || (tile >= 2 && (tile & (tile - 1)) === 0);
}

/** Writes a board as `2 0 0/0 4 0/0 0 0`, followed by ` placer` when the placer is to move. */
export function formatBoard(board: Board, turn: Node["turn"] = "slider"): string {
  let text = "";
  board.cells.forEach((tile, cell) => {
    if (cell > 0) text += cell % board.cols === 0 ? "/" : " ";
    text += tile;
  });
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
  const rows: string[] = [];
  for (let row = 0; row < board.rows; row++) {
    const cells = board.cells.slice(row * board.cols, (row + 1) * board.cols);
    rows.push(cells.map((tile) => (tile === 0 ? "·" : String(tile)).padStart(width + 2)).join(""));
  }
  return rows.join("\n");
}

import { type Board, type Node, type Placement, rowsOf } from "./board.js";
import { GameError } from "./errors.js";
import { findFault } from "./fault.js";
import { quoted } from "./quoted.js";
import type { Shape } from "./shape.js";

const EXAMPLE = "rows of tiles, such as 2 0 0/0 4 0/0 0 0";

/**
 * Reads a board as {@link formatBoard} writes it: `2 0 0/0 4 0/0 0 0`, with the slider to move unless
 * `placer` follows. The board need not be reachable from a start. {@link readBoard} also reads boards
 * as people and other programs write them.
 *
 * @throws {GameError} with what was given and what was expected: `bad-board` (not a board),
 *   `ragged-board` (rows of unequal length), `bad-tile` (not a power of two, or too large for the
 *   shape), `impossible-board` (a tile sum that no play reaches), `full-afterstate` (no empty
 *   cell).
 */
export function parseBoard(text: string): Node {
  const words = text.trim().split(/ +/);
  const last = words.at(-1);
  const turn = last === "placer" ? "placer" : "slider";
  if (last === "placer" || last === "slider") words.pop();
  // The `/` at the end of a board of one row.
  const content = words.join(" ").replace(/^([^/]*)\/$/, "$1");
  const rows = content.split("/").map((row) => row.trim().split(" "));
  const cols = rows[0]?.length ?? 0;

  for (const word of rows.flat()) {
    if (word === "" || (word === content && !/^\d+$/.test(word))) {
      throw new GameError("bad-board", `${quoted(text)} is not a board; expected ${EXAMPLE}`);
    }
    if (!/^\d{1,9}$/.test(word)) {
      const expected = /^\d+$/.test(word) ? "0 for an empty cell, or 2, 4, 8, 16, …" : EXAMPLE;
      throw new GameError(
        "bad-tile",
        `${quoted(word)} in ${quoted(text)} is not a tile; expected ${expected}`,
      );
    }
  }
  const uneven = rows.findIndex((row) => row.length !== cols);
  if (uneven >= 0) {
    throw new GameError(
      "ragged-board",
      `row ${uneven + 1} of ${quoted(text)} differs from row 1 in length (${rows[uneven]?.length} and ${cols}); expected rows of equal length`,
    );
  }
  const board = { rows: rows.length, cols, cells: rows.flat().map(Number) };
  const fault = findFault(board, turn);
  if (fault) throw new GameError(fault.code, `${quoted(text)}: ${fault.message}`);
  return { board, turn };
}

/**
 * Writes a board as `2 0 0/0 4 0/0 0 0`, followed by `placer` when the placer is to move. A board of
 * one row ends in `/`, so that it is not mistaken for a list of cells.
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

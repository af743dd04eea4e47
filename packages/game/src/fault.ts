import { type Board, emptyCells, type Turn, tileSum } from "./board.js";
import type { GameErrorCode } from "./errors.js";
import { MAX_EXPONENT } from "./pack.js";
import { largestTileSum } from "./score.js";
import { cellCount, formatShape, MAX_CELLS, MIN_CELLS, type Shape } from "./shape.js";

/** A reason why cells are not a board of the game. */
export interface Fault {
  readonly code: GameErrorCode;
  /** The fault and what was expected, as a sentence without its full stop. */
  readonly message: string;
  /** The cell at fault, if it is a single one. */
  readonly cell?: number;
}

/**
 * The largest tile sum of a board. From a larger sum, which needs 15 or 16 cells, a slide could
 * make a tile of 65536.
 */
const LARGEST_SUM_HELD = 2 ** 16 - 2;

/** Returns the largest tile and the largest tile sum of a shape's boards. */
export function boardLimits(shape: Shape) {
  return {
    tile: 2 ** Math.min(cellCount(shape) + 1, MAX_EXPONENT),
    sum: Math.min(largestTileSum(shape), LARGEST_SUM_HELD),
  };
}

/** Returns whether a number is 0, for an empty cell, or a tile: a power of two from 2 on. */
export function isTile(tile: number): boolean {
  return tile === 0 || (tile >= 2 && tile < 2 ** 30 && (tile & (tile - 1)) === 0);
}

/** Finds a reason why cells are not a board of the game; `undefined` if they are one. */
export function findFault(board: Board, turn: Turn): Fault | undefined {
  const cells = cellCount(board);
  if (cells < MIN_CELLS || cells > MAX_CELLS) {
    return {
      code: "bad-board",
      message: `${cells} cell${cells === 1 ? " is" : "s are"} not a board; expected ${MIN_CELLS} to ${MAX_CELLS} cells`,
    };
  }
  const most = boardLimits(board);
  const cell = board.cells.findIndex((tile) => !isTile(tile) || tile > most.tile);
  if (cell >= 0) {
    const tile = board.cells[cell] as number;
    const message = isTile(tile)
      ? `a tile of ${tile} is too large for ${formatShape(board)}; expected at most ${most.tile}`
      : `${tile} is not a tile; expected 0 for an empty cell, or 2, 4, 8, 16, …`;
    return { code: "bad-tile", cell, message };
  }
  const sum = tileSum(board);
  if (sum > most.sum) {
    return {
      code: "impossible-board",
      message: `the tiles sum to ${sum}; expected at most ${most.sum} on ${formatShape(board)}`,
    };
  }
  if (turn === "placer" && emptyCells(board).length === 0) {
    return {
      code: "full-afterstate",
      message: "the placer is to move, but there is no empty cell; expected at least one",
    };
  }
  return undefined;
}

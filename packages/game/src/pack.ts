import type { Board } from "./board.js";
import { GameError } from "./errors.js";
import { cellCount, type Shape } from "./shape.js";

/*
 * A packed board is one number with four bits a cell, the first cell lowest, each holding the
 * tile's exponent (0 for empty, 1 for 2, 2 for 4, …):
 *
 *     2 0 8        bits  35   31   27   23   19   15   11   7    3   0
 *     0 4 0   →          0001 0000 0000 0000 0010 0000 0011 0000 0001   = 0x100020301
 *     0 0 2              cell 8       …                       1    0
 */

/** The largest exponent that four bits hold. */
const MAX_EXPONENT = 15;

/** The exponent of a tile: 0 for an empty cell, k for 2^k. */
export function exponentOf(tile: number): number {
  return tile === 0 ? 0 : 31 - Math.clz32(tile);
}

/**
 * Packs a board into a number of four bits a cell.
 *
 * @throws {GameError} `bad-tile` for a tile above 32768, which four bits cannot hold.
 */
export function packBoard(board: Board): bigint {
  // Two numbers of at most eight cells (32 bits) each: arithmetic on bigints is slow.
  let low = 0;
  let high = 0;
  for (let cell = board.cells.length - 1; cell >= 0; cell--) {
    const exponent = exponentOf(board.cells[cell] as number);
    if (exponent > MAX_EXPONENT) {
      throw new GameError(
        "bad-tile",
        `a tile of ${board.cells[cell]} cannot be packed; the largest that can is ${2 ** MAX_EXPONENT}`,
      );
    }
    if (cell < 8) low = low * 16 + exponent;
    else high = high * 16 + exponent;
  }
  return high === 0 ? BigInt(low) : (BigInt(high) << 32n) | BigInt(low);
}

/** The board of a packed number; the inverse of {@link packBoard}. */
export function unpackBoard(shape: Shape, packed: bigint): Board {
  let low = Number(BigInt.asUintN(32, packed));
  let high = Number(packed >> 32n);
  const cells: number[] = [];
  for (let cell = 0; cell < cellCount(shape); cell++) {
    const exponent = cell < 8 ? low % 16 : high % 16;
    cells.push(exponent === 0 ? 0 : 2 ** exponent);
    if (cell < 8) low = Math.floor(low / 16);
    else high = Math.floor(high / 16);
  }
  return { rows: shape.rows, cols: shape.cols, cells };
}

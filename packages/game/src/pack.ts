import type { Board, Node, Turn } from "./board.js";
import { GameError } from "./errors.js";
import { cellCount, formatShape, type Shape } from "./shape.js";

/*
 * A packed board is one number with four bits per cell, the first cell lowest, each holding the
 * tile's exponent (0 for empty, 1 for 2, 2 for 4, …):
 *
 *     2 0 8        bits  35   31   27   23   19   15   11   7    3   0
 *     0 4 0   →          0001 0000 0000 0000 0010 0000 0011 0000 0001   = 0x100020301
 *     0 0 2              cell 8       …                       1    0
 */

declare const packed: unique symbol;

/**
 * A board of up to 16 cells in 64 bits, four per cell. Only {@link packBoard} and the functions
 * that take one from outside ({@link packedFromBits}, {@link packedFromHalves}) make packed boards,
 * and only {@link packedHalves} and {@link packedToNumber} turn them into numbers: `Number()` would
 * round a board of 14 cells or more to another board, so the compiler rejects it.
 */
export type PackedBoard = bigint & { readonly [packed]: true };

/** A node of the game graph, named by its packed board. Usually the board is canonical. */
export interface PackedNode {
  readonly turn: Turn;
  readonly board: PackedBoard;
}

/** The type of `Number(board)` for a packed board: nothing that expects a number accepts it. */
export interface NotANumber {
  readonly error: "Number() rounds packed boards; use packedToNumber or packedHalves";
}

declare global {
  interface NumberConstructor {
    /** Rejects packed boards, alone or in a union. The first condition lets `any` pass. */
    // biome-ignore lint/style/useShorthandFunctionType: only an interface adds to the built-in one
    <T>(value: T): 0 extends 1 & T ? number : T extends PackedBoard ? NotANumber : number;
  }
}

/** The largest exponent of a tile that four bits hold: 32768 is 2^15. */
export const MAX_EXPONENT = 15;

/** The most cells of a board that a number holds exactly: 13 cells take 52 of its 53 bits. */
export const MAX_NUMBER_CELLS = 13;

/** The exponent of a tile: 0 for an empty cell, k for 2^k. */
export function exponentOf(tile: number): number {
  return tile === 0 ? 0 : 31 - Math.clz32(tile);
}

/** The tile of an exponent; the inverse of {@link exponentOf}. */
export function tileOf(exponent: number): number {
  return exponent === 0 ? 0 : 1 << exponent;
}

/**
 * Packs a board into 64 bits, four per cell.
 *
 * @throws {GameError} `bad-tile` for a tile above 32768, which four bits cannot hold.
 */
export function packBoard(board: Board): PackedBoard {
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
  return packedFromHalves(high, low);
}

/** Packs the board of a node. */
export function packNode({ turn, board }: Node): PackedNode {
  return { turn, board: packBoard(board) };
}

/** Unpacks a board of a shape; the inverse of {@link packBoard}. */
export function unpackBoard(shape: Shape, board: PackedBoard): Board {
  let [high, low] = packedHalves(board);
  const cells: number[] = [];
  for (let cell = 0; cell < cellCount(shape); cell++) {
    cells.push(tileOf(cell < 8 ? low % 16 : high % 16));
    if (cell < 8) low = Math.floor(low / 16);
    else high = Math.floor(high / 16);
  }
  return { rows: shape.rows, cols: shape.cols, cells };
}

/** Interprets 64 bits from outside, signed or unsigned, as a packed board. */
export function packedFromBits(bits: bigint): PackedBoard {
  return BigInt.asUintN(64, bits) as PackedBoard;
}

/** Splits a packed board into cells 8 to 15 and cells 0 to 7: two unsigned numbers of 32 bits. */
export function packedHalves(board: PackedBoard): [high: number, low: number] {
  return [Number(BigInt.asUintN(32, board >> 32n)), Number(BigInt.asUintN(32, board))];
}

/** Joins two halves of 32 bits, signed or unsigned; the inverse of {@link packedHalves}. */
export function packedFromHalves(high: number, low: number): PackedBoard {
  const [above, below] = [high >>> 0, low >>> 0];
  // Converting one number of 53 bits is faster than joining two bigints.
  const bits =
    above < 2 ** 21 ? BigInt(above * 2 ** 32 + below) : (BigInt(above) << 32n) | BigInt(below);
  return bits as PackedBoard;
}

/**
 * Returns a packed board as a number. As keys of a map, numbers are several times as fast as
 * bigints.
 *
 * @throws {RangeError} for a shape of more than {@link MAX_NUMBER_CELLS} cells: numbers cannot tell
 *   its boards apart.
 */
export function packedToNumber(shape: Shape, board: PackedBoard): number {
  if (cellCount(shape) > MAX_NUMBER_CELLS) {
    throw new RangeError(
      `a packed board of ${formatShape(shape)} does not fit a number; expected at most ${MAX_NUMBER_CELLS} cells`,
    );
  }
  return Number(board as bigint);
}

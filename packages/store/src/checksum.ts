import { type PackedBoard, packedHalves, type Shape, type Tiles } from "@gridlock/game";

/**
 * Computes a 32-bit checksum of whole numbers of 32 bits, signed or not. Returns −1, which is never
 * a checksum, if one of them is anything else. Each step is invertible, so changing any single
 * number changes the checksum; changing several goes unnoticed once in four billion times.
 */
function checksum(words: readonly number[]): number {
  let hash = words.length;
  for (const word of words) {
    if (!(Number.isInteger(word) && word >= -(2 ** 31) && word < 2 ** 32)) return -1;
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x85ebca77);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}

/** A stored bound without its game. Reading a board as two halves is faster than as one bigint. */
export type BoundColumns = readonly [
  turn: number,
  high: number,
  low: number,
  lo: number,
  hi: number,
];

/** Computes the checksum of a stored bound and its game. */
export function boundChecksum({ rows, cols }: Shape, tiles: Tiles, bound: BoundColumns): number {
  return checksum([rows, cols, tiles.length, ...bound]);
}

/** Splits a packed board into its high half, signed as in SQLite, and its low half. */
export function signedHalves(board: PackedBoard): [high: number, low: number] {
  const [high, low] = packedHalves(board);
  return [high | 0, low];
}

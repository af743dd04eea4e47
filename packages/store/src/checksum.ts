import { type PackedBoard, packedHalves, type Shape, type Tiles } from "@gridlock/game";

/**
 * A checksum of 32 bits over whole numbers of 32 bits, signed or not; −1, which no checksum is, if one of
 * them is not. Whichever single number changes, it changes too, since each step is invertible; when several
 * change, it stays the same once in four billion times.
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

/** A stored bound without its game; the board in two halves, which are read faster than a bigint. */
export type BoundColumns = readonly [
  turn: number,
  high: number,
  low: number,
  lo: number,
  hi: number,
];

/** The checksum of a stored bound and the game that it is of. */
export function boundChecksum({ rows, cols }: Shape, tiles: Tiles, bound: BoundColumns): number {
  return checksum([rows, cols, tiles.length, ...bound]);
}

/** Splits a packed board into its high half, with its sign as SQLite reads it, and its low half. */
export function signedHalves(board: PackedBoard): [high: number, low: number] {
  const [high, low] = packedHalves(board);
  return [high | 0, low];
}

import type { Shape, Tiles } from "@gridlock/game";

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

/** The high half of a packed board as SQLite has it, with its sign, and the low one. */
export function halvesOf(board: bigint): [high: number, low: number] {
  return [Number(BigInt.asIntN(32, board >> 32n)), Number(BigInt.asUintN(32, board))];
}

/** The packed board of its halves; the inverse of {@link halvesOf}. */
export function joinHalves(high: number, low: number): bigint {
  if (high >= 0 && high < 2 ** 21) return BigInt(high * 2 ** 32 + low);
  return (BigInt(high >>> 0) << 32n) | BigInt(low);
}

import { cellCount, type PackedBoard, type Shape } from "@gridlock/game";

/*
 * The keys of afterstates, by which the boards of a block are sorted: `kernel/assembly/keys.ts` in
 * TypeScript. The compiled modules only convert keys to boards, not boards to keys.
 */

const MULTIPLIER_1 = 0xbf58476d1ce4e5b9n;
const MULTIPLIER_2 = 0x94d049bb133111ebn;
const MOST_BITS = 64;

/** Returns a function that maps the canonical afterstates of a shape to their keys. */
export function keysOf(shape: Shape): (afterstate: PackedBoard) => bigint {
  const boardBits = 4 * cellCount(shape);
  const hasTurn = boardBits < MOST_BITS;
  const keyBits = hasTurn ? boardBits + 1 : boardBits;
  const shift = BigInt((keyBits + 1) >> 1);
  return (board) => {
    let key = hasTurn ? (board << 1n) | 1n : BigInt(board);
    key = BigInt.asUintN(keyBits, (key ^ (key >> shift)) * MULTIPLIER_1);
    key = BigInt.asUintN(keyBits, (key ^ (key >> shift)) * MULTIPLIER_2);
    return key ^ (key >> shift);
  };
}

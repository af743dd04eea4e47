/*
 * Keys of the table: a board and whose turn it is. Keys are mixed by an invertible function so that
 * they spread over the table.
 */
import { BOARD_BITS } from "../../boards/assembly/shape";

/**
 * True if positions have keys too. That takes another bit, and a board of 16 cells leaves none: its
 * table stores afterstates only.
 */
export const KEEPS_POSITIONS: bool = BOARD_BITS < 64;
export const KEY_BITS: i32 = KEEPS_POSITIONS ? BOARD_BITS + 1 : BOARD_BITS;
export const KEY_MASK: u64 = u64.MAX_VALUE >> (64 - KEY_BITS);

/* Odd multipliers and their inverses modulo 2^64, hence modulo any smaller power of two. */
const MULTIPLIER_1: u64 = 0xbf58476d1ce4e5b9;
const INVERSE_1: u64 = 0x96de1b173f119089;
const MULTIPLIER_2: u64 = 0x94d049bb133111eb;
const INVERSE_2: u64 = 0x319642b2d24d8ec3;
/** At least half of KEY_BITS, so that x ^ (x >> SHIFT) is its own inverse. */
const SHIFT: i32 = (KEY_BITS + 1) / 2;

/** Returns the key of a position; only if positions have keys. */
@inline
export function positionKey(board: u64): u64 {
  return board << 1;
}

/** Returns the key of an afterstate. */
@inline
export function afterstateKey(board: u64): u64 {
  return KEEPS_POSITIONS ? (board << 1) | 1 : board;
}

/** Returns the board of a key. */
@inline
export function boardOf(key: u64): u64 {
  return KEEPS_POSITIONS ? key >> 1 : key;
}

/**
 * Returns the busy mark of a position (`busy.ts`): its key or, if it has none, a number that is
 * probably unique.
 */
@inline
export function positionMark(board: u64): u64 {
  return KEEPS_POSITIONS ? positionKey(board) : ~board;
}

@inline
export function mix(key: u64): u64 {
  let x = key ^ (key >> SHIFT);
  x = (x * MULTIPLIER_1) & KEY_MASK;
  x ^= x >> SHIFT;
  x = (x * MULTIPLIER_2) & KEY_MASK;
  return x ^ (x >> SHIFT);
}

@inline
export function unmix(mixed: u64): u64 {
  let x = mixed ^ (mixed >> SHIFT);
  x = (x * INVERSE_2) & KEY_MASK;
  x ^= x >> SHIFT;
  x = (x * INVERSE_1) & KEY_MASK;
  return x ^ (x >> SHIFT);
}

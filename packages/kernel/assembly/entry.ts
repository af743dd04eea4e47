/*
 * Entries of the transposition table: the bounds of one key, in one 64-bit word that is read and
 * written at once. From the lowest bit; an empty entry is 0:
 *
 *     EFFORT_BITS   effort: about 2·log2 of the nodes spent on it, at least 1
 *     VALUE_BITS    hi, points / 4; all ones if unknown
 *     VALUE_BITS    lo, points / 4
 *     the rest      low bits of the mixed key
 */
import { VALUE_BITS } from "./limits";

/** No known upper bound; also the mask of a bound. */
export const NONE: i32 = (1 << VALUE_BITS) - 1;

const EFFORT_BITS: i32 = 6;
const EFFORT_MASK: u64 = (u64(1) << EFFORT_BITS) - 1;
/** Largest effort that an entry can hold. */
export const MAX_EFFORT: i32 = <i32>EFFORT_MASK;
const HI_SHIFT: i32 = EFFORT_BITS;
const LO_SHIFT: i32 = EFFORT_BITS + VALUE_BITS;
/** Lowest bit of the key. */
export const REST_SHIFT: i32 = EFFORT_BITS + 2 * VALUE_BITS;

/** Makes an entry; `hi` is NONE if unknown. */
@inline
export function entryOf(rest: u64, lo: i32, hi: i32, effort: u64): u64 {
  return (rest << REST_SHIFT) | ((<u64>lo) << LO_SHIFT) | ((<u64>hi) << HI_SHIFT) | effort;
}

/** Returns the low bits of the mixed key of an entry. */
@inline
export function restOf(entry: u64): u64 {
  return entry >> REST_SHIFT;
}

/** Returns the lower bound of an entry, points / 4; 0 for an empty one. */
@inline
export function loOf(entry: u64): i32 {
  return <i32>(entry >> LO_SHIFT) & NONE;
}

/** Returns the upper bound of an entry, points / 4; NONE for an empty one. */
@inline
export function hiOf(entry: u64): i32 {
  return entry == 0 ? NONE : <i32>(entry >> HI_SHIFT) & NONE;
}

/** Returns the effort of an entry. */
@inline
export function effortIn(entry: u64): u64 {
  return entry & EFFORT_MASK;
}

/** Converts a number of nodes to the effort stored in entries. */
export function effortOf(nodes: u64): u64 {
  if (nodes < 2) return 1;
  const log2 = 63 - clz(nodes);
  const half = (nodes >> (log2 - 1)) & 1;
  return min(2 * log2 + half, EFFORT_MASK);
}

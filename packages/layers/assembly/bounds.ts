/*
 * Bounds, in points / 4, and how two bytes represent that of a board without a node:
 *     the short form    8·lo + 1 or 8·hi + 3, + 4 if the board is a guest (a lower bound of 0 says
 *                       nothing)
 *     a pair            256·lo + 8·(hi − lo), + 4 if the board is a guest; lo ≥ 1
 * Few bounds have neither form. Files have only the short one.
 */
/** No upper bound known. */
export const NONE: i32 = 0xffff;

/** Returns true if a bound answers whether h ≥ need. */
// @ts-ignore: decorator
@inline
export function settles(lo: i32, hi: i32, need: i32): bool {
  return lo >= need || (hi != NONE && hi < need);
}

const IS_SHORT: u32 = 1;
const IS_UPPER: u32 = 2;
const IS_GUEST: u32 = 4;
/** Position of the bound of a short form above the flags, and the largest one that fits. */
const SHORT_LOG2: u32 = 3;
const MOST_SHORT: u32 = 0xffff >> SHORT_LOG2;
/** Positions of a pair's difference and of its lower bound, and the largest ones that fit. */
const DIFFERENCE_LOG2: u32 = 3;
const MOST_DIFFERENCE: u32 = 31;
const LO_LOG2: u32 = 8;
const MOST_LO: u32 = 0xffff >> LO_LOG2;

/** Returns the short form of a board's bound, or 0 if it has none. */
// @ts-ignore: decorator
@inline
export function shortOf(lo: u32, hi: u32, isGuest: bool): u32 {
  const isUpper = hi != NONE;
  const value = isUpper ? hi : lo;
  if ((isUpper && lo > 0) || value > MOST_SHORT) return 0;
  return (value << SHORT_LOG2) | IS_SHORT | (isUpper ? IS_UPPER : 0) | (isGuest ? IS_GUEST : 0);
}

/** Returns the pair of a board's bound that has no short form, or 0 if it has no pair either. */
// @ts-ignore: decorator
@inline
export function pairOf(lo: u32, hi: u32, isGuest: bool): u32 {
  if (lo == 0 || lo > MOST_LO || hi < lo || hi - lo > MOST_DIFFERENCE) return 0;
  return (lo << LO_LOG2) | ((hi - lo) << DIFFERENCE_LOG2) | (isGuest ? IS_GUEST : 0);
}

// @ts-ignore: decorator
@inline
export function isShort(form: u32): bool {
  return (form & IS_SHORT) != 0;
}

/** Returns the lower bound of a short form or a pair; 0 if `form` is 0. */
// @ts-ignore: decorator
@inline
export function loOf(form: u32): i32 {
  const isUpper = (form & IS_UPPER) != 0;
  return isShort(form) ? (isUpper ? 0 : form >> SHORT_LOG2) : form >> LO_LOG2;
}

/** Returns the upper bound of a short form or a pair; NONE if `form` is 0. */
// @ts-ignore: decorator
@inline
export function hiOf(form: u32): i32 {
  if (isShort(form)) return (form & IS_UPPER) != 0 ? form >> SHORT_LOG2 : NONE;
  if (form == 0) return NONE;
  return (form >> LO_LOG2) + ((form >> DIFFERENCE_LOG2) & MOST_DIFFERENCE);
}

// @ts-ignore: decorator
@inline
export function isGuestIn(form: u32): bool {
  return (form & IS_GUEST) != 0;
}

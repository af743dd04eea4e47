/*
 * Bounds, in points / 4. The form of a board's bounds has two bytes:
 *     one bound      8·lo + 1 or 8·hi + 3, + 4 if the board is a guest (a lower bound of 0 says
 *                    nothing)
 *     both bounds    256·lo + 8·(hi − lo), + 4 if the board is a guest
 * Bounds that are too large for that have the form 0.
 */
/** No upper bound known. */
export const NONE: i32 = 0xffff;

/** Returns true if a bound answers whether h ≥ need. */
@inline
export function settles(lo: i32, hi: i32, need: i32): bool {
  return lo >= need || (hi != NONE && hi < need);
}

const IS_SINGLE: u32 = 1;
const IS_UPPER: u32 = 2;
const IS_GUEST: u32 = 4;
/** Position of a single bound above the flags, and the largest one that fits. */
const SINGLE_LOG2: u32 = 3;
const MOST_SINGLE: u32 = 0xffff >> SINGLE_LOG2;
/** Positions of the difference of two bounds and of the lower one, and the largest that fit. */
const DIFFERENCE_LOG2: u32 = 3;
const MOST_DIFFERENCE: u32 = 31;
const LO_LOG2: u32 = 8;
const MOST_LO: u32 = 0xffff >> LO_LOG2;

/** Returns the form of a board's bounds; 0 if they are too large. */
@inline
export function formOf(lo: u32, hi: u32, isGuest: bool): u32 {
  const guest: u32 = isGuest ? IS_GUEST : 0;
  const isUpper = hi != NONE;
  if (isUpper && lo > 0) {
    if (lo > MOST_LO || hi < lo || hi - lo > MOST_DIFFERENCE) return 0;
    return (lo << LO_LOG2) | ((hi - lo) << DIFFERENCE_LOG2) | guest;
  }
  const value = isUpper ? hi : lo;
  if (value > MOST_SINGLE) return 0;
  return (value << SINGLE_LOG2) | IS_SINGLE | (isUpper ? IS_UPPER : 0) | guest;
}

/** Returns true if a number that is not 0 is the form of some bounds. */
@inline
export function isForm(form: u32): bool {
  return (form & IS_SINGLE) != 0 || ((form & IS_UPPER) == 0 && form >> LO_LOG2 > 0);
}

/** Returns the lower bound of a form; 0 if that is 0. */
@inline
export function loOf(form: u32): i32 {
  const single = (form & IS_UPPER) != 0 ? 0 : form >> SINGLE_LOG2;
  return (form & IS_SINGLE) != 0 ? single : form >> LO_LOG2;
}

/** Returns the upper bound of a form; NONE if that is 0. */
@inline
export function hiOf(form: u32): i32 {
  if ((form & IS_SINGLE) != 0) return (form & IS_UPPER) != 0 ? form >> SINGLE_LOG2 : NONE;
  if (form == 0) return NONE;
  return (form >> LO_LOG2) + ((form >> DIFFERENCE_LOG2) & MOST_DIFFERENCE);
}

/** Returns true if the board of a form is a guest. */
@inline
export function isGuestIn(form: u32): bool {
  return (form & IS_GUEST) != 0;
}

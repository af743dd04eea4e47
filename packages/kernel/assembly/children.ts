/*
 * Records of a node's children, in the lists that `moves.ts` makes. A record is identified by its
 * address, and read and written by the offsets of its fields: for an access to a field by name, the
 * compiler makes a function, and code that calls many of them is optimized differently.
 *
 * The module of the prover, which has no table, uses lists of slides too. There a slide is listed
 * with its canonical board, not mixed, and without a rank.
 */

/** A child: a slide or a reply. */
@unmanaged
export class Child {
  /** The board; of a slide, the canonical one. */
  board: u64;
  /** The lowest is searched first. */
  rank: i32;
}

/** A slide of a position. */
@unmanaged
export class Slide extends Child {
  /** Points / 4 that it earns. */
  score: i32;
}

/** A slide that the search has listed but not yet ranked. */
@unmanaged
export class UnrankedSlide {
  /** The mixed key of the canonical board; see `keys.ts`. */
  mixed: u64;
  unused: i32;
  /** Points / 4 that it earns. */
  score: i32;
}

/** A reply to an afterstate. */
@unmanaged
export class Reply extends Child {
  /** Address of the list of its slides. */
  slides: usize;
}

/** The head of a list of slides, which follow it. */
@unmanaged
export class SlideList {
  /** Number of slides. */
  count: i32;
  /** Largest bound, points / 4, of the slides left out because they are known to fail. */
  failed: i32;
  /** Shard of the table for the slides. */
  shard: u32;
  unused: u32;
}

/** Bytes per child in a list. */
export const CHILD_BYTES: i32 = offsetof<Slide>();
/** Offset of the first slide in a list of slides. */
export const SLIDES_HEAD: i32 = offsetof<SlideList>();
/** Bytes of a list of a position's slides: a head and at most four children. */
export const SLIDES_BYTES: i32 = SLIDES_HEAD + 4 * CHILD_BYTES;

/** Returns the number of slides in a list. */
@inline
export function slideCount(list: usize): i32 {
  return load<i32>(list, offsetof<SlideList>("count"));
}

/** Returns the largest bound, points / 4, of the slides left out of a list. */
@inline
export function mostFailed(list: usize): i32 {
  return load<i32>(list, offsetof<SlideList>("failed"));
}

/** Returns the board of a child. */
@inline
export function boardAt(child: usize): u64 {
  return load<u64>(child, offsetof<Child>("board"));
}

/** Returns the rank of a child. */
@inline
export function rankOf(child: usize): i32 {
  return load<i32>(child, offsetof<Child>("rank"));
}

/** Returns the mixed key of a slide that is not yet ranked. */
@inline
export function mixedAt(slide: usize): u64 {
  return load<u64>(slide, offsetof<UnrankedSlide>("mixed"));
}

/** Returns points / 4 that a slide earns. */
@inline
export function scoreOf(slide: usize): i32 {
  return load<i32>(slide, offsetof<Slide>("score"));
}

/** Returns the list of the slides after a reply. */
@inline
export function slidesAfter(reply: usize): usize {
  return load<usize>(reply, offsetof<Reply>("slides"));
}

/*
 * The threshold search: is h ≥ t? Two mutually recursive functions, for positions (the slider to
 * move) and afterstates (the placer to move). All points are divided by 4.
 *
 * Each takes a canonical board and a threshold t ≥ 1 and returns a bound r (fail-soft):
 *
 *     r ≥ t        h ≥ r: the slider can force r
 *     0 ≤ r < t    h ≤ r: the placer can hold the slider to r
 *     r < 0        stopped without an answer
 *
 * and stores the bound in the table. The table may lose entries: every answer follows from the
 * answers below it, looked up or searched again.
 *
 * Before a node is expanded, its successors are looked up in the table (enhanced transposition
 * cut-offs): for an afterstate, all slides after any of its replies. Replies that this decides are
 * not searched, so they do not count as expanded positions. The bounds of its slides imply those of
 * a position, so the table mainly stores afterstates.
 *
 * This file exceeds 350 lines because its functions call each other and share the thread's
 * counters, which only their own module can assign to.
 */
import { canonicalUnder, NORMAL } from "../../boards/assembly/board";
import { CELLS } from "../../boards/assembly/shape";
import { AFTERSTATES, FRAME_BYTES, POSITIONS, STEP, STEPPED, STOP } from "./layout";
import {
  boardAt,
  Child,
  CHILD_BYTES,
  mixedAt,
  mostFailed,
  rankOf,
  scoreOf,
  slideCount,
  SlideList,
  SLIDES_BYTES,
  SLIDES_HEAD,
  slidesAfter,
  UnrankedSlide,
} from "./children";
import { listReplies, listSlides } from "./moves";
import { effortOf, hiOf, loOf, NONE } from "./entry";
import { afterstateKey, boardOf, KEEPS_POSITIONS, positionKey, positionMark, unmix } from "./keys";
import { merge, probe, probeIn, settledBy } from "./table";
import { surelyEarned } from "./bound";
import {
  HELD,
  isAlmostFull,
  otherSlideRank,
  ownRank,
  ownSlideRank,
  replyRank,
  SHIFTED_DEPTH,
  slideRank,
} from "./order";
import { isJournaled, journal } from "./journal";
import { isBusy, markBusy, unmarkBusy } from "./busy";
import {
  depth,
  enter,
  isDropping,
  isOvertaken,
  leave,
  neighbours,
  resetPath,
  together,
} from "./together";

const STOPPED: i32 = -1;
/**
 * Minimum number of nodes for a position's bound to be stored. A cheaper search ends between two
 * checks of a thread's path.
 */
const KEPT_POSITION: u64 = 256;
/** Mask of the nodes between two checks of the stop flag and, with other threads, of the path. */
const POLL_MASK: u64 = 255;
/** Rank of a child deferred because another thread is searching it. */
const DEFERRED: i32 = i32.MAX_VALUE;

let control: usize = 0;
/** Address of this thread's frames, and of the first free byte after those in use. */
let framesBase: usize = 0;
let frames: usize = 0;
let positions: u64 = 0;
let afterstates: u64 = 0;
let lastNode: u64 = 0;
let stopped: bool = false;
/** Number of this machine's own order of children; 0: the common order. See `order.ts`. */
let ownOrder: u32 = 0;
/** Exponents of the tiles the placer may place, one bit each: 2 alone, or 2 and 4. */
let placedTiles: u32 = 6;

/** Sets the search's control words, its area for frames, and the placer's tiles. */
export function attachSearch(controlAt: usize, framesAt: usize, tiles: u32): void {
  control = controlAt;
  framesBase = framesAt;
  placedTiles = tiles;
  positions = 0;
  afterstates = 0;
}

/**
 * Options that make a confirmation independent: ignore the bounds of `bound.ts`, and order children
 * differently.
 */
let withoutBound: bool = false;
let otherOrder: bool = false;

/**
 * Sets the options that let a search confirm results independently of its main techniques.
 */
export function setConfirming(noBound: bool, another: bool): void {
  withoutBound = noBound;
  otherOrder = another;
}

/**
 * Asks whether h ≥ threshold, expanding at most `budget` more nodes; the file comment describes the
 * result. If other threads search the same question (`others`), children are searched in the order
 * number `order`; `beside` says whether some of them share the table.
 */
export function ask(
  board: u64,
  placerToMove: bool,
  threshold: i32,
  budget: u64,
  others: bool,
  beside: bool,
  order: u32,
): i32 {
  ownOrder = order;
  lastNode = positions + afterstates + budget;
  stopped = false;
  frames = framesBase; // a call that overflowed the stack left its frames in use
  resetPath(others, beside);
  if (placerToMove || KEEPS_POSITIONS) {
    const key = placerToMove ? afterstateKey(board) : positionKey(board);
    const known = settledBy(key, threshold);
    if (known >= 0) return known;
  }
  let bound: i32;
  if (placerToMove) {
    bound = searchAfterstate(board, threshold, false);
  } else {
    listSlides(board, framesBase);
    frames = framesBase + SLIDES_BYTES;
    bound = searchPosition(board, threshold, framesBase, false);
  }
  publishCounts();
  return bound;
}

/**
 * Returns the table's bounds of a position, from its own entry and those of its slides, points / 4:
 * lo in the low half, hi (or NONE) in the high half.
 */
export function lookAtPosition(board: u64): i32 {
  const known: u64 = KEEPS_POSITIONS ? probe(positionKey(board)) : 0;
  listSlides(board, framesBase);
  const count = slideCount(framesBase);
  let lo = mostFailed(framesBase); // bound of the slides after which the game ends
  let hi = lo;
  for (let i = 0; i < count; i++) {
    const child = framesBase + SLIDES_HEAD + i * CHILD_BYTES;
    const score = scoreOf(child);
    const slide = probe(unmix(mixedAt(child)));
    lo = max(lo, score + loOf(slide));
    hi = max(hi, score + hiOf(slide));
  }
  lo = min(max(lo, loOf(known)), NONE - 1);
  hi = min(min(hi, hiOf(known)), NONE);
  return (hi << 16) | lo;
}

function publishCounts(): void {
  store<u64>(control + POSITIONS, positions);
  store<u64>(control + AFTERSTATES, afterstates);
}

/**
 * Returns true if the search must stop here: the budget is spent, the loader has requested it, or
 * another thread has decided a node above.
 */
function mustStop(): bool {
  if (stopped || isDropping()) return true;
  const nodes = positions + afterstates;
  if (nodes >= lastNode) stopped = true;
  else if ((nodes & POLL_MASK) == 0) {
    publishCounts();
    awaitStep();
    if (atomic.load<i32>(control + STOP) != 0) stopped = true;
    else if (together) return isOvertaken();
  }
  return stopped;
}

/** If the loader wants the search step by step, from check to check, waits for the next step. */
function awaitStep(): void {
  const step = atomic.load<i32>(control + STEP);
  if (step == 0) return;
  atomic.store<i32>(control + STEPPED, step);
  atomic.notify(control + STEPPED, 1);
  while (atomic.load<i32>(control + STEP) == step) atomic.wait<i32>(control + STEP, step, -1);
}

/**
 * Inserts a child by rank among the `count` before it; equal ranks keep their order. `last` is its
 * last field: a slide's score, or the address of a reply's slides.
 */
@inline
function insert(frame: usize, count: i32, board: u64, rank: i32, last: i32): void {
  let at = frame + count * CHILD_BYTES;
  while (at > frame && load<i32>(at - CHILD_BYTES, offsetof<Child>("rank")) > rank) {
    store<u64>(at, load<u64>(at - CHILD_BYTES));
    store<u64>(at, load<u64>(at - CHILD_BYTES, offsetof<Child>("rank")), offsetof<Child>("rank"));
    at -= CHILD_BYTES;
  }
  store<u64>(at, board, offsetof<Child>("board"));
  store<i32>(at, rank, offsetof<Child>("rank"));
  store<i32>(at, last, offsetof<Child>());
}

/**
 * Stores a bound that answers h ≥ threshold, and journals it; `held` is the effort in the table.
 */
@inline
function storeBound(key: u64, threshold: i32, bound: i32, effort: u64, held: u64): void {
  const lo = bound >= threshold ? bound : 0;
  const hi = bound >= threshold ? NONE : bound;
  merge(key, lo, hi, held);
  if (isJournaled(effort)) journal(key, lo, hi, effort);
}

/**
 * Stores the answer of an afterstate's search that began at node number `start`; returns the bound.
 */
function learned(board: u64, threshold: i32, bound: i32, start: u64): i32 {
  const effort = effortOf(positions + afterstates - start);
  storeBound(afterstateKey(board), threshold, bound, effort, effort);
  return bound;
}

/**
 * Stores the answer of a position's search if it was expensive. The search itself looks up only
 * slides, which imply the same bound; this is for other users: threads that have the position on
 * their path, and the reader of the journal. In the table it is the first to be replaced.
 */
function learnedOfPosition(board: u64, threshold: i32, bound: i32, start: u64): i32 {
  const nodes = positions + afterstates - start;
  if (!KEEPS_POSITIONS || nodes < KEPT_POSITION) return bound;
  storeBound(positionKey(canonicalUnder(board, NORMAL)), threshold, bound, effortOf(nodes), 1);
  return bound;
}

/**
 * Looks up the slides of a list in the table. If one is known to reach the threshold, returns its
 * bound, and the list is no longer usable. Otherwise removes the slides known to fail from the list
 * and returns the largest of their bounds.
 */
function lookAtSlides(list: usize, threshold: i32): i32 {
  const slides = list + SLIDES_HEAD;
  const count = slideCount(list);
  const shard = load<u32>(list, offsetof<SlideList>("shard"));
  let most = mostFailed(list);
  if (most >= threshold) return most;
  let open = 0;
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const mixed = mixedAt(child);
    const score = scoreOf(child);
    const known = probeIn(shard, mixed);
    if (score + loOf(known) >= threshold) {
      return score + loOf(known);
    }
    if (score + hiOf(known) < threshold) {
      most = max(most, score + hiOf(known));
      continue;
    }
    store<u64>(slides + open * CHILD_BYTES, mixed, offsetof<UnrankedSlide>("mixed"));
    store<i32>(slides + open * CHILD_BYTES, score, offsetof<UnrankedSlide>("score"));
    open++;
  }
  store<i32>(list, open, offsetof<SlideList>("count"));
  store<i32>(list, most, offsetof<SlideList>("failed"));
  return most;
}

/** Sorts the slides of a list into search order. */
function rankSlides(list: usize, holds: bool): void {
  const slides = list + SLIDES_HEAD;
  const count = slideCount(list);
  const isAny = !holds && depth <= SHIFTED_DEPTH;
  for (let i = 0; i < count; i++) {
    const after = boardOf(
      unmix(load<u64>(slides + i * CHILD_BYTES, offsetof<UnrankedSlide>("mixed"))),
    );
    const score = load<i32>(slides + i * CHILD_BYTES, offsetof<UnrankedSlide>("score"));
    const rank = otherOrder ? otherSlideRank(after) : slideRank(after, score);
    insert(
      slides,
      i,
      after,
      ownOrder == 0 ? rank : ownSlideRank(after, rank, isAny, ownOrder),
      score,
    );
  }
}

/**
 * Returns true if this pass must skip a child. The first pass skips and marks the children that
 * another thread is searching; the second takes only those.
 */
@inline
function isPutOff(child: usize, mark: u64, pass: i32): bool {
  if (pass == 2) return rankOf(child) != DEFERRED;
  if (!isBusy(mark)) return false;
  store<i32>(child, DEFERRED, offsetof<Child>("rank"));
  return true;
}

/** Returns true if positions are put on the path, or marked for other threads. */
@inline
function namesPositions(): bool {
  return KEEPS_POSITIONS ? together : neighbours;
}

/**
 * Searches a position, a canonical one if {@link namesPositions}; `list` has its slides without
 * those that are known to fail; see `moves.ts`. `holds` is true if the answer is expected to be
 * yes, which matters for a machine's own order only.
 */
function searchPosition(board: u64, threshold: i32, list: usize, holds: bool): i32 {
  const bound = lookAtSlides(list, threshold);
  if (bound >= threshold || slideCount(list) == 0) return bound;
  if (mustStop()) return STOPPED;
  if (!namesPositions()) return expandPosition(board, threshold, list, bound, holds);
  if (!KEEPS_POSITIONS) {
    markBusy(positionMark(board));
    const answer = expandPosition(board, threshold, list, bound, holds);
    unmarkBusy(positionMark(board));
    return answer;
  }
  enter(positionKey(board), threshold);
  return leave(positionKey(board), expandPosition(board, threshold, list, bound, holds));
}

/** Expands a position; `bound` is the largest bound of the slides that are known to fail. */
function expandPosition(board: u64, threshold: i32, list: usize, bound: i32, holds: bool): i32 {
  positions++;
  const start = positions + afterstates;
  rankSlides(list, holds);
  const slides = list + SLIDES_HEAD;
  const count = slideCount(list);

  for (let i = 0; i < count && !withoutBound; i++) {
    const child = slides + i * CHILD_BYTES;
    const after = boardAt(child);
    const score = scoreOf(child);
    const earned = surelyEarned(after, false, placedTiles, placedTiles, threshold - score);
    if (score + earned < threshold) continue;
    learned(after, earned, earned, start);
    return score + earned;
  }

  const passes = neighbours && count > 1 ? 2 : 1;
  for (let pass = 1; pass <= passes && bound < threshold; pass++) {
    for (let i = 0; i < count; i++) {
      const child = slides + i * CHILD_BYTES;
      const key = afterstateKey(boardAt(child));
      if (passes == 2 && isPutOff(child, key, pass)) continue;
      const score = scoreOf(child);
      // Most deferred children have been settled since.
      const settled = pass == 1 ? -1 : settledBy(key, threshold - score);
      const value =
        settled >= 0 ? settled : searchAfterstate(boardOf(key), threshold - score, holds);
      if (value < 0) return STOPPED;
      bound = max(bound, score + value);
      if (bound >= threshold) break;
    }
  }
  return learnedOfPosition(board, threshold, bound, start);
}

function searchAfterstate(board: u64, threshold: i32, holds: bool): i32 {
  if (mustStop()) return STOPPED;
  enter(afterstateKey(board), threshold);
  return leave(afterstateKey(board), expandAfterstate(board, threshold, holds));
}

function expandAfterstate(board: u64, threshold: i32, holds: bool): i32 {
  afterstates++;
  const start = positions + afterstates;
  const frame = frames;
  const lists = frame + 2 * CELLS * CHILD_BYTES;
  let bound = NONE; // the smallest lower bound of the placements that do not fail
  let least = NONE; // the smallest upper bound of the placements that do

  const listed = listReplies(board, placedTiles, frame, lists);
  const almostFull = otherOrder || isAlmostFull(board);
  const isOwnOrder = holds && together && ownOrder != 0 && depth <= SHIFTED_DEPTH;
  let count = 0;
  for (let i = 0; i < listed; i++) {
    const child = frame + i * CHILD_BYTES;
    const list = slidesAfter(child);
    const seen = lookAtSlides(list, threshold);
    const open = slideCount(list);
    if (seen >= threshold) {
      bound = min(bound, seen);
    } else if (open == 0) {
      least = min(least, seen);
    } else {
      const reply = boardAt(child);
      const rank = replyRank(almostFull, open);
      const own = isOwnOrder ? ownRank(reply, rank, count, ownOrder) : rank;
      insert(frame, count, reply, own, <i32>list);
      count++;
    }
  }
  if (least != NONE) return learned(board, threshold, least, start);

  frames = frame + FRAME_BYTES;
  let held = 0;
  const passes = neighbours && count > 1 ? 2 : 1;
  for (let pass = 1; pass <= passes && bound >= threshold; pass++) {
    for (let i = 0; i < count; i++) {
      const child = frame + i * CHILD_BYTES;
      if (pass == 2 && rankOf(child) != DEFERRED) continue;
      const made = boardAt(child);
      const reply = namesPositions() ? canonicalUnder(made, NORMAL) : made;
      if (passes == 2 && isPutOff(child, positionMark(reply), pass)) continue;
      const value = searchPosition(reply, threshold, slidesAfter(child), holds || held >= HELD);
      if (value < 0) {
        frames = frame;
        return STOPPED;
      }
      bound = min(bound, value);
      if (bound < threshold) break;
      held++;
    }
  }
  frames = frame;
  return learned(board, threshold, bound, start);
}

/*
 * The threshold search: is h ≥ t? Two functions that call each other, for positions (the slider to
 * move) and afterstates (the placer to move). Points are counted in quarters throughout.
 *
 * Each takes a canonical board and a threshold t ≥ 1 and returns a bound r (fail-soft):
 *
 *     r ≥ t        h ≥ r: the slider can force r
 *     0 ≤ r < t    h ≤ r: the placer can hold the slider to r
 *     r < 0        stopped before there was an answer
 *
 * and leaves the bound in the table. That the table forgets is harmless: every answer follows from
 * the answers below it, whether looked up or searched again.
 *
 * Before either searches one child, it looks up all of them (enhanced transposition cut-offs), and
 * the placer's side looks up the slides that follow each of its replies too. A reply that this look
 * decides is not searched, so it is not among the positions expanded.
 */
import { CELLS, SQUARE } from "./shape";
import {
  AFTERSTATES,
  CHILD_BYTES,
  FRAME_BYTES,
  POSITIONS,
  REUSE_EFFORT,
  STEP,
  STEPPED,
  STOP,
  TILE_IMAGES,
} from "./layout";
import {
  asDoubles,
  canonicalUnder,
  FROM_TRANSPOSED,
  imagePair,
  NORMAL,
  SLIDE_IMAGES,
  smallerPair,
  smallest,
  unpack,
} from "./board";
import { slideLines } from "./lines";
import {
  afterstateKey,
  effortIn,
  effortOf,
  hiOf,
  loOf,
  merge,
  NONE,
  positionKey,
  probe,
  settledBy,
} from "./table";
import { surelyEarned } from "./bound";
import { isAlmostFull, replyRank, slideRank } from "./order";
import { isJournaled, journal } from "./journal";
import { isBusy } from "./busy";
import { depth, enter, isDropping, isOvertaken, leave, resetPath, together } from "./together";

// @ts-ignore: given by the compiler's command line
const ROW_COUNT: i32 = ROWS;
// @ts-ignore: given by the compiler's command line
const COL_COUNT: i32 = COLS;

const STOPPED: i32 = -1;
/** Nodes between two looks at the stop flag and, with other threads, at the path. */
const POLL_MASK: u64 = 255;
/** Rank of a child that is put off because another thread is searching it. */
const DEFERRED: i32 = i32.MAX_VALUE;

let control: usize = 0;
/** Where this thread's frames begin, and the first free byte behind those in use. */
let framesBase: usize = 0;
let frames: usize = 0;
let positions: u64 = 0;
let afterstates: u64 = 0;
let lastNode: u64 = 0;
let stopped: bool = false;
/** Effort given to cheaper entries that prove of use; 0: none is. */
let reuseEffort: i32 = 0;
/** Exponents of the tiles the placer may place, a bit each: 2 alone, or 2 and 4. */
let placedTiles: u32 = 6;
/**
 * Gives this machine an order of its own among slides of one rank, and among replies; 0: the order in which they are
 * made.
 */
let tieSeed: u64 = 0;

/** Gives the search its thread's control words, its room for frames, the placer's tiles, and its ties' seed. */
export function attachSearch(controlAt: usize, framesAt: usize, tiles: u32, ties: u64): void {
  control = controlAt;
  framesBase = framesAt;
  placedTiles = tiles;
  tieSeed = ties;
  positions = 0;
  afterstates = 0;
}

/** Asks whether h ≥ threshold, with at most `budget` more nodes; see above for what it returns. */
export function ask(board: u64, placerToMove: bool, threshold: i32, budget: u64): i32 {
  lastNode = positions + afterstates + budget;
  stopped = false;
  reuseEffort = load<i32>(control + REUSE_EFFORT);
  frames = framesBase; // a call that ran out of stack left its own in use
  resetPath();
  const key = placerToMove ? afterstateKey(board) : positionKey(board);
  const known = settledBy(key, threshold);
  if (known >= 0) return known;
  const bound = placerToMove
    ? searchAfterstate(board, threshold)
    : searchPosition(board, threshold);
  publishCounts();
  return bound;
}

function publishCounts(): void {
  store<u64>(control + POSITIONS, positions);
  store<u64>(control + AFTERSTATES, afterstates);
}

/**
 * Whether to search no further here: the budget is spent, the loader has asked for it, or another
 * thread has decided a node above.
 */
function mustStop(): bool {
  if (stopped || isDropping()) return true;
  const nodes = positions + afterstates;
  if (nodes >= lastNode) stopped = true;
  else if ((nodes & POLL_MASK) == 0) {
    publishCounts();
    awaitStep();
    reuseEffort = load<i32>(control + REUSE_EFFORT);
    if (atomic.load<i32>(control + STOP) != 0) stopped = true;
    else if (together) return isOvertaken(nodes);
  }
  return stopped;
}

/** Where the loader wants the search step by step, from poll to poll: waits for the next. */
function awaitStep(): void {
  const step = atomic.load<i32>(control + STEP);
  if (step == 0) return;
  atomic.store<i32>(control + STEPPED, step);
  atomic.notify(control + STEPPED, 1);
  while (atomic.load<i32>(control + STEP) == step) atomic.wait<i32>(control + STEP, step, -1);
}

/*
 * A child in a frame, 16 bytes:
 *     0   u64   canonical board
 *     8   i32   rank, the lowest is searched first
 *    12   i32   points / 4 of the slide that leads there
 */

/** Puts a child into its place among the `count` before it, by rank; equals keep their order. */
// @ts-ignore: decorator
@inline
function insert(frame: usize, count: i32, board: u64, rank: i32, score: i32): void {
  let at = frame + count * CHILD_BYTES;
  while (at > frame && load<i32>(at - CHILD_BYTES, 8) > rank) {
    store<u64>(at, load<u64>(at - CHILD_BYTES));
    store<u64>(at, load<u64>(at - CHILD_BYTES, 8), 8);
    at -= CHILD_BYTES;
  }
  store<u64>(at, board);
  store<i32>(at, rank, 8);
  store<i32>(at, score, 12);
}

/** Whether a board is one of the first `count` children of a frame. */
// @ts-ignore: decorator
@inline
function isAmong(frame: usize, count: i32, board: u64): bool {
  for (let i = 0; i < count; i++) {
    if (load<u64>(frame + i * CHILD_BYTES) == board) return true;
  }
  return false;
}

/** Stores what a search that began at node number `start` has answered; returns the bound. */
function learned(key: u64, threshold: i32, bound: i32, start: u64): i32 {
  const effort = effortOf(positions + afterstates - start);
  const lo = bound >= threshold ? bound : 0;
  const hi = bound >= threshold ? NONE : bound;
  merge(key, lo, hi, effort);
  if (isJournaled(effort)) journal(key, lo, hi, effort);
  return bound;
}

/**
 * Notes that an entry has decided something. One that is too cheap to be passed on to other machines is worth
 * it the first time that it is of use: then it is given the effort that it lacks.
 */
// @ts-ignore: decorator
@inline
function used(key: u64, entry: u64): void {
  if (effortIn(entry) < reuseEffort) passOn(key, entry);
}

function passOn(key: u64, entry: u64): void {
  merge(key, loOf(entry), hiOf(entry), reuseEffort);
  journal(key, loOf(entry), hiOf(entry), reuseEffort);
}

/** 0 or 1, as chance and the seed have it; always 0 with the seed 0. */
// @ts-ignore: decorator
@inline
function tieBit(board: u64): i32 {
  return <i32>((board * tieSeed) >> 63);
}

/** Replies to afterstates on so short a path, which mostly all must be refuted, come in a machine's own order. */
const OWN_ORDER_DEPTH: i32 = 4;
/** Below that and up to this length of path they are shifted a little; farther down the same order is best for all. */
const SHIFT_DEPTH: i32 = 45;
/** By how many places at most, in 1/16. */
const MOST_SHIFT: u64 = 200;

/**
 * Rank of the reply number `index` where other machines that have the same order would be searching the same nodes
 * at the same time: then nothing that they learn comes in time.
 */
function ownRank(reply: u64, rank: i32, index: i32): i32 {
  const chance = (reply * tieSeed) >> 40;
  if (depth <= OWN_ORDER_DEPTH) return <i32>chance;
  return (rank << 10) + (index << 4) + <i32>(((chance & 255) * MOST_SHIFT) >> 8);
}

/** How many slides {@link lookAtSlides} left undecided. */
let undecided: i32 = 0;

/**
 * Looks up what the table knows of the slides of a position. Returns a bound ≥ threshold if a slide
 * is known to reach the threshold, else the largest bound of the slides known to fail; the others
 * are then in the frame, in the order in which to search them.
 */
function lookAtSlides(board: u64, threshold: i32, frame: usize): i32 {
  const cells = unpack(board);
  const straight = imagePair(cells, SLIDE_IMAGES);
  const turned = imagePair(cells, SLIDE_IMAGES + 32);
  let most = 0; // an end state earns nothing
  let count = 0;
  for (let i = 0; i < 4; i++) {
    const pair = i < 2 ? straight : turned;
    const image = i & 1 ? i64x2.extract_lane(pair, 1) : i64x2.extract_lane(pair, 0);
    const result =
      i < 2
        ? slideLines(image, ROW_COUNT, COL_COUNT)
        : slideLines(image, COL_COUNT, ROW_COUNT);
    const slid = result & 0xffffffffffff;
    if (slid == image) continue;
    const score = <i32>(result >> 48);
    const after = canonicalUnder(slid, i < 2 ? NORMAL : FROM_TRANSPOSED);
    if (isAmong(frame, count, after)) continue;
    const known = probe(afterstateKey(after));
    if (score + loOf(known) >= threshold) {
      used(afterstateKey(after), known);
      return score + loOf(known);
    }
    if (score + hiOf(known) < threshold) {
      used(afterstateKey(after), known);
      most = max(most, score + hiOf(known));
      continue;
    }
    insert(frame, count, after, 2 * slideRank(after) + tieBit(after), score);
    count++;
  }
  undecided = count;
  return most;
}

/**
 * Whether a child is not for this pass. The first pass leaves out, and marks, the children that another
 * thread is searching; the second takes those. Where there is one pass, nothing is left out.
 */
// @ts-ignore: decorator
@inline
function isPutOff(child: usize, key: u64, pass: i32, passes: i32): bool {
  if (pass == 2) return load<i32>(child, 8) != DEFERRED;
  if (passes == 1 || !isBusy(key)) return false;
  store<i32>(child, DEFERRED, 8);
  return true;
}

function searchPosition(board: u64, threshold: i32): i32 {
  if (mustStop()) return STOPPED;
  enter(positionKey(board), threshold, positions + afterstates);
  return leave(positionKey(board), expandPosition(board, threshold));
}

function expandPosition(board: u64, threshold: i32): i32 {
  positions++;
  const start = positions + afterstates;
  const frame = frames;

  let bound = lookAtSlides(board, threshold, frame);
  if (bound >= threshold) return learned(positionKey(board), threshold, bound, start);
  const count = undecided;

  for (let i = 0; i < count; i++) {
    const child = frame + i * CHILD_BYTES;
    const score = load<i32>(child, 12);
    const enough = threshold - score;
    const earned = surelyEarned(load<u64>(child), false, placedTiles, placedTiles, enough);
    if (score + earned >= threshold) {
      return learned(positionKey(board), threshold, score + earned, start);
    }
  }

  frames = frame + 4 * CHILD_BYTES;
  const passes = together && count > 1 ? 2 : 1;
  for (let pass = 1; pass <= passes && bound < threshold; pass++) {
    for (let i = 0; i < count; i++) {
      const child = frame + i * CHILD_BYTES;
      const key = afterstateKey(load<u64>(child));
      if (isPutOff(child, key, pass, passes)) continue;
      const score = load<i32>(child, 12);
      // What was put off has mostly been settled since.
      const settled = pass == 1 ? -1 : settledBy(key, threshold - score);
      const value = settled >= 0 ? settled : searchAfterstate(key >> 1, threshold - score);
      if (value < 0) {
        frames = frame;
        return STOPPED;
      }
      bound = max(bound, score + value);
      if (bound >= threshold) break;
    }
  }
  frames = frame;
  return learned(positionKey(board), threshold, bound, start);
}

function searchAfterstate(board: u64, threshold: i32): i32 {
  if (mustStop()) return STOPPED;
  enter(afterstateKey(board), threshold, positions + afterstates);
  return leave(afterstateKey(board), expandAfterstate(board, threshold));
}

function expandAfterstate(board: u64, threshold: i32): i32 {
  afterstates++;
  const start = positions + afterstates;
  const frame = frames;
  let listed = 0;
  let bound = NONE; // the smallest lower bound of the placements that do not fail
  let least = NONE; // the smallest upper bound of the placements that do

  const cells = unpack(board);
  const images0 = asDoubles(imagePair(cells, NORMAL));
  const images1 = asDoubles(imagePair(cells, NORMAL + 32));
  const images2 = SQUARE ? asDoubles(imagePair(cells, NORMAL + 64)) : images0;
  const images3 = SQUARE ? asDoubles(imagePair(cells, NORMAL + 96)) : images0;

  for (let tile = 2; tile >= 1; tile--) {
    if (!((placedTiles >> tile) & 1)) continue;
    const shift = tile - 1;
    for (let cell = 0; cell < CELLS; cell++) {
      if ((board >> (4 * cell)) & 15) continue;
      const images = TILE_IMAGES + cell * 64;
      let smaller = smallerPair(
        v128.or(images0, v128.shl<u64>(v128.load(images), shift)),
        v128.or(images1, v128.shl<u64>(v128.load(images, 16), shift)),
      );
      if (SQUARE) {
        smaller = smallerPair(
          smaller,
          smallerPair(
            v128.or(images2, v128.shl<u64>(v128.load(images, 32), shift)),
            v128.or(images3, v128.shl<u64>(v128.load(images, 48), shift)),
          ),
        );
      }
      const child = smallest(smaller);
      if (isAmong(frame, listed, child)) continue;
      const known = probe(positionKey(child));
      if (hiOf(known) < threshold) {
        used(positionKey(child), known);
        least = min(least, hiOf(known));
      } else if (loOf(known) >= threshold) {
        used(positionKey(child), known);
        bound = min(bound, loOf(known));
      } else {
        store<u64>(frame + listed * CHILD_BYTES, child);
        listed++;
      }
    }
  }

  // What is found past the replies is not stored: that changed the counts by less than 0.1 %.
  const almostFull = isAlmostFull(board);
  const isOwnOrder = together && tieSeed != 0 && depth <= SHIFT_DEPTH;
  let count = 0;
  for (let i = 0; i < listed && least == NONE; i++) {
    const child = load<u64>(frame + i * CHILD_BYTES);
    const seen = lookAtSlides(child, threshold, frame + FRAME_BYTES);
    if (seen >= threshold) {
      bound = min(bound, seen);
    } else if (undecided == 0) {
      least = seen;
    } else {
      const rank = replyRank(almostFull, undecided);
      insert(frame, count, child, isOwnOrder ? ownRank(child, rank, count) : rank, 0);
      count++;
    }
  }
  if (least != NONE) return learned(afterstateKey(board), threshold, least, start);

  frames = frame + FRAME_BYTES;
  const passes = together && count > 1 ? 2 : 1;
  for (let pass = 1; pass <= passes && bound >= threshold; pass++) {
    for (let i = 0; i < count; i++) {
      const child = frame + i * CHILD_BYTES;
      const key = positionKey(load<u64>(child));
      if (isPutOff(child, key, pass, passes)) continue;
      const settled = pass == 1 ? -1 : settledBy(key, threshold);
      const value = settled >= 0 ? settled : searchPosition(key >> 1, threshold);
      if (value < 0) {
        frames = frame;
        return STOPPED;
      }
      bound = min(bound, value);
      if (bound < threshold) break;
    }
  }
  frames = frame;
  return learned(afterstateKey(board), threshold, bound, start);
}

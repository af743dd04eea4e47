/*
 * Expanding a claim: choosing the claims from which it follows by one slide and one placement. All
 * points are divided by 4.
 *
 * A lower claim needs one slide and all replies to it, an upper claim one reply to each slide.
 * Which ones are chosen depends on the values of boards and on the demands before the batch alone,
 * not on what the search's table happens to hold: so a game has one certificate, whoever makes it,
 * on any number of threads, and whether or not its making was interrupted.
 *
 * - Of the slides that reach a lower claim's bound, the one with the lowest rank: the search's
 *   rank, raised by the part of its replies that need a new demand. A slide with no such reply
 *   comes first. (Fewest new demands alone makes larger proofs: a slide that leaves few empty cells
 *   has few replies, whose proofs are long. On 2×5 it took 17 % more claims.) In a proof of lower
 *   bounds alone, which are far below the values, the rank includes pairs and points, as the
 *   search's does: on 4×4 that takes 43 to 49 % fewer claims. At the value it takes a few percent
 *   more.
 * - Of the replies that limit a slide to an upper claim's bound, one on which there is such a
 *   demand already, or else the first in the search's order.
 *
 * The kernel says whether a bound is true. Usually its table knows, since the search that solved
 * the game asked the same.
 */
import { canonicalUnder, NORMAL } from "../../boards/assembly/board";
import { CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { surelyEarned } from "../../kernel/assembly/bound";
import {
  boardAt,
  CHILD_BYTES,
  scoreOf,
  slideCount,
  SLIDES_HEAD,
} from "../../kernel/assembly/children";
import { listSlides } from "../../kernel/assembly/moves";
import { boardRank, isAlmostFull, slideRank } from "../../kernel/assembly/order";
import { firstSlot, slotFrom } from "./demands";
import { ask } from "./kernel";
import {
  BY_POINTS,
  Choice,
  CHOICE_BYTES,
  CHOICES,
  Claim,
  CLAIM_BYTES,
  FAR,
  FAR_COUNT,
  FAR_DEMANDS,
  MOST_HI,
  NEAR,
  NEAR_COUNT,
  NEAR_DEMANDS,
  OTHER_SLIDES,
  REPLIES,
  REPLIES_BYTES,
  Reply,
  REPLY_BYTES,
  SLIDES,
  WRONG,
  WRONG_BOARD,
  WRONG_VALUE,
} from "./layout";

/** Sides of claims, for {@link WRONG}. */
const LOWER: i32 = 1;
const UPPER: i32 = 2;

/**
 * Weight of new demands in a slide's rank, if all its replies need one; 0, 30 and 100 were tried,
 * and ranks by new demands alone.
 */
const NEW_WEIGHT: i32 = 32;
/** Rank of a slide that has been found not to reach the bound. */
const FAILED: i32 = i32.MAX_VALUE;

/**
 * Nodes that a thread searches without regard to other threads, which then takes less time. In a
 * longer search it avoids the nodes that they are searching: at first all of them search nearly the
 * same.
 */
const ALONE: u64 = 1000;
const UNLIMITED: u64 = u64.MAX_VALUE >> 1;

/** This thread's area. */
let area: usize = 0;
/** Exponents of the tiles that the placer may place, one bit each. */
let placedTiles: u32 = 6;
/** True if other threads search at the same time. */
let others: bool = false;
/** True once the search has been stopped. */
let stopped: bool = false;

export function attachExpansion(at: usize, threads: i32, tiles: u32): void {
  area = at;
  others = threads > 1;
  placedTiles = tiles;
}

@inline
function slideAt(i: i32): usize {
  return area + SLIDES + SLIDES_HEAD + i * CHILD_BYTES;
}

@inline
function choiceAt(i: i32): usize {
  return area + CHOICES + i * CHOICE_BYTES;
}

@inline
function replyAt(slide: i32, i: i32): usize {
  return area + REPLIES + slide * REPLIES_BYTES + i * REPLY_BYTES;
}

/** Returns whether a list of replies has a board. */
@inline
function isAmong(first: usize, end: usize, board: u64): bool {
  for (let reply = first; reply < end; reply += REPLY_BYTES) {
    if (load<u64>(reply, offsetof<Reply>("board")) == board) return true;
  }
  return false;
}

/**
 * Lists the different replies to a slide, 4s first, in the order of the cells; returns their
 * number.
 */
function listRepliesTo(slide: i32): i32 {
  const after = boardAt(slideAt(slide));
  const first = replyAt(slide, 0);
  let end = first;
  for (let tile = 2; tile >= 1; tile--) {
    if (!((placedTiles >> tile) & 1)) continue;
    const table = tile == 2 ? FAR : NEAR;
    for (let empty = emptyAmong(CELL_ONES, after); empty != 0; empty &= empty - 1) {
      const board = canonicalUnder(after | ((empty & -empty) << (tile - 1)), NORMAL);
      if (isAmong(first, end, board)) continue;
      store<u64>(end, board, offsetof<Reply>("board"));
      store<usize>(end, table, offsetof<Reply>("table"));
      store<usize>(end, firstSlot(table, board), offsetof<Reply>("slot"));
      end += REPLY_BYTES;
    }
  }
  return <i32>((end - first) / <usize>REPLY_BYTES);
}

/** A sum that keeps the reads of {@link lookAtReplies} from being removed. */
let fetched: u64 = 0;

/** Lists the replies to all slides, and looks up the demands on them. */
function lookAtReplies(slides: i32): void {
  let sum: u64 = 0;
  for (let i = 0; i < slides; i++) {
    const count = listRepliesTo(i);
    store<i32>(choiceAt(i), count, offsetof<Choice>("replies"));
    // Each read waits for memory; these can all wait together.
    for (let j = 0; j < count; j++) {
      sum += load<u64>(load<usize>(replyAt(i, j), offsetof<Reply>("slot")));
    }
  }
  fetched = sum;
  for (let i = 0; i < slides; i++) {
    const count = load<i32>(choiceAt(i), offsetof<Choice>("replies"));
    for (let j = 0; j < count; j++) {
      const reply = replyAt(i, j);
      const slot = slotFrom(
        load<usize>(reply, offsetof<Reply>("table")),
        load<usize>(reply, offsetof<Reply>("slot")),
        load<u64>(reply, offsetof<Reply>("board")),
      );
      store<u32>(reply, load<u32>(slot, offsetof<Claim>("lo")), offsetof<Reply>("lo"));
      store<u32>(reply, load<u32>(slot, offsetof<Claim>("hi")), offsetof<Reply>("hi"));
    }
  }
}

/** Adds a demand to this thread's list for its table. */
function demand(reply: usize, lo: u32, hi: u32): void {
  const isFar = load<usize>(reply, offsetof<Reply>("table")) == FAR;
  const countAt = area + (isFar ? FAR_COUNT : NEAR_COUNT);
  const count = load<u32>(countAt);
  const at = area + (isFar ? FAR_DEMANDS : NEAR_DEMANDS) + count * CLAIM_BYTES;
  store<u64>(at, load<u64>(reply, offsetof<Reply>("board")), offsetof<Claim>("board"));
  store<u32>(at, lo, offsetof<Claim>("lo"));
  store<u32>(at, hi, offsetof<Claim>("hi"));
  store<u32>(countAt, count + 1);
}

/** Returns whether a node's value is at least a threshold; false also if the search is stopped. */
function reaches(board: u64, placerToMove: bool, threshold: i32): bool {
  let bound = ask(board, placerToMove, threshold, ALONE, false, false, 0);
  if (bound < 0) bound = ask(board, placerToMove, threshold, UNLIMITED, others, others, 0);
  if (bound < 0) stopped = true;
  return bound >= threshold;
}

/**
 * Returns the rank of a slide that reaches a lower claim's bound with replies of `need` or more.
 */
function rankFor(slide: i32, need: i32): i32 {
  const count = load<i32>(choiceAt(slide), offsetof<Choice>("replies"));
  let missing = 0;
  for (let j = 0; j < count; j++) {
    missing += i32(load<u32>(replyAt(slide, j), offsetof<Reply>("lo")) < <u32>need);
  }
  store<i32>(choiceAt(slide), missing, offsetof<Choice>("missing"));
  if (missing == 0) return i32.MIN_VALUE;
  const after = boardAt(slideAt(slide));
  const rank =
    load<u32>(BY_POINTS) == 0 ? boardRank(after) : slideRank(after, scoreOf(slideAt(slide)));
  return rank + (NEW_WEIGHT * missing) / count;
}

/**
 * Demands the claims from which `lo` follows by one slide. Returns false if no slide reaches `lo`,
 * or when the search is stopped.
 */
function expandLower(slides: i32, lo: i32): bool {
  for (let i = 0; i < slides; i++) {
    store<i32>(choiceAt(i), rankFor(i, lo - scoreOf(slideAt(i))), offsetof<Choice>("rank"));
  }
  for (let tried = 0; tried < slides; tried++) {
    let best = 0;
    for (let i = 1; i < slides; i++) {
      const rank = load<i32>(choiceAt(i), offsetof<Choice>("rank"));
      const least = load<i32>(choiceAt(best), offsetof<Choice>("rank"));
      const isBefore = rank == least && boardAt(slideAt(i)) < boardAt(slideAt(best));
      if (rank < least || isBefore) best = i;
    }
    const after = boardAt(slideAt(best));
    const need = lo - scoreOf(slideAt(best));
    if (
      load<i32>(choiceAt(best), offsetof<Choice>("missing")) == 0 ||
      surelyEarned(after, false, placedTiles, placedTiles, need) >= need ||
      reaches(after, true, need)
    ) {
      const count = load<i32>(choiceAt(best), offsetof<Choice>("replies"));
      for (let j = 0; j < count; j++) {
        const reply = replyAt(best, j);
        if (load<u32>(reply, offsetof<Reply>("lo")) < <u32>need) demand(reply, need, 0);
      }
      return true;
    }
    if (stopped) return false;
    store<i32>(choiceAt(best), FAILED, offsetof<Choice>("rank"));
  }
  return false;
}

/**
 * Returns the first reply to a slide after which the value is at most `need`, or 0. If few cells
 * are empty, replies with the fewest slides come first, as in the search.
 */
function limitingReply(slide: i32, need: i32): usize {
  const count = load<i32>(choiceAt(slide), offsetof<Choice>("replies"));
  const sorts = isAlmostFull(boardAt(slideAt(slide)));
  for (let slides = 0; slides <= 4; slides++) {
    for (let j = 0; j < count; j++) {
      const reply = replyAt(slide, j);
      const board = load<u64>(reply, offsetof<Reply>("board"));
      if (sorts) {
        listSlides(board, area + OTHER_SLIDES);
        if (slideCount(area + OTHER_SLIDES) != slides) continue;
      }
      if (!reaches(board, false, need + 1)) return stopped ? 0 : reply;
    }
    if (!sorts) return 0;
  }
  return 0;
}

/** Returns whether there is a demand that limits a slide to `need`. */
function isLimited(slide: i32, need: i32): bool {
  const count = load<i32>(choiceAt(slide), offsetof<Choice>("replies"));
  for (let j = 0; j < count; j++) {
    const most = load<u32>(replyAt(slide, j), offsetof<Reply>("hi"));
    if (most >= MOST_HI - <u32>need) return true;
  }
  return false;
}

/**
 * Demands a claim for one reply to each slide. Returns false if a slide has none, or the search is
 * stopped.
 */
function expandUpper(slides: i32, hi: i32): bool {
  for (let i = 0; i < slides; i++) {
    const need = hi - scoreOf(slideAt(i));
    if (need < 0) return false;
    if (isLimited(i, need)) continue;
    const reply = limitingReply(i, need);
    if (reply == 0) return false;
    demand(reply, 0, MOST_HI - <u32>need);
  }
  return true;
}

/** Expands a claim. Returns false if it is not true, which is noted, or the search is stopped. */
export function expand(claim: usize): bool {
  const board = load<u64>(claim, offsetof<Claim>("board"));
  const lo = load<u32>(claim, offsetof<Claim>("lo"));
  const hi = load<u32>(claim, offsetof<Claim>("hi"));
  stopped = false;
  listSlides(board, area + SLIDES);
  const slides = slideCount(area + SLIDES);
  let isEarned = lo == 0;
  for (let i = 0; i < slides; i++) isEarned = isEarned || <u32>scoreOf(slideAt(i)) >= lo;
  if (isEarned && hi == 0) return true;
  lookAtReplies(slides);
  if (!isEarned && !expandLower(slides, lo)) return noteWrong(LOWER, lo, board);
  if (hi != 0 && !expandUpper(slides, hi - 1)) return noteWrong(UPPER, hi - 1, board);
  return true;
}

/** Notes that a claim is not true, unless the search was stopped; returns false. */
function noteWrong(side: i32, value: u32, board: u64): bool {
  if (stopped || atomic.cmpxchg<i32>(WRONG, 0, side) != 0) return false;
  store<u32>(WRONG_VALUE, value);
  store<u64>(WRONG_BOARD, board);
  return false;
}

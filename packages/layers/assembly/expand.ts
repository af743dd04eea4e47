/*
 * Choosing slides. All points are divided by 4.
 *
 * To expand a node with a demand `need` means to choose, for each placement, a slide that may
 * fulfil the demand. If a slide is known to fulfil it, by its bounds or by the static bound, the
 * placement is settled; otherwise the best-ranked slide that is not known to fail makes a demand on
 * the board that it leads to. If few placements are open, only one of these demands is made at
 * first (`chosen.ts`). Nothing but the unsettled placements is kept: when they are looked at
 * again, the same slides are found again, unless more is known of them by then. If all placements
 * are settled, the node is proven: its lower bound is the smallest that they fulfil. If no slide is
 * left after a placement, the node has failed and gets an upper bound.
 */
import { NONE } from "./bounds";
import { CELLS } from "../../boards/assembly/shape";
import { surelyEarned } from "../../kernel/assembly/bound";
import { afterstateKey, mix } from "../../kernel/assembly/keys";
import {
  boardAt,
  CHILD_BYTES,
  rankOf,
  Reply,
  scoreOf,
  Slide,
  slideCount,
  SLIDES_BYTES,
  SLIDES_HEAD,
  slidesAfter,
} from "../../kernel/assembly/children";
import { listReplies, listSlides, listSlidesOfReply, slideAll } from "../../kernel/assembly/moves";
import { boardRank } from "../../kernel/assembly/order";
import { layerOf } from "./blocks";
import { demandAll, demandOne, replyAt } from "./chosen";
import { area, LISTS } from "./layout";
import { clearLooks, fetchLooks, listLooks, look, seen } from "./look-ups";
import { nodeOf } from "./making";
import { countTiles, mostMerges } from "./merges";
import { BlockNode } from "./nodes";
import { raise, settle } from "./queues";
import { reserve, slotOf } from "./slots";

/** Exponents of the tiles that can be placed, one bit each. */
let placedTiles: u32 = 6;

export function setTiles(tiles: u32): void {
  placedTiles = tiles;
}

/** Nodes expanded, and nodes looked at again. */
export let expanded: u64 = 0;
export let lookedAgain: u64 = 0;

/** Sorts the slides of a list by rank; equal ranks keep their order. */
function rankSlides(list: usize): void {
  const slides = list + SLIDES_HEAD;
  const count = slideCount(list);
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const board = boardAt(child);
    const rank = count > 1 ? boardRank(board) : 0;
    const order = (rank << 2) | rankOf(child);
    const score = scoreOf(child);
    let at = child;
    while (at > slides && load<i32>(at - CHILD_BYTES, offsetof<Slide>("rank")) >> 2 > rank) {
      store<u64>(at, load<u64>(at - CHILD_BYTES));
      store<u64>(at, load<u64>(at - CHILD_BYTES, offsetof<Slide>("rank")), offsetof<Slide>("rank"));
      at -= CHILD_BYTES;
    }
    store<u64>(at, board, offsetof<Slide>("board"));
    store<i32>(at, order, offsetof<Slide>("rank"));
    store<i32>(at, score, offsetof<Slide>("score"));
  }
}

/** No slide is sure to reach a need. */
const NOT_SURE: i32 = -1;

/**
 * Returns what a slide of a sorted list, after a placement, earns by the static bound, if that
 * reaches `need`; otherwise NOT_SURE.
 */
function surelyReached(list: usize, place: u32, need: i32): i32 {
  if (mostMerges(place) < need) return NOT_SURE;
  const slides = list + SLIDES_HEAD;
  const count = slideCount(list);
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const score = scoreOf(child);
    const earned = surelyEarned(boardAt(child), false, placedTiles, placedTiles, need - score);
    if (score + earned >= need) return score + earned;
  }
  return NOT_SURE;
}

/** Learns a bound of a node that settles its need. */
function conclude(node: BlockNode, lo: i32, hi: i32): void {
  const slot = slotOf(node);
  slot.learn(lo, hi);
  settle(node, slot);
}

/** Keeps a reply, without its board, as the one with number `to`. */
@inline
function keepReply(from: usize, to: i32): void {
  store<u64>(replyAt(to), load<u64>(from, offsetof<Reply>("rank")), offsetof<Reply>("rank"));
}

/**
 * Looks up the slides after each of `count` replies; keeps the replies that are not settled, and
 * returns their number. Sets {@link bound} and {@link least}.
 */
function lookAtReplies(count: i32, need: i32): i32 {
  clearLooks();
  for (let i = 0; i < count; i++) listLooks(slidesAfter(replyAt(i)));
  fetchLooks();
  let open = 0;
  let first = 0;
  for (let i = 0; i < count; i++) {
    const reply = replyAt(i);
    const list = slidesAfter(reply);
    const slides = slideCount(list);
    if (look(list, first, need)) bound = min(bound, seen);
    else if (slideCount(list) == 0) least = min(least, seen);
    else keepReply(reply, open++);
    first += slides;
  }
  return open;
}

/** The smallest lower bound of the placements that are settled; NONE: none is. */
let bound: i32 = NONE;
/** The smallest upper bound of the placements that fail; NONE: none does. */
let least: i32 = NONE;

/** Expands a node; see the file comment. */
export function expand(node: BlockNode): void {
  expanded++;
  reserve(2 * CELLS);
  const need: i32 = node.need;
  const board = node.board();
  bound = NONE;
  least = NONE;
  const open = lookAtReplies(listReplies(board, placedTiles, replyAt(0), area + LISTS), need);
  if (least != NONE) return conclude(node, 0, least);
  countTiles(board);
  let chosen = 0;
  for (let i = 0; i < open; i++) {
    const reply = replyAt(i);
    const list = slidesAfter(reply);
    rankSlides(list);
    const sure = surelyReached(list, rankOf(reply), need);
    if (sure == NOT_SURE) keepReply(reply, chosen++);
    else bound = min(bound, sure);
  }
  if (chosen == 0) return conclude(node, bound, NONE);
  node.fulfilled = <u16>bound;
  if (!demandOne(node, chosen, need)) demandAll(node, chosen, need);
}

/** Looks again at the placements of a node that are not settled. */
export function lookAgain(node: BlockNode): void {
  lookedAgain++;
  reserve(2 * CELLS);
  const need: i32 = node.need;
  slideAll(node.board());
  let count = 0;
  for (let places = node.open; places != 0; places &= places - 1) {
    const place = <u32>ctz(places);
    const list = area + LISTS + count * SLIDES_BYTES;
    store<u32>(replyAt(count), place, offsetof<Reply>("rank"));
    store<usize>(replyAt(count), list, offsetof<Reply>("slides"));
    listSlidesOfReply(list, place & 15, 1 + (place >> 4));
    count++;
  }
  bound = node.fulfilled;
  least = NONE;
  const open = lookAtReplies(count, need);
  if (least != NONE) return conclude(node, 0, least);
  if (open == 0) return conclude(node, bound, NONE);
  node.fulfilled = <u16>bound;
  for (let i = 0; i < open; i++) rankSlides(slidesAfter(replyAt(i)));
  demandAll(node, open, need);
}

/** Result of {@link lookAtStart}: the bound that settles the start's question, points / 4. */
export let startBound: i32 = 0;

/**
 * Looks at the slides of a start: is h ≥ need? Returns 1 if a slide is known to reach it, −1 if all
 * are known to fail, and otherwise 0, after a demand on the afterstate of the best-ranked slide.
 */
export function lookAtStart(board: u64, need: i32): i32 {
  const list = area + LISTS;
  reserve(4);
  listSlides(board, list);
  clearLooks();
  listLooks(list);
  fetchLooks();
  const isReached = look(list, 0, need);
  startBound = seen;
  if (isReached) return 1;
  if (slideCount(list) == 0) return -1;
  rankSlides(list);
  const first = list + SLIDES_HEAD;
  const after = boardAt(first);
  raise(nodeOf(mix(afterstateKey(after)), after, layerOf(after)), need - scoreOf(first));
  return 0;
}

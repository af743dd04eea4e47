/*
 * Choosing slides. All points are divided by 4.
 *
 * To expand a node with a demand `need` means to choose, for each placement, a slide that may
 * fulfil the demand. If a slide is known to fulfil it, by its bounds or by the static bound, no
 * edge is needed; otherwise the best-ranked slide that is not known to fail becomes an edge. When
 * all children are proven, so is the node: its lower bound is the need that they fulfil. When a
 * child has failed, another slide takes its place; if no slide is left, the node has failed and
 * gets an upper bound.
 */
import { CELLS } from "../../boards/assembly/shape";
import { surelyEarned } from "../../kernel/assembly/bound";
import { afterstateKey, boardOf, mix, unmix } from "../../kernel/assembly/keys";
import { CHILD_BYTES } from "../../kernel/assembly/layout";
import {
  listReplies,
  listSlides,
  listSlidesOfReply,
  slideAll,
  SLIDES_HEAD,
} from "../../kernel/assembly/moves";
import { slideRank } from "../../kernel/assembly/order";
import { layerOf } from "./blocks";
import {
  childOf,
  demandOf,
  makeEdge,
  moveOf,
  nextEdge,
  PLACE,
  takeFromNode,
  abandon,
} from "./edges";
import { FRAME, LOOK_BYTES, LOOKS } from "./layout";
import { takeDemand } from "./inbox";
import { nodeOf } from "./making";
import { countTiles, mostMerges } from "./merges";
import {
  firstEdge,
  fulfilledBy,
  keyOf,
  layerIn,
  learnOf,
  needOf,
  setAsked,
  setFulfilled,
} from "./nodes";
import { dropAll, foreignOf, raise } from "./queues";
import { current } from "./residents";
import { findFrom, hiAt, homeOf, loAt, NONE, reserve } from "./slots";

/** This thread's frame, its lists of slides after the replies, and its look-ups. */
let frame: usize = 0;
let lists: usize = 0;
let looksAt: usize = 0;

/** Sets the thread's area, and the exponents of the tiles that can be placed, one bit each. */
export function attachExpansion(at: usize, tiles: u32): void {
  frame = at + FRAME;
  lists = frame + 2 * CELLS * CHILD_BYTES;
  looksAt = at + LOOKS;
  placedTiles = tiles;
}

let placedTiles: u32 = 6;
/** Nodes expanded, open nodes whose failed edges were replaced, and bounds looked up. */
export let expanded: u64 = 0;
export let chosenAgain: u64 = 0;
export let looks: u64 = 0;

/*
 * Look-ups. Most bounds are far away in memory. So all bounds that a node needs are listed first,
 * then a tight loop reads a word of each: the processor keeps as many reads in flight as it has
 * room for. Only then are the bounds looked up.
 */
let lookCount: i32 = 0;
/** Keeps the compiler from removing the reads. */
export let fetched: u64 = 0;

/** Lists the bounds of the slides of a list. */
// @ts-ignore: decorator
@inline
function listLooks(list: usize): void {
  const count = load<i32>(list);
  for (let i = 0; i < count; i++) {
    const at = looksAt + lookCount * LOOK_BYTES;
    const key = mix(afterstateKey(load<u64>(list + SLIDES_HEAD + i * CHILD_BYTES)));
    store<u64>(at, key);
    store<usize>(at, homeOf(key), 8);
    lookCount++;
  }
}

// @ts-ignore: decorator
@inline
function fetchLooks(): void {
  let sum: u64 = 0;
  for (let i = 0; i < lookCount; i++) sum += load<u64>(load<usize>(looksAt + i * LOOK_BYTES, 8));
  fetched = sum;
  looks += lookCount;
}

/**
 * Bounds found by {@link look}: of the slide that fulfils the need, or the largest of those that
 * fail.
 */
let seen: i32 = 0;

/**
 * Looks up the slides of a list, whose look-ups begin at number `first`. Returns true if one is
 * known to reach `need`. Otherwise removes the slides known to fail.
 */
function look(list: usize, first: i32, need: i32): bool {
  const slides = list + SLIDES_HEAD;
  const count = load<i32>(list);
  seen = load<i32>(list, 4);
  if (seen >= need) return true;
  let open = 0;
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const score = load<i32>(child, 12);
    const at = looksAt + (first + i) * LOOK_BYTES;
    const slot = findFrom(load<usize>(at, 8), load<u64>(at));
    if (slot != 0) {
      if (score + loAt(slot) >= need) {
        seen = score + loAt(slot);
        return true;
      }
      const hi = hiAt(slot);
      if (hi != NONE && score + hi < need) {
        seen = max(seen, score + hi);
        continue;
      }
    } else if (score >= need) {
      seen = score;
      return true;
    }
    const to = slides + open * CHILD_BYTES;
    store<u64>(to, load<u64>(child));
    store<u64>(to, load<u64>(child, 8), 8);
    open++;
  }
  store<i32>(list, open);
  return false;
}

/** Sorts the slides of a list by rank; equal ranks keep their order. */
function rankSlides(list: usize): void {
  const slides = list + SLIDES_HEAD;
  const count = load<i32>(list);
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const board = load<u64>(child);
    const rank = count > 1 ? slideRank(board) : 0;
    const order = (rank << 2) | load<i32>(child, 8);
    const score = load<i32>(child, 12);
    let at = child;
    while (at > slides && load<i32>(at - CHILD_BYTES, 8) >> 2 > rank) {
      store<u64>(at, load<u64>(at - CHILD_BYTES));
      store<u64>(at, load<u64>(at - CHILD_BYTES, 8), 8);
      at -= CHILD_BYTES;
    }
    store<u64>(at, board);
    store<i32>(at, order, 8);
    store<i32>(at, score, 12);
  }
}

/**
 * Returns true if a slide of a sorted list, after a placement, reaches `need` by the static bound.
 */
function isSure(list: usize, place: u32, need: i32): bool {
  if (mostMerges(place) < need) return false;
  const slides = list + SLIDES_HEAD;
  const count = load<i32>(list);
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const score = load<i32>(child, 12);
    const earned = surelyEarned(load<u64>(child), false, placedTiles, placedTiles, need - score);
    if (score + earned < need) continue;
    seen = score + earned;
    return true;
  }
  return false;
}

/** Makes the first slide of a sorted list an edge of a node, with `need` as the node's demand. */
function chooseFirst(node: usize, list: usize, place: u32, need: i32, firstLayer: i32): void {
  const child = list + SLIDES_HEAD;
  const board = load<u64>(child);
  const score = load<i32>(child, 12);
  const layer = firstLayer + layerIn(node) + 1 + <i32>(place >> 4);
  const to = nodeOf(mix(afterstateKey(board)), board, layer);
  makeEdge(node, to, score, need - score, place | ((load<u32>(child, 8) & 3) << 5));
  raise(to, need - score);
}

/** Expands a node; see the file comment. */
export function expand(node: usize, firstLayer: i32): void {
  expanded++;
  reserve(2 * CELLS);
  const need = needOf(node);
  const board = boardOf(unmix(keyOf(node)));
  const replies = listReplies(board, placedTiles, frame, lists);
  lookCount = 0;
  for (let i = 0; i < replies; i++) listLooks(load<usize>(frame + i * CHILD_BYTES, 12));
  fetchLooks();
  let bound: i32 = NONE; // the smallest lower bound of the placements that are settled
  let least: i32 = NONE; // the smallest upper bound of the placements that fail
  let open = 0;
  let first = 0;
  for (let i = 0; i < replies; i++) {
    const reply = frame + i * CHILD_BYTES;
    const list = load<usize>(reply, 12);
    const place = load<u32>(reply, 8);
    const count = load<i32>(list);
    if (look(list, first, need)) bound = min(bound, seen);
    else if (load<i32>(list) == 0) least = min(least, seen);
    else {
      store<u32>(frame + open * CHILD_BYTES, place, 8);
      store<usize>(frame + open * CHILD_BYTES, list, 12);
      open++;
    }
    first += count;
  }
  if (least != NONE) return learnOf(node, 0, least);
  countTiles(board);
  let chosen = 0;
  for (let i = 0; i < open; i++) {
    const list = load<usize>(frame + i * CHILD_BYTES, 12);
    const place = load<u32>(frame + i * CHILD_BYTES, 8);
    rankSlides(list);
    if (isSure(list, place, need)) {
      bound = min(bound, seen);
      continue;
    }
    store<u32>(frame + chosen * CHILD_BYTES, place, 8);
    store<usize>(frame + chosen * CHILD_BYTES, list, 12);
    chosen++;
  }
  if (chosen == 0) return learnOf(node, bound, NONE);
  for (let i = 0; i < chosen; i++) {
    const list = load<usize>(frame + i * CHILD_BYTES, 12);
    chooseFirst(node, list, load<u32>(frame + i * CHILD_BYTES, 8), need, firstLayer);
  }
  setFulfilled(node, need);
  setAsked(node, need);
}

/**
 * Replaces the failed edges of an open node. If no edge is left, the node is proven or has failed.
 */
export function lookAgain(node: usize, firstLayer: i32): void {
  const need = needOf(node);
  let fulfilled = fulfilledBy(node);
  let failed: u32 = 0; // placements whose edges fail
  let failedFours: u32 = 0;
  let before: usize = 0;
  for (let following = firstEdge(node); following != 0; ) {
    const edge = following;
    following = nextEdge(edge);
    if (childOf(edge) != 0) {
      before = edge;
      continue;
    }
    const place = moveOf(edge) & PLACE;
    failed |= u32(place < 16) << (place & 15);
    failedFours |= u32(place >= 16) << (place & 15);
    takeFromNode(node, edge, before);
    abandon(edge);
  }
  if ((failed | failedFours) != 0) {
    chosenAgain++;
    const board = boardOf(unmix(keyOf(node)));
    reserve(2 * CELLS);
    slideAll(board);
    countTiles(board);
    let least: i32 = NONE;
    for (; (failed | failedFours) != 0; ) {
      const isFour = failedFours != 0;
      const cell = ctz(isFour ? failedFours : failed);
      if (isFour) failedFours &= failedFours - 1;
      else failed &= failed - 1;
      listSlidesOfReply(lists, cell, isFour ? 2 : 1);
      lookCount = 0;
      listLooks(lists);
      fetchLooks();
      if (look(lists, 0, need)) fulfilled = min(fulfilled, seen);
      else if (load<i32>(lists) == 0) least = min(least, seen);
      else if (least == NONE) {
        const place = cell | (u32(isFour) << 4);
        rankSlides(lists);
        if (isSure(lists, place, need)) fulfilled = min(fulfilled, seen);
        else chooseFirst(node, lists, place, need, firstLayer);
      }
    }
    if (least != NONE) {
      dropAll(node);
      return learnOf(node, 0, least);
    }
  }
  if (firstEdge(node) == 0) learnOf(node, fulfilled, NONE);
  else setFulfilled(node, fulfilled);
}

/** Result of {@link lookAtStart}: the bound that settles the start's question, points / 4. */
export let startBound: i32 = 0;

/**
 * Looks at the slides of a start: is h ≥ need? Returns 1 if a slide is known to reach it, −1 if all
 * are known to fail, and otherwise 0, after a demand on the afterstate of the best-ranked slide.
 */
export function lookAtStart(board: u64, need: i32): i32 {
  reserve(4);
  listSlides(board, lists);
  lookCount = 0;
  listLooks(lists);
  fetchLooks();
  const isReached = look(lists, 0, need);
  startBound = seen;
  if (isReached) return 1;
  if (load<i32>(lists) == 0) return -1;
  rankSlides(lists);
  const after = load<u64>(lists + SLIDES_HEAD);
  const key = mix(afterstateKey(after));
  const before = foreignOf(nodeOf(key, after, layerOf(after)), current);
  const demand = need - load<i32>(lists + SLIDES_HEAD, 12);
  // Several starts may have demands on the same board.
  if (before == 0 || demandOf(before) < demand) takeDemand(key, demand, current);
  return 0;
}

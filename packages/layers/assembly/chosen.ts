/*
 * The slides chosen for a node's placements, and the demands on the boards that they lead to. The
 * frame has the replies that are open (kernel's `moves.ts`), each with the list of its slides, the
 * best-ranked first. All points are divided by 4.
 */
import { afterstateKey, boardOf, mix, unmix } from "../../kernel/assembly/keys";
import {
  CHILD_BYTES,
  Reply,
  Slide,
  SlideList,
  SLIDES_HEAD,
  slidesAfter,
} from "../../kernel/assembly/children";
import { isAlmostFull, replyRank } from "../../kernel/assembly/order";
import { nodeOf } from "./making";
import { flagsOf, isGuest, keyOf, layerIn, setOpenPlacements, watch, WATCHING } from "./nodes";
import { raise } from "./queues";
import { find, setChanged } from "./slots";

/** This thread's frame. */
let frame: usize = 0;

export function attachChosen(at: usize): void {
  frame = at;
}

/**
 * Most open placements of a node that makes its first demand for one of them only. On 2×6, 4 make
 * the proof expand 49.4 M nodes, 6 47.3 M, 8 46.7 M and any number 46.1 M, instead of 54.2 M. But
 * the more nodes wait for one placement, the more visits are needed.
 */
const FEW_PLACEMENTS: i32 = 6;

/** Returns the address of the best-ranked slide of a reply. */
@inline
function slideOf(reply: i32): usize {
  return load<usize>(frame + reply * CHILD_BYTES, offsetof<Reply>("slides")) + SLIDES_HEAD;
}

/** Returns the place of a reply. */
@inline
function placeOfReply(reply: i32): u32 {
  return load<u32>(frame + reply * CHILD_BYTES, offsetof<Reply>("rank"));
}

/** Returns a slide as {@link watchedSlide} does. */
@inline
function moveOf(reply: i32): u32 {
  return placeOfReply(reply) | ((load<u32>(slideOf(reply), offsetof<Slide>("rank")) & 3) << 5);
}

/** Returns the node of the board to which the best-ranked slide of a reply leads. */
function chosenNode(node: usize, reply: i32, firstLayer: i32): usize {
  const board = load<u64>(slideOf(reply), offsetof<Slide>("board"));
  const layer = firstLayer + layerIn(node) + 1 + <i32>(placeOfReply(reply) >> 4);
  return nodeOf(mix(afterstateKey(board)), board, layer);
}

/** Returns the reply, of the first `count`, that the placer would try first in a search. */
function firstReply(node: usize, count: i32): i32 {
  const almostFull = isAlmostFull(boardOf(unmix(keyOf(node))));
  let first = 0;
  let least: i32 = i32.MAX_VALUE;
  for (let i = 0; i < count; i++) {
    const reply = frame + i * CHILD_BYTES;
    const slides = load<i32>(slidesAfter(reply), offsetof<SlideList>("count"));
    // A 4 comes before a 2, then the order is that of the cells.
    const rank =
      (replyRank(almostFull, slides) << 5) | <i32>(load<u32>(reply, offsetof<Reply>("rank")) ^ 16);
    if (rank >= least) continue;
    least = rank;
    first = i;
  }
  return first;
}

/**
 * Makes a demand for one placement only, and watches its board: if no slide after this placement
 * suffices, the node fails, and demands for others would have been in vain. Returns false, without
 * a demand, if many placements are open, if the node already watches a board, or if the board
 * belongs to another block, for which the other placements would wait too long.
 */
export function demandOne(node: usize, count: i32, need: i32, firstLayer: i32): bool {
  if (count > FEW_PLACEMENTS || (flagsOf(node) & WATCHING) != 0) return false;
  const reply = firstReply(node, count);
  const to = chosenNode(node, reply, firstLayer);
  if (isGuest(to)) return false;
  let places: u32 = 0;
  for (let i = 0; i < count; i++) places |= 1 << placeOfReply(i);
  raise(to, need - load<i32>(slideOf(reply), offsetof<Slide>("score")));
  setOpenPlacements(node, places);
  setChanged(find(keyOf(node)));
  watch(node, to, moveOf(reply));
  return true;
}

/**
 * Demands what a node needs of the boards that the best-ranked slides of the first `count` replies
 * lead to, and makes the node watch one of them: that of another block if there is one, or one of
 * the lowest layer.
 */
export function demandAll(node: usize, count: i32, need: i32, firstLayer: i32): void {
  let places: u32 = 0;
  let watched: usize = 0;
  let slide: u32 = 0;
  let best: i32 = 0;
  for (let i = 0; i < count; i++) {
    const place = placeOfReply(i);
    const to = chosenNode(node, i, firstLayer);
    raise(to, need - load<i32>(slideOf(i), offsetof<Slide>("score")));
    places |= 1 << place;
    const rank = isGuest(to) ? 3 : 2 - <i32>(place >> 4);
    if (rank <= best) continue;
    best = rank;
    watched = to;
    slide = moveOf(i);
  }
  setOpenPlacements(node, places);
  setChanged(find(keyOf(node)));
  if ((flagsOf(node) & WATCHING) == 0) watch(node, watched, slide);
}

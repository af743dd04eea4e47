/*
 * The slides chosen for a node's placements, and the demands on the boards that they lead to. The
 * frame has the replies that are open (kernel's `moves.ts`), each with the list of its slides, the
 * best-ranked first. All points are divided by 4.
 */
import { afterstateKey, mix } from "../../kernel/assembly/keys";
import {
  boardAt,
  CHILD_BYTES,
  rankOf,
  scoreOf,
  slideCount,
  SLIDES_HEAD,
  slidesAfter,
} from "../../kernel/assembly/children";
import { isAlmostFull, replyRank } from "../../kernel/assembly/order";
import { firstLayerOf } from "./blocks";
import { area, FRAME } from "./layout";
import { nodeOf } from "./making";
import { BlockNode, GUEST, watch, WATCHING } from "./nodes";
import { raise } from "./queues";
import { block } from "./residents";
import { slotOf } from "./slots";

/**
 * Most open placements of a node that makes its first demand for one of them only. On 2×6, 4 make
 * the proof expand 49.4 M nodes, 6 47.3 M, 8 46.7 M and any number 46.1 M, instead of 54.2 M. But
 * the more nodes wait for one placement, the more visits are needed.
 */
const FEW_PLACEMENTS: i32 = 6;

/** Returns the address of a reply in this thread's frame. */
@inline
export function replyAt(reply: i32): usize {
  return area + FRAME + reply * CHILD_BYTES;
}

/** Returns the address of the best-ranked slide of a reply. */
@inline
function slideOf(reply: i32): usize {
  return slidesAfter(replyAt(reply)) + SLIDES_HEAD;
}

/** Returns the place of a reply. */
@inline
function placeOfReply(reply: i32): u32 {
  return rankOf(replyAt(reply));
}

/** Returns the number of a slide, as {@link BlockNode} has it. */
@inline
function moveOf(reply: i32): u32 {
  return placeOfReply(reply) | ((rankOf(slideOf(reply)) & 3) << 5);
}

/** Returns the node of the board to which the best-ranked slide of a reply leads. */
function chosenNode(node: BlockNode, reply: i32): BlockNode {
  const board = boardAt(slideOf(reply));
  const before = firstLayerOf(block.number - 1) + <i32>node.layer;
  const layer = before + 1 + <i32>(placeOfReply(reply) >> 4);
  return nodeOf(mix(afterstateKey(board)), board, layer);
}

/** Returns the reply, of the first `count`, that the placer would try first in a search. */
function firstReply(node: BlockNode, count: i32): i32 {
  const almostFull = isAlmostFull(node.board());
  let first = 0;
  let least: i32 = i32.MAX_VALUE;
  for (let i = 0; i < count; i++) {
    const slides = slideCount(slidesAfter(replyAt(i)));
    // A 4 comes before a 2, then the order is that of the cells.
    const rank = (replyRank(almostFull, slides) << 5) | <i32>(placeOfReply(i) ^ 16);
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
export function demandOne(node: BlockNode, count: i32, need: i32): bool {
  if (count > FEW_PLACEMENTS || node.is(WATCHING)) return false;
  const reply = firstReply(node, count);
  const to = chosenNode(node, reply);
  if (to.is(GUEST)) return false;
  let places: u32 = 0;
  for (let i = 0; i < count; i++) places |= 1 << placeOfReply(i);
  raise(to, need - scoreOf(slideOf(reply)));
  node.open = places;
  slotOf(node).setChanged();
  watch(node, to, moveOf(reply));
  return true;
}

/**
 * Demands what a node needs of the boards that the best-ranked slides of the first `count` replies
 * lead to, and makes the node watch one of them: that of another block if there is one, or one of
 * the lowest layer.
 */
export function demandAll(node: BlockNode, count: i32, need: i32): void {
  let places: u32 = 0;
  let watched: BlockNode | null = null;
  let slide: u32 = 0;
  let best: i32 = 0;
  for (let i = 0; i < count; i++) {
    const place = placeOfReply(i);
    const to = chosenNode(node, i);
    raise(to, need - scoreOf(slideOf(i)));
    places |= 1 << place;
    const rank = to.is(GUEST) ? 3 : 2 - <i32>(place >> 4);
    if (rank <= best) continue;
    best = rank;
    watched = to;
    slide = moveOf(i);
  }
  node.open = places;
  slotOf(node).setChanged();
  if (!node.is(WATCHING)) watch(node, watched!, slide);
}

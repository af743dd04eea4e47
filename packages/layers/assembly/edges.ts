/*
 * The edges of a block's nodes: each demands something of its child. An edge is named by its address;
 * 0 stands for none. It has 20 bytes:
 *     0    u32   the child; 0: the edge is gone, but still among those that lead to its child
 *     4    u32   the node; of a demand, the place of the block that demands (`residents.ts`)
 *     8    u32   the node's next edge, or the next free one
 *     12   u32   the next edge that leads to the child
 *     16   u16   points / 4 of the slide; of a demand, what is demanded
 *     18   u8    the cell + 16 if the tile placed is a 4 + 32 · direction of the slide; DEMAND
 *
 * What another block demands of a board is an edge that leads to it, too, without a node.
 */
import { PAGE_BYTES } from "./layout";
import { firstEdge, firstParent, setFirstEdge, setFirstParent } from "./nodes";
import { takePages } from "./pages";
import {
  current,
  edgesEnd,
  freeEdge,
  nextEdgeAt,
  ownerOf,
  setFreeEdge,
  setNewEdges,
} from "./residents";

const EDGE_BYTES: usize = 20;
/** The cell and the tile of an edge's placement. */
export const PLACE: u32 = 31;
/** Stands for the move of an edge that is another block's demand. */
const DEMAND: u32 = 255;

function newEdge(): usize {
  const free = freeEdge;
  if (free != 0) {
    setFreeEdge(nextEdge(free));
    return free;
  }
  if (nextEdgeAt + EDGE_BYTES > edgesEnd) {
    const page = takePages(1, ownerOf(current));
    setNewEdges(page, page + PAGE_BYTES);
  }
  const edge = nextEdgeAt;
  setNewEdges(edge + EDGE_BYTES, edgesEnd);
  return edge;
}

/** Makes an edge from a node to a child, before its other edges; it demands nothing yet. */
export function makeEdge(node: usize, child: usize, score: i32, move: u32): usize {
  const edge = newEdge();
  store<u32>(edge, <u32>node, 4);
  store<u32>(edge, <u32>firstEdge(node), 8);
  setFirstEdge(node, edge);
  leadTo(edge, child, score, move);
  return edge;
}

/** Makes a demand of the block at a place. */
export function makeDemand(child: usize, from: u32, need: i32): void {
  const edge = newEdge();
  store<u32>(edge, from, 4);
  leadTo(edge, child, need, DEMAND);
}

// @ts-ignore: decorator
@inline
function leadTo(edge: usize, child: usize, score: i32, move: u32): void {
  store<u32>(edge, <u32>child);
  store<u32>(edge, <u32>firstParent(child), 12);
  store<u32>(edge, <u32>score | (move << 16), 16);
  setFirstParent(child, edge);
}

// @ts-ignore: decorator
@inline
export function childOf(edge: usize): usize {
  return load<u32>(edge);
}

// @ts-ignore: decorator
@inline
export function parentOf(edge: usize): usize {
  return load<u32>(edge, 4);
}

/** Returns the place of the block that makes a demand. */
// @ts-ignore: decorator
@inline
export function demander(edge: usize): u32 {
  return load<u32>(edge, 4);
}

// @ts-ignore: decorator
@inline
export function nextEdge(edge: usize): usize {
  return load<u32>(edge, 8);
}

// @ts-ignore: decorator
@inline
export function nextParent(edge: usize): usize {
  return load<u32>(edge, 12);
}

/** Returns points / 4 of an edge's slide, or what a demand demands. */
// @ts-ignore: decorator
@inline
export function scoreOf(edge: usize): i32 {
  return load<u16>(edge, 16);
}

// @ts-ignore: decorator
@inline
export function setScore(edge: usize, value: i32): void {
  store<u16>(edge, <u16>value, 16);
}

// @ts-ignore: decorator
@inline
export function moveOf(edge: usize): u32 {
  return load<u8>(edge, 18);
}

// @ts-ignore: decorator
@inline
export function isDemand(edge: usize): bool {
  return moveOf(edge) == DEMAND;
}

/** Removes an edge from its node's, behind the edge `before`, or as the first if that is 0. */
// @ts-ignore: decorator
@inline
export function removeEdge(node: usize, edge: usize, before: usize): void {
  store<u32>(edge, 0);
  if (before == 0) setFirstEdge(node, nextEdge(edge));
  else store<u32>(before, <u32>nextEdge(edge), 8);
}

/** Takes a demand back. */
// @ts-ignore: decorator
@inline
export function removeDemand(edge: usize): void {
  store<u32>(edge, 0);
}

/** Frees the edges that led to a node and are gone. Returns true if others lead to it. */
export function mendParents(node: usize): bool {
  let before: usize = 0;
  for (let edge = firstParent(node); edge != 0; ) {
    const next = nextParent(edge);
    if (childOf(edge) != 0) before = edge;
    else {
      if (before == 0) setFirstParent(node, next);
      else store<u32>(before, <u32>next, 12);
      store<u32>(edge, <u32>freeEdge, 8);
      setFreeEdge(edge);
    }
    edge = next;
  }
  return firstParent(node) != 0;
}

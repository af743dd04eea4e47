/*
 * The edges of a block's nodes: each demands a lower bound of its child. An edge is identified by
 * its address; 0 means no edge. It has 24 bytes:
 *     0    u32   the child; 0: the edge has failed, or is removed but still in its child's list
 *     4    u32   the node; for another block's demand, the place of that block (`residents.ts`)
 *     8    u32   the node's next edge, or the next free one
 *     12   u32   the next edge that leads to the child
 *     16   u16   points / 4 of the slide
 *     18   u16   the demand on the child, points / 4; 0: no demand
 *     20   u8    the cell + 16 if the tile placed is a 4 + 32 · direction of the slide; FOREIGN
 *
 * Another block's demand on a board is an edge without a node that leads to the board.
 */
import { PAGE_BYTES } from "./layout";
import {
  firstEdge,
  firstParent,
  flagsOf,
  foreignDemands,
  LOST,
  setDemandsAtNeed,
  setFirstEdge,
  setFirstParent,
  setFlags,
  setForeignDemands,
  setNeed,
} from "./nodes";
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

const EDGE_BYTES: usize = 24;
/** The cell and the tile of an edge's placement. */
export const PLACE: u32 = 31;
/** The move of an edge that is another block's demand. */
const FOREIGN: u32 = 255;

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

/** Makes an edge from a node to a child, before its other edges. */
export function makeEdge(node: usize, child: usize, score: i32, demand: i32, move: u32): void {
  const edge = newEdge();
  store<u32>(edge, <u32>node, 4);
  store<u32>(edge, <u32>firstEdge(node), 8);
  setFirstEdge(node, edge);
  leadTo(edge, child, <u32>score | ((<u32>demand) << 16), move);
}

/** Makes another block's demand on a board; `from` is the place of the block. */
export function makeForeign(child: usize, from: u32, demand: i32): void {
  const edge = newEdge();
  store<u32>(edge, from, 4);
  leadTo(edge, child, (<u32>demand) << 16, FOREIGN);
  setForeignDemands(child, foreignDemands(child) + 1);
}

// @ts-ignore: decorator
@inline
function leadTo(edge: usize, child: usize, numbers: u32, move: u32): void {
  store<u32>(edge, <u32>child);
  store<u32>(edge, <u32>firstParent(child), 12);
  store<u32>(edge, numbers, 16);
  store<u8>(edge, <u8>move, 20);
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
function setNextEdge(edge: usize, next: usize): void {
  store<u32>(edge, <u32>next, 8);
}

// @ts-ignore: decorator
@inline
export function nextParent(edge: usize): usize {
  return load<u32>(edge, 12);
}

// @ts-ignore: decorator
@inline
export function scoreOf(edge: usize): i32 {
  return load<u16>(edge, 16);
}

// @ts-ignore: decorator
@inline
export function demandOf(edge: usize): i32 {
  return load<u16>(edge, 18);
}

// @ts-ignore: decorator
@inline
export function setDemand(edge: usize, demand: i32): void {
  store<u16>(edge, <u16>demand, 18);
}

// @ts-ignore: decorator
@inline
export function moveOf(edge: usize): u32 {
  return load<u8>(edge, 20);
}

// @ts-ignore: decorator
@inline
export function isForeign(edge: usize): bool {
  return moveOf(edge) == FOREIGN;
}

// @ts-ignore: decorator
@inline
function freeThis(edge: usize): void {
  setNextEdge(edge, freeEdge);
  setFreeEdge(edge);
}

/**
 * Removes an edge from its node's list: the one after the edge `before`, or the first if that is 0.
 */
// @ts-ignore: decorator
@inline
export function takeFromNode(node: usize, edge: usize, before: usize): void {
  if (before == 0) setFirstEdge(node, nextEdge(edge));
  else setNextEdge(before, nextEdge(edge));
}

/**
 * Removes an edge from the list of those that lead to its child: the one after the edge `before`,
 * or the first if that is 0.
 */
// @ts-ignore: decorator
@inline
function takeFromChild(child: usize, edge: usize, before: usize): void {
  if (before == 0) setFirstParent(child, nextParent(edge));
  else store<u32>(before, <u32>nextParent(edge), 12);
}

/**
 * Marks an edge as removed: it is no longer in its node's list, and will be freed by
 * {@link mendParents} or {@link freeFirstParents} of the child. Frees an edge that has already
 * failed.
 */
// @ts-ignore: decorator
@inline
export function abandon(edge: usize): void {
  const child = childOf(edge);
  if (child == 0) {
    freeThis(edge);
    return;
  }
  store<u32>(edge, 0);
  setFlags(child, flagsOf(child) | LOST);
  if (isForeign(edge)) setForeignDemands(child, foreignDemands(child) - 1);
}

/** Frees a removed edge, given the edge before it in the list of those that lead to its child. */
// @ts-ignore: decorator
@inline
export function free(child: usize, edge: usize, before: usize): void {
  takeFromChild(child, edge, before);
  freeThis(edge);
}

/**
 * Frees a fulfilled edge, or a settled demand, given the edge before it in the list of those that
 * lead to its child.
 */
export function settle(child: usize, edge: usize, before: usize): void {
  if (isForeign(edge)) setForeignDemands(child, foreignDemands(child) - 1);
  else {
    const node = parentOf(edge);
    let previous: usize = 0;
    for (let other = firstEdge(node); other != edge; other = nextEdge(other)) previous = other;
    takeFromNode(node, edge, previous);
  }
  free(child, edge, before);
}

/**
 * Marks an edge as failed, given the edge before it in the list of those that lead to its child. It
 * stays in its node's list until another slide takes its place.
 */
export function fail(child: usize, edge: usize, before: usize): void {
  takeFromChild(child, edge, before);
  store<u32>(edge, 0);
}

/** Frees the removed edges that led to a node, up to the first one that still leads to it. */
export function freeFirstParents(node: usize): void {
  let edge = firstParent(node);
  while (edge != 0 && childOf(edge) == 0) {
    free(node, edge, 0);
    edge = firstParent(node);
  }
}

/** Frees the removed edges that led to a node. Its need becomes the largest demand of the others. */
export function mendParents(node: usize): void {
  let before: usize = 0;
  let most = 0;
  let count = 0;
  for (let edge = firstParent(node); edge != 0; ) {
    const next = nextParent(edge);
    if (childOf(edge) != 0) {
      const demand = demandOf(edge);
      count = demand > most ? 1 : count + i32(demand == most);
      most = max(most, demand);
      before = edge;
    } else {
      free(node, edge, before);
    }
    edge = next;
  }
  setFlags(node, flagsOf(node) & ~LOST);
  setNeed(node, most);
  setDemandsAtNeed(node, count);
}

/*
 * The edges of a block's nodes: each demands something of its child. An edge is named by its address;
 * 0 stands for none. It has 24 bytes:
 *     0    u32   the child; 0: the edge has failed, or is gone but still among those that lead to its child
 *     4    u32   the node; of another block's demand, the place of that block (`residents.ts`)
 *     8    u32   the node's next edge, or the next free one
 *     12   u32   the next edge that leads to the child
 *     16   u16   points / 4 of the slide
 *     18   u16   what is demanded of the child, points / 4; 0: nothing is
 *     20   u8    the cell + 16 if the tile placed is a 4 + 32 · direction of the slide; FOREIGN
 *
 * When another block demands something of a board, an edge without a node leads to the board.
 */
import { PAGE_BYTES } from "./layout";
import {
  firstEdge,
  firstParent,
  flagsOf,
  foreignDemands,
  LOST,
  setFirstEdge,
  setFirstParent,
  setFlags,
  setForeignDemands,
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
/** Stands for the move of an edge that is another block's demand. */
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

/** Takes an edge from its node's, behind the edge `before`, or as the first if that is 0. */
// @ts-ignore: decorator
@inline
export function takeFromNode(node: usize, edge: usize, before: usize): void {
  if (before == 0) setFirstEdge(node, nextEdge(edge));
  else setNextEdge(before, nextEdge(edge));
}

/**
 * Takes an edge from those that lead to its child, behind the edge `before` among them, or as the first
 * if that is 0.
 */
// @ts-ignore: decorator
@inline
function takeFromChild(child: usize, edge: usize, before: usize): void {
  if (before == 0) setFirstParent(child, nextParent(edge));
  else store<u32>(before, <u32>nextParent(edge), 12);
}

/**
 * Notes that an edge is gone: it is no longer among its node's, and will be freed when the child is
 * mended. An edge that has failed already is freed.
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

/** Frees an edge that is gone, given the one before it among those that lead to its child. */
// @ts-ignore: decorator
@inline
export function free(child: usize, edge: usize, before: usize): void {
  takeFromChild(child, edge, before);
  freeThis(edge);
}

/**
 * Frees an edge that holds, or a demand that is settled, given the one before it among those that lead
 * to its child.
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

/** Notes that an edge has failed, given the one before it among those that lead to its child: it stays among its node's, until another slide takes its place. */
export function fail(child: usize, edge: usize, before: usize): void {
  takeFromChild(child, edge, before);
  store<u32>(edge, 0);
}

/** Frees the edges that led to a node and are gone. Returns the most that the others demand. */
export function mendParents(node: usize): i32 {
  let before: usize = 0;
  let most = 0;
  for (let edge = firstParent(node); edge != 0; ) {
    const next = nextParent(edge);
    if (childOf(edge) != 0) {
      most = max(most, demandOf(edge));
      before = edge;
    } else {
      free(node, edge, before);
    }
    edge = next;
  }
  setFlags(node, flagsOf(node) & ~LOST);
  return most;
}

/*
 * What changes in a visit, and the nodes that it concerns. A node whose need has changed waits in the
 * queue upward of its layer; one of whose children something new is known waits in the queue downward.
 */
import { LAYER_BYTES, LAYERS, RANGE } from "./layout";
import {
  askedOf,
  childOf,
  demandedOf,
  DOWNWARD,
  edgeAt,
  FELL,
  firstEdge,
  firstParent,
  flagsOf,
  indexOf,
  layerIn,
  needOf,
  nextEdge,
  nextParent,
  nodeAt,
  parentOf,
  peerIn,
  removeEdge,
  scoreOf,
  setAsked,
  setFlags,
  setNeed,
  setNextDownward,
  setNextUpward,
  UPWARD,
} from "./nodes";

/** Offsets of the queues' first and last nodes in a layer. */
export const UP: usize = 16;
export const DOWN: usize = 24;

// @ts-ignore: decorator
@inline
export function queueUpward(node: usize): void {
  const flags = flagsOf(node);
  if ((flags & UPWARD) != 0) return;
  setFlags(node, flags | UPWARD);
  const index = indexOf(node);
  const queue = LAYERS + <usize>(peerIn(node) == 0 ? layerIn(node) : RANGE) * LAYER_BYTES + UP;
  if (load<u32>(queue) == 0) store<u32>(queue, index);
  else setNextUpward(nodeAt(load<u32>(queue, 4)), index);
  store<u32>(queue, index, 4);
  setNextUpward(node, 0);
}

// @ts-ignore: decorator
@inline
export function queueDownward(node: usize): void {
  const flags = flagsOf(node);
  if ((flags & DOWNWARD) != 0) return;
  setFlags(node, flags | DOWNWARD);
  const index = indexOf(node);
  const queue = LAYERS + <usize>layerIn(node) * LAYER_BYTES + DOWN;
  if (load<u32>(queue) == 0) store<u32>(queue, index);
  else setNextDownward(nodeAt(load<u32>(queue, 4)), index);
  store<u32>(queue, index, 4);
  setNextDownward(node, 0);
}

/** Demands at least `need` of a node; less than 1 is no demand. */
// @ts-ignore: decorator
@inline
export function raise(index: u32, need: i32): void {
  const node = nodeAt(index);
  if (need <= needOf(node)) return;
  setNeed(node, need);
  queueUpward(node);
}

/** Something that demanded `need` of a node demands less, or nothing. */
// @ts-ignore: decorator
@inline
export function lower(index: u32, need: i32): void {
  const node = nodeAt(index);
  if (need <= 0 || need < needOf(node)) return;
  setFlags(node, flagsOf(node) | FELL);
  queueUpward(node);
}

/** Returns what an edge of a node demands of its child. */
// @ts-ignore: decorator
@inline
export function demandOfEdge(node: usize, edge: usize): i32 {
  return askedOf(node) - scoreOf(edge);
}

/** Changes what a node asks of its edges; 0 withdraws their demands. */
export function ask(node: usize, now: i32): void {
  const before = askedOf(node);
  if (before == now) return;
  setAsked(node, now);
  for (let index = firstEdge(node); index != 0; ) {
    const edge = edgeAt(index);
    if (now > before) raise(childOf(edge), now - scoreOf(edge));
    else lower(childOf(edge), before - scoreOf(edge));
    index = nextEdge(edge);
  }
}

/** Removes an edge, and with it what it demands. */
// @ts-ignore: decorator
@inline
export function drop(node: usize, edge: usize, before: usize): void {
  lower(childOf(edge), demandOfEdge(node, edge));
  removeEdge(node, edge, before);
}

export function dropAll(node: usize): void {
  while (firstEdge(node) != 0) drop(node, edgeAt(firstEdge(node)), 0);
  setAsked(node, 0);
}

/** Finds the need of a node anew. */
export function findNeed(node: usize): void {
  let need = demandedOf(node);
  let before: usize = 0;
  for (let index = firstParent(node); index != 0; ) {
    const edge = edgeAt(index);
    index = nextParent(edge);
    if (childOf(edge) == 0) {
      // The edge is gone: the list is mended.
      store<u32>(before == 0 ? node + 28 : before + 12, index);
      continue;
    }
    need = max(need, askedOf(nodeAt(parentOf(edge))) - scoreOf(edge));
    before = edge;
  }
  setNeed(node, need);
}

/** Queues the parents of a node of which something new is known. */
export function tellParents(node: usize): void {
  for (let index = firstParent(node); index != 0; ) {
    const edge = edgeAt(index);
    index = nextParent(edge);
    if (childOf(edge) == 0) continue;
    const parent = nodeAt(parentOf(edge));
    if (askedOf(parent) > 0) queueDownward(parent);
  }
}

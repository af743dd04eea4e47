/*
 * What changes in a visit, and the nodes that it concerns. A node whose need has changed waits in the
 * queue upward of its layer; one of whose children something new is known waits in the queue downward.
 * The order within a queue does not matter: nodes of one layer do not depend on each other.
 *
 * A layer's queues have 16 bytes; behind the layers come those of the guests, who only have the first:
 *     0    u32   the first node in the queue upward, u32 number of nodes in it
 *     8    u32   the first node in the queue downward
 */
import {
  childOf,
  isDemand,
  mendParents,
  nextEdge,
  nextParent,
  parentOf,
  removeDemand,
  removeEdge,
  scoreOf,
  demander,
} from "./edges";
import { QUEUES_BYTES, RANGE } from "./layout";
import { sendAnswer } from "./letters";
import {
  askedOf,
  DOWNWARD,
  FELL,
  firstEdge,
  firstParent,
  flagsOf,
  hiOf,
  isGuest,
  isKnown,
  keyOf,
  layerIn,
  loOf,
  needOf,
  setAsked,
  setFlags,
  setNeed,
  setNextDownward,
  setNextUpward,
  touch,
  UPWARD,
} from "./nodes";
import { current } from "./residents";

let queuesAt: usize = 0;

/** Sets where this thread has its queues. */
export function attachQueues(at: usize): void {
  queuesAt = at;
}

// @ts-ignore: decorator
@inline
function queuesOf(layer: u32): usize {
  return queuesAt + <usize>layer * QUEUES_BYTES;
}

// @ts-ignore: decorator
@inline
export function queueUpward(node: usize): void {
  const flags = flagsOf(node);
  if ((flags & UPWARD) != 0) return;
  setFlags(node, flags | UPWARD);
  const queues = queuesOf(isGuest(node) ? RANGE : layerIn(node));
  setNextUpward(node, load<u32>(queues));
  store<u32>(queues, <u32>node);
  store<u32>(queues, load<u32>(queues, 4) + 1, 4);
  touch(node);
}

// @ts-ignore: decorator
@inline
export function queueDownward(node: usize): void {
  const flags = flagsOf(node);
  if ((flags & DOWNWARD) != 0) return;
  setFlags(node, flags | DOWNWARD);
  const queues = queuesOf(layerIn(node));
  setNextDownward(node, load<u32>(queues, 8));
  store<u32>(queues, <u32>node, 8);
  touch(node);
}

// @ts-ignore: decorator
@inline
export function countUpward(layer: u32): u32 {
  return load<u32>(queuesOf(layer), 4);
}

/** Empties a queue upward; returns its first node. */
// @ts-ignore: decorator
@inline
export function takeUpward(layer: u32): usize {
  const queues = queuesOf(layer);
  const node = load<u32>(queues);
  store<u64>(queues, 0);
  return node;
}

/** Empties a queue downward; returns its first node. */
// @ts-ignore: decorator
@inline
export function takeDownward(layer: u32): usize {
  const queues = queuesOf(layer);
  const node = load<u32>(queues, 8);
  store<u32>(queues, 0, 8);
  return node;
}

/** Demands at least `need` of a node; less than 1 is no demand. */
// @ts-ignore: decorator
@inline
export function raise(node: usize, need: i32): void {
  if (need <= needOf(node)) return;
  setNeed(node, need);
  queueUpward(node);
}

/** Something that demanded `need` of a node demands less, or nothing. */
// @ts-ignore: decorator
@inline
export function lower(node: usize, need: i32): void {
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
  for (let edge = firstEdge(node); edge != 0; edge = nextEdge(edge)) {
    if (now > before) raise(childOf(edge), now - scoreOf(edge));
    else lower(childOf(edge), before - scoreOf(edge));
  }
}

/** Removes an edge, and with it what it demands. */
// @ts-ignore: decorator
@inline
export function drop(node: usize, edge: usize, before: usize): void {
  const child = childOf(edge);
  touch(child);
  lower(child, demandOfEdge(node, edge));
  removeEdge(node, edge, before);
}

export function dropAll(node: usize): void {
  while (firstEdge(node) != 0) drop(node, firstEdge(node), 0);
  setAsked(node, 0);
}

/** Finds the need of a node anew. */
export function findNeed(node: usize): void {
  mendParents(node);
  let need = 0;
  for (let edge = firstParent(node); edge != 0; edge = nextParent(edge)) {
    const demand = isDemand(edge) ? scoreOf(edge) : demandOfEdge(parentOf(edge), edge);
    need = max(need, demand);
  }
  setNeed(node, need);
}

/**
 * Tells the parents of a node that something new is known of it: queues them, and answers the demands
 * of other blocks that are settled.
 */
export function tellParents(node: usize): void {
  for (let edge = firstParent(node); edge != 0; edge = nextParent(edge)) {
    if (childOf(edge) == 0) continue;
    if (!isDemand(edge)) {
      if (askedOf(parentOf(edge)) > 0) queueDownward(parentOf(edge));
      continue;
    }
    const need = scoreOf(edge);
    if (!isKnown(node, need)) continue;
    // What the starts demand is this block's own, and they are looked at anew.
    if (demander(edge) != current) sendAnswer(demander(edge), keyOf(node), loOf(node), hiOf(node));
    removeDemand(edge);
    touch(node);
    lower(node, need);
  }
}

/** Returns the demand of a block on a node, or 0. */
export function demandOf(node: usize, from: u32): usize {
  for (let edge = firstParent(node); edge != 0; edge = nextParent(edge)) {
    if (childOf(edge) != 0 && isDemand(edge) && demander(edge) == from) return edge;
  }
  return 0;
}

/*
 * The changes of a visit, and the nodes that they concern. A node whose need has changed waits in
 * the queue upward of its layer; a node with a new bound of a child waits in the queue downward.
 * The order within a queue does not matter: nodes of one layer do not depend on each other.
 *
 * A layer's queues have 24 bytes; after the layers come those of the guests, which use only the
 * first:
 *     0    stack of the queue upward (`stacks.ts`)
 *     8    stack of the queue downward
 *     16   u32   number of nodes in the queue upward
 */
import {
  abandon,
  childOf,
  demander,
  demandOf,
  fail,
  free,
  isForeign,
  nextEdge,
  nextParent,
  parentOf,
  scoreOf,
  setDemand,
  settle,
  takeFromNode,
} from "./edges";
import { QUEUES_BYTES, RANGE } from "./layout";
import { sendAnswer } from "./letters";
import {
  askedOf,
  demandsAtNeed,
  DOWNWARD,
  FELL,
  firstEdge,
  firstParent,
  flagsOf,
  foreignDemands,
  fulfilledBy,
  hiOf,
  isGuest,
  isKnown,
  keyOf,
  layerIn,
  loOf,
  LOST,
  needOf,
  setAsked,
  setDemandsAtNeed,
  setFirstEdge,
  setFlags,
  setFulfilled,
  setNeed,
  touch,
  touchedAt,
  UPWARD,
} from "./nodes";
import { current } from "./residents";
import { settles } from "./slots";
import { clearStacks, push, take } from "./stacks";

let queuesAt: usize = 0;

/** Sets the address of this thread's queues. */
export function attachQueues(at: usize): void {
  queuesAt = at;
}

/** Empties all queues. */
export function clearQueues(): void {
  memory.fill(queuesAt, 0, (RANGE + 1) * QUEUES_BYTES);
  store<u64>(touchedAt, 0);
  clearStacks();
}

// @ts-ignore: decorator
@inline
function queuesOf(layer: u32): usize {
  return queuesAt + <usize>layer * QUEUES_BYTES;
}

/** Queues a node whose need has changed. */
// @ts-ignore: decorator
@inline
export function queueUpward(node: usize): void {
  touch(node);
  queueToCheck(node, 0);
}

/** Queues a node, and sets flags; if its need turns out to have changed, it must be touched. */
// @ts-ignore: decorator
@inline
function queueToCheck(node: usize, more: u8): void {
  const flags = flagsOf(node) | more;
  setFlags(node, flags | UPWARD);
  if ((flags & UPWARD) != 0) return;
  const queues = queuesOf(isGuest(node) ? RANGE : layerIn(node));
  push(queues, node);
  store<u32>(queues, load<u32>(queues, 16) + 1, 16);
}

// @ts-ignore: decorator
@inline
function queueDownward(node: usize): void {
  const flags = flagsOf(node);
  if ((flags & DOWNWARD) != 0) return;
  setFlags(node, flags | DOWNWARD);
  push(queuesOf(layerIn(node)) + 8, node);
  touch(node);
}

// @ts-ignore: decorator
@inline
export function countUpward(layer: u32): u32 {
  return load<u32>(queuesOf(layer), 16);
}

/** Takes all nodes from a queue upward; `nextBatch` goes through them. */
// @ts-ignore: decorator
@inline
export function takeUpward(layer: u32): void {
  const queues = queuesOf(layer);
  take(queues);
  store<u32>(queues, 0, 16);
}

/** Takes all nodes from a queue downward; `nextBatch` goes through them. */
// @ts-ignore: decorator
@inline
export function takeDownward(layer: u32): void {
  take(queuesOf(layer) + 8);
}

/** Demands at least `need` of a node; a need below 1 is not a demand. */
// @ts-ignore: decorator
@inline
export function raise(node: usize, need: i32): void {
  const now = needOf(node);
  if (need <= 0 || need < now) return;
  if (need == now) {
    setDemandsAtNeed(node, demandsAtNeed(node) + 1);
    return;
  }
  setNeed(node, need);
  setDemandsAtNeed(node, 1);
  queueUpward(node);
}

/** Lowers or withdraws one demand of `need` on a node. */
// @ts-ignore: decorator
@inline
export function lower(node: usize, need: i32): void {
  if (need <= 0 || need < needOf(node)) return;
  const count = demandsAtNeed(node);
  if (count > 0) setDemandsAtNeed(node, count - 1);
  queueToCheck(node, FELL);
}

/** Withdraws an edge's demand before its removal. */
// @ts-ignore: decorator
@inline
function drop(edge: usize): void {
  const child = childOf(edge);
  if (child == 0) return;
  touch(child);
  lower(child, demandOf(edge));
}

/** Removes all edges of a node. */
export function dropAll(node: usize): void {
  for (let edge = firstEdge(node); edge != 0; ) {
    const next = nextEdge(edge);
    drop(edge);
    abandon(edge);
    edge = next;
  }
  setFirstEdge(node, 0);
  setAsked(node, 0);
}

/** Withdraws a node's demands; its edges stay, unless some of them have failed. */
export function withdraw(node: usize): void {
  if (askedOf(node) == 0) return;
  setAsked(node, 0);
  for (let edge = firstEdge(node); edge != 0; edge = nextEdge(edge)) {
    const child = childOf(edge);
    if (child == 0) return dropAll(node);
    const demand = demandOf(edge);
    setDemand(edge, 0);
    lower(child, demand);
  }
}

/**
 * Changes the need that a node asks its edges to fulfil. Edges that already hold are removed. If
 * some fail, or no edge is left, the node is queued downward.
 */
export function ask(node: usize, now: i32): void {
  if (askedOf(node) == now) return;
  setAsked(node, now);
  let isOpen = false;
  let hasFailed = false;
  let before: usize = 0;
  for (let edge = firstEdge(node); edge != 0; ) {
    const next = nextEdge(edge);
    const child = childOf(edge);
    const demand = now - scoreOf(edge);
    if (child != 0 && loOf(child) >= demand) {
      setFulfilled(node, min(fulfilledBy(node), scoreOf(edge) + loOf(child)));
      drop(edge);
      takeFromNode(node, edge, before);
      abandon(edge);
    } else {
      if (child == 0) hasFailed = true;
      else if (isKnown(child, demand)) {
        drop(edge);
        fail(child, edge, edgeBefore(child, edge));
        hasFailed = true;
      } else {
        const asked = demandOf(edge);
        setDemand(edge, demand);
        if (demand > asked) raise(child, demand);
        else if (demand < asked) lower(child, asked);
        isOpen = true;
      }
      before = edge;
    }
    edge = next;
  }
  if (hasFailed || !isOpen) queueDownward(node);
}

/** Returns the edge before another one in the list of those that lead to a child, or 0. */
function edgeBefore(child: usize, edge: usize): usize {
  let before: usize = 0;
  for (let other = firstParent(child); other != edge; other = nextParent(other)) before = other;
  return before;
}

/** Keeps the compiler from removing reads. */
export let fetched: u64 = 0;

/** Reads the parents of a node, so that the processor waits for many at once. */
// @ts-ignore: decorator
@inline
function fetchNodesOfParents(node: usize): void {
  let sum: u64 = 0;
  for (let edge = firstParent(node); edge != 0; edge = nextParent(edge)) {
    sum += keyOf(parentOf(edge)); // of another block's demand, some other readable address
  }
  fetched += sum;
}

/**
 * Informs the parents of a node of its new bound. Edges that now hold are removed; a parent with an
 * edge that now fails, or without any edge left, is queued downward. Settled demands of other
 * blocks are answered. The largest remaining demand becomes the node's need.
 */
export function tellParents(node: usize): void {
  fetchNodesOfParents(node);
  const lo = loOf(node);
  const hi = hiOf(node);
  let need = 0;
  let count = 0;
  let before: usize = 0;
  for (let edge = firstParent(node); edge != 0; ) {
    const next = nextParent(edge);
    const demand = demandOf(edge);
    if (childOf(edge) == 0) free(node, edge, before);
    else if (demand == 0 || !settles(lo, hi, demand)) {
      count = demand > need ? 1 : count + i32(demand == need);
      need = max(need, demand);
      before = edge;
    } else if (isForeign(edge)) {
      // The starts' demands belong to this block, and the starts are looked at again.
      if (demander(edge) != current) sendAnswer(demander(edge), keyOf(node), lo, hi);
      settle(node, edge, before);
    } else {
      const parent = parentOf(edge);
      if (lo >= demand) {
        setFulfilled(parent, min(fulfilledBy(parent), scoreOf(edge) + lo));
        settle(node, edge, before);
        if (firstEdge(parent) == 0) queueDownward(parent);
      } else {
        fail(node, edge, before);
        queueDownward(parent);
      }
    }
    edge = next;
  }
  touch(node);
  setFlags(node, flagsOf(node) & ~LOST);
  setDemandsAtNeed(node, count);
  if (need == needOf(node)) return;
  setNeed(node, need);
  queueUpward(node);
}

/** Returns the edge of a block's demand on a node, or 0. */
export function foreignOf(node: usize, from: u32): usize {
  let left = foreignDemands(node);
  for (let edge = firstParent(node); left > 0; edge = nextParent(edge)) {
    if (childOf(edge) == 0 || !isForeign(edge)) continue;
    if (demander(edge) == from) return edge;
    left--;
  }
  return 0;
}

/*
 * The work of a visit. What is demanded passes upward through the block's layers, and nodes that have
 * to be are expanded; bounds pass downward; and so on until nothing of the block is left to do.
 */
import { expand, lookAgain } from "./expand";
import { LAYER_BYTES, LAYERS, RANGE } from "./layout";
import {
  askedOf,
  childOf,
  demandedBefore,
  demandedOf,
  DOWNWARD,
  edgeAt,
  FELL,
  firstEdge,
  flagsOf,
  fulfilledBy,
  isKnown,
  needOf,
  nextDownward,
  nextEdge,
  nextOf,
  nextUpward,
  nodeAt,
  nodeCount,
  peerIn,
  REFERENCED,
  setDemanded,
  setDemandedBefore,
  setFlags,
  setNext,
  UPWARD,
} from "./nodes";
import { countIn, DEMANDS, OTHER_DEMANDS, peerAt } from "./peers";
import {
  ask,
  DOWN,
  dropAll,
  findNeed,
  lower,
  queueDownward,
  queueUpward,
  raise,
  tellParents,
  UP,
} from "./queues";
import { checkLists } from "./regions";

/** Of the block's nodes: those with edges, and those that are demanded and open. */
export let openNodes: u32 = 0;
export let liveNodes: u32 = 0;
/** Edges to be written. */
export let edgesLeft: u32 = 0;
/** Nodes that wait for the next visit to be expanded, since this one has made as many as it may. */
export let waitingNodes: u32 = 0;

/** Nodes that a visit may make, so that its memory is bounded; then it expands no more. */
const MOST_NODES: u32 = 1 << 19;
let nodesAllowed: u32 = 0;

/** Queues the nodes that wait to be expanded. */
export function queueWaiting(): void {
  nodesAllowed = nodeCount + MOST_NODES;
  for (let i: u32 = 1; i < nodeCount; i++) {
    const node = nodeAt(i);
    if (peerIn(node) == 0 && isWaiting(node)) queueUpward(node);
  }
}

/** Returns true if a node of the block is demanded, open, and not expanded. */
// @ts-ignore: decorator
@inline
function isWaiting(node: usize): bool {
  const need = needOf(node);
  return need != 0 && firstEdge(node) == 0 && !isKnown(node, need);
}

/** Forgets what other blocks demand, so that it can be taken anew: what is settled no longer counts. */
export function forgetDemands(): void {
  for (let i: u32 = 1; i < nodeCount; i++) {
    const node = nodeAt(i);
    if (peerIn(node) != 0) continue;
    setDemandedBefore(node, demandedOf(node));
    setDemanded(node, 0);
  }
}

/** Queues the nodes of which other blocks demand something else than before; returns true if there are any. */
export function takeChanges(): bool {
  let isChanged = false;
  for (let i: u32 = 1; i < nodeCount; i++) {
    const node = nodeAt(i);
    if (peerIn(node) != 0) continue;
    const now = demandedOf(node);
    const before = demandedBefore(node);
    if (now > before) raise(i, now);
    else if (now < before) lower(i, before);
    else continue;
    isChanged = true;
  }
  return isChanged;
}

/** Takes a node from the queue upward. */
// @ts-ignore: decorator
@inline
function passUp(node: usize, firstLayer: i32): void {
  const flags = flagsOf(node);
  setFlags(node, flags & ~(UPWARD | FELL));
  if ((flags & FELL) != 0) findNeed(node);
  if (peerIn(node) != 0) return;
  const need = needOf(node);
  if (need == 0 || isKnown(node, need)) ask(node, 0);
  else if (firstEdge(node) != 0 && fulfilledBy(node) >= need) {
    ask(node, need);
    queueDownward(node);
  } else {
    dropAll(node);
    if (nodeCount > nodesAllowed) return;
    expand(node, firstLayer);
    if (firstEdge(node) == 0) tellParents(node);
  }
}

/** Takes a node from the queue downward. */
// @ts-ignore: decorator
@inline
function passDown(node: usize, firstLayer: i32): void {
  setFlags(node, flagsOf(node) & ~DOWNWARD);
  // If what it asks is not its need, it waits in the queue upward.
  if (askedOf(node) == 0 || askedOf(node) != needOf(node)) return;
  lookAgain(node, firstLayer);
  if (firstEdge(node) != 0) return;
  ask(node, 0);
  tellParents(node);
}

/** Works off both queues of a block whose first layer is `firstLayer`. */
export function pass(firstLayer: i32): void {
  while (true) {
    let isIdle = true;
    for (let layer = 0; layer <= RANGE; layer++) {
      const queue = LAYERS + <usize>(layer * LAYER_BYTES) + UP;
      while (load<u32>(queue) != 0) {
        isIdle = false;
        const node = nodeAt(load<u32>(queue));
        store<u32>(queue, nextUpward(node));
        passUp(node, firstLayer);
      }
    }
    for (let layer = RANGE - 1; layer >= 0; layer--) {
      const queue = LAYERS + <usize>(layer * LAYER_BYTES) + DOWN;
      while (load<u32>(queue) != 0) {
        isIdle = false;
        const node = nodeAt(load<u32>(queue));
        store<u32>(queue, nextDownward(node));
        passDown(node, firstLayer);
      }
    }
    if (isIdle) break;
  }
}

/** Address of the indices of the nodes to be written, and their number. */
let indices: usize = 0;
export let nodesKept: u32 = 0;

/** Gives a node its index in the file. */
// @ts-ignore: decorator
@inline
function keep(index: u32, node: usize): void {
  store<u32>(indices + 4 * nodesKept, index);
  setNext(node, ++nodesKept);
}

/** Counts a node of the block, and keeps it if it has edges or one leads to it. */
// @ts-ignore: decorator
@inline
function close(index: u32): void {
  const node = nodeAt(index);
  const need = needOf(node);
  if (need != 0 && !isKnown(node, need)) liveNodes++;
  if (firstEdge(node) == 0) {
    if (isWaiting(node)) waitingNodes++;
    else if ((flagsOf(node) & REFERENCED) == 0) return setNext(node, 0);
  } else openNodes++;
  for (let edge = firstEdge(node); edge != 0; edge = nextEdge(edgeAt(edge))) {
    const child = nodeAt(childOf(edgeAt(edge)));
    setFlags(child, flagsOf(child) | REFERENCED);
    edgesLeft++;
  }
  keep(index, node);
}

/** Counts what is demanded of another block's board, and keeps it if an edge leads to it. */
// @ts-ignore: decorator
@inline
function closeGuest(index: u32, node: usize): void {
  const need = needOf(node);
  const isLive = need != 0 && !isKnown(node, need);
  if (isLive) {
    const peer = peerAt(peerIn(node));
    countIn(peer, DEMANDS);
    if (need != demandedBefore(node)) countIn(peer, OTHER_DEMANDS);
  }
  if (isLive || (flagsOf(node) & REFERENCED) != 0) keep(index, node);
  else setNext(node, 0);
}

/**
 * Numbers the nodes to be written, from 1: those of the block in the order of their layers, then guests.
 * Writes the number of nodes in each layer, and then the indices of all, 32 bits each, to `order`, and
 * returns the end of these. The lists of the layers' new nodes are lost.
 */
export function closeVisit(order: usize): usize {
  checkLists(order + 4 * (<usize>RANGE + nodeCount));
  indices = order + 4 * RANGE;
  openNodes = 0;
  liveNodes = 0;
  waitingNodes = 0;
  nodesKept = 0;
  edgesLeft = 0;
  for (let layer = 0; layer < RANGE; layer++) {
    const at = LAYERS + <usize>(layer * LAYER_BYTES);
    const before = nodesKept;
    for (let i = load<u32>(at), end = load<u32>(at, 4); i < end; i++) close(i);
    for (let i = load<u32>(at, 8); i != 0; ) {
      const following = nextOf(nodeAt(i));
      close(i);
      i = following;
    }
    store<u32>(order + 4 * layer, nodesKept - before);
  }
  for (let i: u32 = 1; i < nodeCount; i++) {
    const node = nodeAt(i);
    if (peerIn(node) != 0) closeGuest(i, node);
  }
  return indices + 4 * nodesKept;
}

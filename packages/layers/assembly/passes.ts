/*
 * The work of a visit. Demands pass upward through the block's layers, and nodes are expanded as
 * needed; then bounds pass downward. This repeats until the block has no work left.
 */
import {
  abandon,
  childOf,
  freeFirstParents,
  isForeign,
  mendParents,
  nextEdge,
  nextParent,
  setDemand,
} from "./edges";
import { expand, lookAgain } from "./expand";
import { RANGE } from "./layout";
import { sendDemand } from "./letters";
import { dropNode, made } from "./making";
import {
  askedOf,
  demandsAtNeed,
  DOWNWARD,
  FELL,
  firstEdge,
  firstParent,
  flagsOf,
  fulfilledBy,
  homeOfGuest,
  isGuest,
  isKnown,
  isLive,
  keyOf,
  LOST,
  needOf,
  setAsked,
  setFlags,
  setNeed,
  setTold,
  toldOf,
  touch,
  touchedAt,
  TOUCHED,
  UPWARD,
  WAS_LIVE,
  WAS_OPEN,
} from "./nodes";
import {
  ask,
  countUpward,
  dropAll,
  queueUpward,
  takeDownward,
  takeUpward,
  tellParents,
  withdraw,
} from "./queues";
import {
  current,
  liveNodes,
  openNodes,
  ownerOf,
  setCounts,
  tableAt,
  waitingAt,
  waitingNodes,
} from "./residents";
import { homeOf, nextHeld, nodeIn, SLOT_BYTES, tableEnd } from "./slots";
import { batch, batchEnd, ENTRY_BYTES, nextBatch, nodeAt, pushFor, take } from "./stacks";

/**
 * Approximate number of nodes that a visit makes before it stops expanding, which bounds its
 * memory.
 */
const MOST_NODES: u32 = 1 << 19;
/** Approximate number of nodes made per expansion. */
const NODES_EACH: u32 = 8;
/** The number of hash values; a share of this value expands all nodes. */
const ALL: u32 = 1 << 16;

/** Distinguishes visits, so that different nodes wait each time. */
let salt: u64 = 0;
/** Nodes in the current queue with a smaller hash are expanded. */
let share: u32 = ALL;

/** Begins a visit: queues the nodes that wait to be expanded. */
export function beginPasses(visit: u32): void {
  salt = <u64>visit * 0x9e3779b97f4a7c15;
  for (take(waitingAt(), true); nextBatch(); ) {
    for (let at = batch; at < batchEnd; at += ENTRY_BYTES) queueUpward(nodeAt(at));
  }
  setCounts(openNodes, liveNodes, 0);
}

/**
 * Sets the share of a layer's nodes that may be expanded. The choice depends neither on the order
 * of the nodes nor on their addresses, so that a visit does the same whether the block was in
 * memory or in a file.
 */
function setShare(layer: u32): void {
  const left: u64 = made >= MOST_NODES ? 0 : MOST_NODES - made;
  const wanted = <u64>countUpward(layer) * NODES_EACH;
  share = left >= wanted ? ALL : <u32>((left * ALL) / wanted);
}

// @ts-ignore: decorator
@inline
function mayExpand(node: usize): bool {
  return <u32>(((keyOf(node) ^ salt) * 0xbf58476d1ce4e5b9) >> 48) < share;
}

/** Computes the need of a node again unless a known demand is as high. */
// @ts-ignore: decorator
@inline
function checkNeed(node: usize): void {
  if (demandsAtNeed(node) > 0) return;
  mendParents(node);
  touch(node);
}

/** Takes a node from the queue upward. */
// @ts-ignore: decorator
@inline
function passUp(node: usize, firstLayer: i32): void {
  const flags = flagsOf(node);
  setFlags(node, flags & ~(UPWARD | FELL));
  if ((flags & FELL) != 0) checkNeed(node);
  const need = needOf(node);
  if (need == 0 || isKnown(node, need)) withdraw(node);
  else if (firstEdge(node) != 0 && fulfilledBy(node) >= need) ask(node, need);
  else {
    dropAll(node);
    if (!mayExpand(node)) return;
    expand(node, firstLayer);
    if (firstEdge(node) == 0) tellParents(node);
  }
}

/** Takes a node from the queue downward. */
// @ts-ignore: decorator
@inline
function passDown(node: usize, firstLayer: i32): void {
  setFlags(node, flagsOf(node) & ~DOWNWARD);
  // If it asks for another need than its own, it waits in the queue upward.
  if (askedOf(node) == 0 || askedOf(node) != needOf(node)) return;
  lookAgain(node, firstLayer);
  if (firstEdge(node) != 0) return;
  setAsked(node, 0);
  tellParents(node);
}

/** Keeps the compiler from removing reads. */
export let fetched: u64 = 0;

/** The next edge to be read that leads to each node of the batch; u32 each. */
let parents: usize = 0;

/** Sets the address of this thread's edges to be read. */
export function attachPasses(at: usize): void {
  parents = at;
}

/** Most edges to a node that are read ahead. */
const MOST_PARENTS: i32 = 6;

/** Reads edges that lead to the nodes of the batch, side by side: one edge of each node in turn. */
function fetchParents(): void {
  const end = parents + (batchEnd - batch);
  let left = true;
  for (let i = 0; left && i < MOST_PARENTS; i++) {
    left = false;
    for (let at = parents; at < end; at += ENTRY_BYTES) {
      const edge: usize = load<u32>(at);
      if (edge == 0) continue;
      store<u32>(at, <u32>nextParent(edge));
      left = true;
    }
  }
}

/** Reads the first edges of the batch's nodes, and their children. */
function fetchUpward(): void {
  let sum: u64 = 0;
  for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
    const node = nodeAt(at);
    sum += <u64>childOf(firstEdge(node)); // address 0 can be read, too
    const isMended = (flagsOf(node) & FELL) != 0 && demandsAtNeed(node) == 0;
    store<u32>(parents + (at - batch), isMended ? <u32>firstParent(node) : 0);
  }
  fetchParents();
  for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
    for (let edge = firstEdge(nodeAt(at)); edge != 0; edge = nextEdge(edge)) {
      sum += keyOf(childOf(edge));
    }
  }
  fetched += sum;
}

/** Reads the first edges of the batch's nodes, the edges that lead to them, and their slots. */
function fetchDownward(): void {
  let sum: u64 = 0;
  for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
    const node = nodeAt(at);
    sum += <u64>childOf(firstEdge(node)) + load<u64>(homeOf(keyOf(node)));
    store<u32>(parents + (at - batch), <u32>firstParent(node));
  }
  fetchParents();
  fetched += sum;
}

/** Reads what is needed to drop the batch's nodes. */
function fetchTouched(): void {
  let sum: u64 = 0;
  for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
    const node = nodeAt(at);
    if (firstEdge(node) != 0) continue;
    if (firstParent(node) == 0) sum += load<u64>(homeOf(keyOf(node)));
    else if ((flagsOf(node) & LOST) != 0) sum += <u64>childOf(firstParent(node));
  }
  fetched += sum;
}

/** Processes both queues of a block whose first layer is `firstLayer` until they are empty. */
export function pass(firstLayer: i32): void {
  for (let isIdle = false; !isIdle; ) {
    isIdle = true;
    for (let layer = 0; layer < RANGE; layer++) {
      setShare(layer);
      for (takeUpward(layer); nextBatch(); isIdle = false) {
        fetchUpward();
        for (let at = batch; at < batchEnd; at += ENTRY_BYTES) passUp(nodeAt(at), firstLayer);
      }
    }
    for (let layer = RANGE - 1; layer >= 0; layer--) {
      for (takeDownward(layer); nextBatch(); isIdle = false) {
        fetchDownward();
        for (let at = batch; at < batchEnd; at += ENTRY_BYTES) passDown(nodeAt(at), firstLayer);
      }
    }
  }
}

/** Ends a visit: counts changed nodes, sends demands to other blocks, and drops settled nodes. */
export function endPasses(): void {
  for (takeUpward(RANGE); nextBatch(); ) {
    for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
      const node = nodeAt(at);
      const flags = flagsOf(node);
      setFlags(node, flags & ~(UPWARD | FELL));
      if ((flags & FELL) != 0) checkNeed(node);
    }
  }
  for (take(touchedAt); nextBatch(); ) {
    fetchTouched();
    for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
      const node = nodeAt(at);
      setFlags(node, flagsOf(node) & ~TOUCHED);
      if (isGuest(node)) settleGuest(node);
      else settle(node);
    }
  }
}

/** Returns true if edges lead to a node. */
// @ts-ignore: decorator
@inline
function hasParents(node: usize): bool {
  if ((flagsOf(node) & LOST) != 0) freeFirstParents(node);
  return firstParent(node) != 0;
}

/** Updates the counts for a node of the block, and drops it if it is no longer needed. */
function settle(node: usize): void {
  const isOpen = firstEdge(node) != 0;
  const live = isLive(node);
  const flags = flagsOf(node);
  const wait = live && !isOpen;
  setCounts(
    openNodes + u32(isOpen) - u32((flags & WAS_OPEN) != 0),
    liveNodes + u32(live) - u32((flags & WAS_LIVE) != 0),
    waitingNodes + u32(wait),
  );
  setFlags(
    node,
    (flags & ~(WAS_OPEN | WAS_LIVE)) | (isOpen ? WAS_OPEN : 0) | (live ? WAS_LIVE : 0),
  );
  if (wait) pushFor(ownerOf(current), waitingAt(), node);
  if (!isOpen && !hasParents(node)) dropNode(node);
}

/**
 * Sends a guest's need to its block if it has changed, and drops the guest if no edge leads to it.
 */
function settleGuest(node: usize): void {
  const need = isLive(node) ? needOf(node) : 0;
  if (need != toldOf(node)) {
    sendDemand(homeOfGuest(node), keyOf(node), need);
    setTold(node, need);
  }
  if (!hasParents(node)) dropNode(node);
}

/**
 * Withdraws all demands, both within the block and by other blocks; edges stay. With `isNewRound`,
 * other blocks also forget this block's demands.
 */
export function forgetDemands(isNewRound: bool): void {
  for (
    let slot = nextHeld(tableAt, tableEnd());
    slot < tableEnd();
    slot = nextHeld(slot + SLOT_BYTES, tableEnd())
  ) {
    const node = nodeIn(slot);
    if (node == 0) continue;
    setNeed(node, 0);
    setAsked(node, 0);
    if (isNewRound && isGuest(node)) setTold(node, 0);
    touch(node);
    for (let edge = firstEdge(node); edge != 0; edge = nextEdge(edge)) setDemand(edge, 0);
    for (let edge = firstParent(node); edge != 0; edge = nextParent(edge)) {
      if (childOf(edge) != 0 && isForeign(edge)) abandon(edge);
    }
  }
  setCounts(openNodes, liveNodes, 0);
}

/*
 * The work of a visit. Demands pass upward through the block's layers, and nodes are expanded as
 * needed; then bounds pass downward. This repeats until the block has no work left.
 */
import { abandon, childOf, isForeign, mendParents, nextEdge, nextParent, setDemand } from "./edges";
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
  nextDownward,
  nextUpward,
  setAsked,
  setFlags,
  setNeed,
  setNextUpward,
  setTold,
  takeTouched,
  toldOf,
  touch,
  touched,
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
  liveNodes,
  openNodes,
  setCounts,
  setWaiting,
  tableAt,
  waiting,
  waitingNodes,
} from "./residents";
import { nextHeld, nodeIn, SLOT_BYTES, tableEnd } from "./slots";

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
  let node = waiting;
  setWaiting(0);
  setCounts(openNodes, liveNodes, 0);
  while (node != 0) {
    const next = nextUpward(node);
    queueUpward(node);
    node = next;
  }
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

/**
 * Reads the node after the next one, and the first edge of the next one, so that they arrive while
 * the processor works on the current node. (Address 0 can also be read.)
 */
// @ts-ignore: decorator
@inline
function fetch(node: usize, edge: usize): void {
  fetched += load<u64>(node, 32) + load<u64>(edge);
}

/** Processes both queues of a block whose first layer is `firstLayer` until they are empty. */
export function pass(firstLayer: i32): void {
  for (let isIdle = false; !isIdle; ) {
    isIdle = true;
    for (let layer = 0; layer < RANGE; layer++) {
      setShare(layer);
      for (let node = takeUpward(layer); node != 0; ) {
        const next = nextUpward(node);
        if (next != 0) fetch(nextUpward(next), firstEdge(next));
        passUp(node, firstLayer);
        node = next;
        isIdle = false;
      }
    }
    for (let layer = RANGE - 1; layer >= 0; layer--) {
      for (let node = takeDownward(layer); node != 0; ) {
        const next = nextDownward(node);
        if (next != 0) fetch(nextDownward(next), firstEdge(next));
        passDown(node, firstLayer);
        node = next;
        isIdle = false;
      }
    }
  }
}

/** Ends a visit: counts changed nodes, sends demands to other blocks, and drops settled nodes. */
export function endPasses(): void {
  for (let node = takeUpward(RANGE); node != 0; node = nextUpward(node)) {
    const flags = flagsOf(node);
    setFlags(node, flags & ~(UPWARD | FELL));
    if ((flags & FELL) != 0) checkNeed(node);
  }
  while (touched != 0) {
    const node = takeTouched();
    if (isGuest(node)) settleGuest(node);
    else settle(node);
  }
}

/** Returns true if edges lead to a node. */
// @ts-ignore: decorator
@inline
function hasParents(node: usize): bool {
  if ((flagsOf(node) & LOST) != 0) mendParents(node);
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
  if (wait) {
    setNextUpward(node, waiting);
    setWaiting(node);
  }
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
  setWaiting(0);
  setCounts(openNodes, liveNodes, 0);
}

/*
 * The work of a visit. What is demanded passes upward through the block's layers, and nodes that have
 * to be are expanded; bounds pass downward; and so on until nothing of the block is left to do.
 */
import { abandon, childOf, isForeign, mendParents, nextEdge, nextParent, setDemand } from "./edges";
import { expand, lookAgain } from "./expand";
import { RANGE } from "./layout";
import { sendDemand } from "./letters";
import { dropNode, made } from "./making";
import {
  askedOf,
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

/** Nodes that a visit makes before it expands no more, about, so that its memory is bounded. */
const MOST_NODES: u32 = 1 << 19;
/** Nodes that expanding one makes, roughly. */
const NODES_EACH: u32 = 8;
/** What each number of the hash of a key stands for: expanded, if it is below this. */
const ALL: u32 = 1 << 16;

/** Distinguishes visits, so that not the same nodes wait each time. */
let salt: u64 = 0;
/** Of the nodes in the queue under way, those with a smaller hash are expanded. */
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
 * Sets which nodes of a layer may be expanded. The choice must depend neither on the order of the nodes
 * nor on where they lie: then a visit does the same whether the block was in memory or in a file.
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

/** Takes a node from the queue upward. */
// @ts-ignore: decorator
@inline
function passUp(node: usize, firstLayer: i32): void {
  const flags = flagsOf(node);
  setFlags(node, flags & ~(UPWARD | FELL));
  if ((flags & FELL) != 0) setNeed(node, mendParents(node));
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
  // If what it asks is not its need, it waits in the queue upward.
  if (askedOf(node) == 0 || askedOf(node) != needOf(node)) return;
  lookAgain(node, firstLayer);
  if (firstEdge(node) != 0) return;
  setAsked(node, 0);
  tellParents(node);
}

/** Keeps the compiler from leaving reads out. */
export let fetched: u64 = 0;

/**
 * Reads the node after the next one, and the first edge of the next. The processor need not wait for that
 * while it works on the current one. (Address 0 can be read, too.)
 */
// @ts-ignore: decorator
@inline
function fetch(node: usize, edge: usize): void {
  fetched += load<u64>(node, 32) + load<u64>(edge);
}

/** Works off both queues of a block whose first layer is `firstLayer`. */
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

/** Ends a visit: counts what has changed, tells other blocks what is demanded of them, drops what is settled. */
export function endPasses(): void {
  for (let node = takeUpward(RANGE); node != 0; node = nextUpward(node)) {
    const flags = flagsOf(node);
    setFlags(node, flags & ~(UPWARD | FELL));
    if ((flags & FELL) != 0) setNeed(node, mendParents(node));
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

/** Counts a node of the block anew, and drops it if it is no longer needed. */
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

/** Tells a guest's block if its need has changed, and drops the guest if no edge leads to it. */
function settleGuest(node: usize): void {
  const need = isLive(node) ? needOf(node) : 0;
  if (need != toldOf(node)) {
    sendDemand(homeOfGuest(node), keyOf(node), need);
    setTold(node, need);
  }
  if (!hasParents(node)) dropNode(node);
}

/**
 * Takes back everything that is demanded, within the block and by others; edges stay. With `isNewRound`
 * the other blocks forget what this one has demanded, too.
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
    if (isNewRound) setTold(node, 0);
    touch(node);
    for (let edge = firstEdge(node); edge != 0; edge = nextEdge(edge)) setDemand(edge, 0);
    for (let edge = firstParent(node); edge != 0; edge = nextParent(edge)) {
      if (childOf(edge) != 0 && isForeign(edge)) abandon(edge);
    }
  }
  setWaiting(0);
  setCounts(openNodes, liveNodes, 0);
}

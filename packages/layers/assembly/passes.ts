/*
 * The work of a visit. Demands pass upward through the block's layers, and nodes are expanded as
 * needed; then nodes whose watched board was settled are looked at again, the highest layer first.
 * When that makes new demands, these come first. So whatever a node demands of its own block is
 * settled, or waits for another block, before the node is looked at again.
 */
import { removeDemand } from "./demands";
import { expand, lookAgain } from "./expand";
import { RANGE } from "./layout";
import { sendDemand } from "./letters";
import { freeThis, homeOfGuest, made } from "./making";
import {
  DOWNWARD,
  firstDemand,
  firstWatcher,
  flagsOf,
  isSettled,
  keyOf,
  needOf,
  setFlags,
  setTold,
  toldOf,
  UPWARD,
} from "./nodes";
import {
  countUpward,
  dropIfUnused,
  queueUpward,
  takeDownward,
  takeUpward,
  upwardNodes,
} from "./queues";
import { Entered, ownerOf, waitingAt } from "./residents";
import { clearBuckets, firstSleeper } from "./sleepers";
import {
  find,
  homeOf,
  isGuestAt,
  nextHeld,
  nodeIn,
  setChanged,
  setNodeIn,
  SLOT_BYTES,
  tableEnd,
} from "./slots";
import { batch, batchEnd, ENTRY_BYTES, keep, nextBatch, nodeAt, pushFor, take } from "./stacks";

/**
 * Approximate number of nodes that a visit makes before it stops expanding, which bounds its memory:
 * this many, or a 32nd of the block's boards, for which a table that was read has room.
 */
const MOST_NODES: u32 = 1 << 19;
/** Approximate number of nodes made per expansion. */
const NODES_EACH: u32 = 8;
/** The number of hash values; a share of this value expands all nodes. */
const ALL: u32 = 1 << 16;

/** Distinguishes visits, so that different nodes wait each time. */
let salt: u64 = 0;
/** Nodes that the visit may make. */
let mostMade: u64 = MOST_NODES;
/** Nodes in the current queue with a smaller hash are expanded. */
let share: u32 = ALL;

/** Begins a visit: queues the nodes that wait to be expanded. */
export function beginPasses(visit: u32): void {
  mostMade = max(MOST_NODES, Entered.boards >> 5);
  salt = <u64>visit * 0x9e3779b97f4a7c15;
  for (take(waitingAt(), true); nextBatch(); ) {
    for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
      const node = nodeAt(at);
      setFlags(node, flagsOf(node) & ~UPWARD);
      queueUpward(node);
    }
  }
  Entered.waitingNodes = 0;
}

/** Lets a node wait for the next visit. */
export function wait(node: usize): void {
  setFlags(node, flagsOf(node) | UPWARD);
  pushFor(ownerOf(Entered.place), waitingAt(), node);
  Entered.waitingNodes++;
}

/**
 * Sets the share of a layer's nodes that may be expanded. The choice depends neither on the order
 * of the nodes nor on their addresses, so that a visit does the same whether the block was in
 * memory or in a file.
 */
function setShare(layer: u32): void {
  const left: u64 = made >= mostMade ? 0 : mostMade - made;
  const wanted = <u64>countUpward(layer) * NODES_EACH;
  share = left >= wanted ? ALL : <u32>((left * ALL) / wanted);
}

@inline
function mayExpand(node: usize): bool {
  return <u32>(((keyOf(node) ^ salt) * 0xbf58476d1ce4e5b9) >> 48) < share;
}

/** Takes a node from the queue upward. */
@inline
function passUp(node: usize, firstLayer: i32): void {
  setFlags(node, flagsOf(node) & ~UPWARD);
  if (isSettled(node)) dropIfUnused(node);
  else if (mayExpand(node)) expand(node, firstLayer);
  else wait(node);
}

/** Takes a node from the queue downward. */
@inline
function passDown(node: usize, firstLayer: i32): void {
  const flags = flagsOf(node) & ~DOWNWARD;
  setFlags(node, flags);
  if (isSettled(node)) dropIfUnused(node);
  else if ((flags & UPWARD) == 0) lookAgain(node, firstLayer);
}

/** Reads the slots of the batch's nodes, and the first nodes that may watch them. */
function fetchBatch(): void {
  let sum: u64 = 0;
  for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
    const node = nodeAt(at);
    const key = keyOf(node);
    // Address 0 can be read, too.
    sum += keyOf(firstWatcher(node)) + keyOf(firstSleeper(key)) + load<u64>(homeOf(key));
  }
  keep(sum);
}

/** Processes both queues of a block whose first layer is `firstLayer` until they are empty. */
export function pass(firstLayer: i32): void {
  for (;;) {
    for (let layer = 0; layer < RANGE && upwardNodes > 0; layer++) {
      setShare(layer);
      for (takeUpward(layer); nextBatch(); ) {
        fetchBatch();
        for (let at = batch; at < batchEnd; at += ENTRY_BYTES) passUp(nodeAt(at), firstLayer);
      }
    }
    for (let layer = RANGE - 1; upwardNodes == 0; layer--) {
      if (layer < 0) return;
      for (takeDownward(layer); nextBatch(); ) {
        fetchBatch();
        for (let at = batch; at < batchEnd; at += ENTRY_BYTES) passDown(nodeAt(at), firstLayer);
      }
    }
  }
}

/** Ends a visit: sends demands to other blocks, and drops guests that are settled. */
export function endPasses(): void {
  for (takeUpward(RANGE); nextBatch(); ) {
    for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
      const node = nodeAt(at);
      setFlags(node, flagsOf(node) & ~UPWARD);
      const need = needOf(node);
      if (isSettled(node)) dropIfUnused(node);
      else if (need != toldOf(node)) {
        sendDemand(homeOfGuest(node), keyOf(node), need);
        setTold(node, need);
        setChanged(find(keyOf(node)));
      }
    }
  }
}

/** Forgets all demands, within the block and by other blocks. */
export function forgetDemands(): void {
  const end = tableEnd();
  for (
    let slot = nextHeld(Entered.tableAt, end);
    slot < end;
    slot = nextHeld(slot + SLOT_BYTES, end)
  ) {
    const node = nodeIn(slot);
    if (node == 0) continue;
    for (let demand = firstDemand(node); demand != 0; ) demand = removeDemand(node, demand, 0);
    setNodeIn(slot, 0, isGuestAt(slot));
    setChanged(slot);
    freeThis(node);
  }
  for (take(waitingAt(), true); nextBatch(); ) {}
  clearBuckets();
  Entered.liveNodes = 0;
  Entered.waitingNodes = 0;
}

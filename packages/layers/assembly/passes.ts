/*
 * The work of a visit. Demands pass upward through the block's layers, and nodes are expanded as
 * needed; then nodes whose watched board was settled are looked at again, the highest layer first.
 * When that makes new demands, these come first. So whatever a node demands of its own block is
 * settled, or waits for another block, before the node is looked at again.
 */
import { removeDemands } from "./demands";
import { expand, lookAgain } from "./expand";
import { Block, RANGE } from "./layout";
import { lettersAt, sendDemand } from "./letters";
import { clearMade, freeThis, homeOfGuest, made } from "./making";
import { BlockNode, DOWNWARD, SETTLED, UPWARD } from "./nodes";
import {
  countUpward,
  dropIfUnused,
  queueUpward,
  takeDownward,
  takeUpward,
  upwardNodes,
} from "./queues";
import { block, owner } from "./residents";
import { clearBuckets, firstSleeper } from "./sleepers";
import { homeOf, nextHeld, slotAt, SLOT_BYTES, slotOf, tableEnd } from "./slots";
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

/** Returns the address of the stack of the block's nodes that wait to be expanded. */
@inline
function waitingAt(): usize {
  return changetype<usize>(block) + offsetof<Block>("waitingPage");
}

/**
 * Begins a visit of the current block; `visit` distinguishes it from others. Queues the nodes that
 * wait to be expanded.
 */
export function beginVisit(visit: u32): void {
  clearMade();
  mostMade = max(MOST_NODES, block.boards >> 5);
  salt = <u64>visit * 0x9e3779b97f4a7c15;
  for (take(waitingAt(), true); nextBatch(); ) {
    for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
      const node = nodeAt(at);
      node.flags &= ~UPWARD;
      queueUpward(node);
    }
  }
  block.waitingNodes = 0;
}

/** Lets a node wait for the next visit. */
export function wait(node: BlockNode): void {
  node.flags |= UPWARD;
  pushFor(owner, waitingAt(), node);
  block.waitingNodes++;
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
function mayExpand(node: BlockNode): bool {
  return <u32>(((node.key ^ salt) * 0xbf58476d1ce4e5b9) >> 48) < share;
}

/** Takes a node from the queue upward. */
@inline
function passUp(node: BlockNode): void {
  node.flags &= ~UPWARD;
  if (node.is(SETTLED)) dropIfUnused(node);
  else if (mayExpand(node)) expand(node);
  else wait(node);
}

/** Takes a node from the queue downward. */
@inline
function passDown(node: BlockNode): void {
  node.flags &= ~DOWNWARD;
  if (node.is(SETTLED)) dropIfUnused(node);
  else if (!node.is(UPWARD)) lookAgain(node);
}

/** Reads the slots of the batch's nodes, and the first nodes that may watch them. */
function fetchBatch(): void {
  let sum: u64 = 0;
  for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
    const node = nodeAt(at);
    // Address 0 can be read, too.
    sum += node.watcher!.key + firstSleeper(node.key)!.key + slotAt(homeOf(node.key)).key;
  }
  keep(sum);
}

/** Processes both queues until they are empty. */
export function pass(): void {
  for (;;) {
    for (let layer = 0; layer < RANGE && upwardNodes > 0; layer++) {
      setShare(layer);
      for (takeUpward(layer); nextBatch(); ) {
        fetchBatch();
        for (let at = batch; at < batchEnd; at += ENTRY_BYTES) passUp(nodeAt(at));
      }
    }
    for (let layer = RANGE - 1; upwardNodes == 0; layer--) {
      if (layer < 0) return;
      for (takeDownward(layer); nextBatch(); ) {
        fetchBatch();
        for (let at = batch; at < batchEnd; at += ENTRY_BYTES) passDown(nodeAt(at));
      }
    }
  }
}

/**
 * Ends a visit: sends demands to other blocks, and drops guests that are settled. Returns the address
 * of the last page of the visit's letters, or 0.
 */
export function endVisit(): usize {
  for (takeUpward(RANGE); nextBatch(); ) {
    for (let at = batch; at < batchEnd; at += ENTRY_BYTES) {
      const node = nodeAt(at);
      node.flags &= ~UPWARD;
      if (node.is(SETTLED)) dropIfUnused(node);
      else if (node.need != node.fulfilled) {
        sendDemand(homeOfGuest(node), node.key, node.need);
        node.fulfilled = node.need;
        slotOf(node).setChanged();
      }
    }
  }
  return lettersAt;
}

/** Forgets all demands, within the block and by other blocks. */
export function forgetDemands(): void {
  const end = tableEnd();
  for (let at = nextHeld(block.table, end); at < end; at = nextHeld(at + SLOT_BYTES, end)) {
    const slot = slotAt(at);
    const node = slot.node();
    if (!node) continue;
    removeDemands(node);
    slot.setNode(null, slot.isGuest());
    freeThis(node);
  }
  for (take(waitingAt(), true); nextBatch(); ) {}
  clearBuckets();
  block.liveNodes = 0;
  block.waitingNodes = 0;
}

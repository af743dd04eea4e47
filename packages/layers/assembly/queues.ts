/*
 * The changes of a visit, and the nodes that they concern. A node with a new need waits in the
 * queue upward of its layer; a node whose watched board was settled waits in the queue downward.
 * The order within a queue does not matter: nodes of one layer do not depend on each other.
 *
 * After the queues of the layers come those of the guests, which use only the queue upward.
 */
import { NONE, settles } from "./bounds";
import { removeDemand } from "./demands";
import { area, Queues, QUEUES, QUEUES_BYTES, RANGE } from "./layout";
import { sendAnswer } from "./letters";
import { dropNode } from "./making";
import { BlockNode, Demand, DOWNWARD, GUEST, SETTLED, UPWARD, WATCHING } from "./nodes";
import { takeSleepers } from "./sleepers";
import { Slot, slotOf } from "./slots";
import { push, take } from "./stacks";

/** Offset of the stack of the queue downward. */
const DOWN: usize = offsetof<Queues>("downPage");

/** Number of the block's nodes in queues upward. */
export let upwardNodes: u32 = 0;

/** Empties all queues. */
export function clearQueues(): void {
  memory.fill(area + QUEUES, 0, (RANGE + 1) * QUEUES_BYTES);
  upwardNodes = 0;
}

@inline
function queuesOf(layer: u32): Queues {
  return changetype<Queues>(area + QUEUES + <usize>layer * QUEUES_BYTES);
}

/** Queues a node that must be expanded, or a guest whose need must be sent. */
export function queueUpward(node: BlockNode): void {
  if (node.is(UPWARD)) return;
  node.flags |= UPWARD;
  const isGuest = node.is(GUEST);
  const queues = queuesOf(isGuest ? RANGE : node.layer);
  push(changetype<usize>(queues), node);
  if (isGuest) return;
  queues.upNodes++;
  upwardNodes++;
}

@inline
export function countUpward(layer: u32): u32 {
  return queuesOf(layer).upNodes;
}

/** Takes all nodes from a queue upward; `nextBatch` goes through them. */
@inline
export function takeUpward(layer: u32): void {
  const queues = queuesOf(layer);
  take(changetype<usize>(queues));
  upwardNodes -= queues.upNodes;
  queues.upNodes = 0;
}

/** Takes all nodes from a queue downward; `nextBatch` goes through them. */
@inline
export function takeDownward(layer: u32): void {
  take(changetype<usize>(queuesOf(layer)) + DOWN);
}

/** Demands at least `need` of a node. */
export function raise(node: BlockNode, need: i32): void {
  if (!node.is(SETTLED) && need <= <i32>node.need) return;
  node.need = <u16>need;
  node.open = 0;
  if (!node.is(GUEST)) node.fulfilled = <u16>NONE; // a guest keeps the need sent to its block there
  node.flags &= ~SETTLED;
  slotOf(node).setChanged();
  queueUpward(node);
}

/** Queues a list of nodes downward, whose watched board was settled. */
function queueWatchers(watcher: BlockNode | null): void {
  for (; watcher; watcher = watcher!.next) {
    const isQueued = watcher.is(DOWNWARD);
    watcher.flags = (watcher.flags & ~WATCHING) | DOWNWARD;
    if (!isQueued) push(changetype<usize>(queuesOf(watcher.layer)) + DOWN, watcher);
    if (watcher.is(UPWARD)) slotOf(watcher).setChanged(); // it may wait, unwatching
  }
}

/**
 * Settles the need of a node, whose slot has the bounds that do so: the nodes that watch it are
 * queued downward, and demands of other blocks that the bounds settle are answered. The largest
 * demand that remains becomes the new need.
 */
export function settle(node: BlockNode, slot: Slot): void {
  const lo: i32 = slot.lo;
  const hi: i32 = slot.hi;
  node.flags |= SETTLED;
  slot.setChanged();
  node.open = 0;
  queueWatchers(node.watcher);
  node.watcher = null;
  queueWatchers(takeSleepers(node.key));
  let before: Demand | null = null;
  let most: i32 = 0;
  for (let demand = node.demand; demand; ) {
    if (settles(lo, hi, demand.value)) {
      sendAnswer(demand.from, node.key, lo, hi);
      demand = removeDemand(node, demand, before);
      continue;
    }
    most = max(most, <i32>demand.value);
    before = demand;
    demand = demand.next;
  }
  if (most > 0) raise(node, most);
  else dropIfUnused(node);
}

/** Drops a settled node unless a list or a queue has it. */
export function dropIfUnused(node: BlockNode): void {
  if (node.is(SETTLED) && !node.is(UPWARD | DOWNWARD | WATCHING)) dropNode(node);
}

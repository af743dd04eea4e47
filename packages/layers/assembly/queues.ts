/*
 * The changes of a visit, and the nodes that they concern. A node with a new need waits in the
 * queue upward of its layer; a node whose watched board was settled waits in the queue downward.
 * The order within a queue does not matter: nodes of one layer do not depend on each other.
 *
 * After the queues of the layers come those of the guests, which use only the queue upward.
 */
import { NONE, settles } from "./bounds";
import { demander, nextDemand, removeDemand, valueOf } from "./demands";
import { Queues, QUEUES_BYTES, RANGE } from "./layout";
import { sendAnswer } from "./letters";
import { dropNode } from "./making";
import {
  clearWatchers,
  DOWNWARD,
  firstDemand,
  firstWatcher,
  flagsOf,
  isGuest,
  isSettled,
  keyOf,
  layerIn,
  needOf,
  nextInList,
  setFlags,
  setFulfilled,
  setNeed,
  setOpenPlacements,
  SETTLED,
  UPWARD,
  WATCHING,
} from "./nodes";
import { takeSleepers } from "./sleepers";
import { find, hiAt, loAt, setChanged } from "./slots";
import { clearStacks, push, take } from "./stacks";

/** Offset of the stack of the queue downward. */
const DOWN: usize = offsetof<Queues>("downPage");

let queuesAt: usize = 0;
/** Number of the block's nodes in queues upward. */
export let upwardNodes: u32 = 0;

/** Sets the address of this thread's queues. */
export function attachQueues(at: usize): void {
  queuesAt = at;
}

/** Empties all queues. */
export function clearQueues(): void {
  memory.fill(queuesAt, 0, (RANGE + 1) * QUEUES_BYTES);
  upwardNodes = 0;
  clearStacks();
}

@inline
function queuesOf(layer: u32): usize {
  return queuesAt + <usize>layer * QUEUES_BYTES;
}

/** Queues a node that must be expanded, or a guest whose need must be sent. */
export function queueUpward(node: usize): void {
  const flags = flagsOf(node);
  if ((flags & UPWARD) != 0) return;
  setFlags(node, flags | UPWARD);
  if (isGuest(node)) {
    push(queuesOf(RANGE), node);
    return;
  }
  const queues = queuesOf(layerIn(node));
  push(queues, node);
  store<u32>(
    queues,
    load<u32>(queues, offsetof<Queues>("upNodes")) + 1,
    offsetof<Queues>("upNodes"),
  );
  upwardNodes++;
}

@inline
export function countUpward(layer: u32): u32 {
  return load<u32>(queuesOf(layer), offsetof<Queues>("upNodes"));
}

/** Takes all nodes from a queue upward; `nextBatch` goes through them. */
@inline
export function takeUpward(layer: u32): void {
  const queues = queuesOf(layer);
  take(queues);
  upwardNodes -= load<u32>(queues, offsetof<Queues>("upNodes"));
  store<u32>(queues, 0, offsetof<Queues>("upNodes"));
}

/** Takes all nodes from a queue downward; `nextBatch` goes through them. */
@inline
export function takeDownward(layer: u32): void {
  take(queuesOf(layer) + DOWN);
}

/** Demands at least `need` of a node. */
@inline
export function raise(node: usize, need: i32): void {
  const flags = flagsOf(node);
  if ((flags & SETTLED) == 0 && need <= needOf(node)) return;
  setNeed(node, need);
  setOpenPlacements(node, 0);
  if (!isGuest(node)) setFulfilled(node, NONE); // a guest keeps the need sent to its block there
  setFlags(node, flags & ~SETTLED);
  setChanged(find(keyOf(node)));
  queueUpward(node);
}

/** Queues a list of nodes downward, whose watched board was settled. */
@inline
function queueWatchers(watcher: usize): void {
  for (; watcher != 0; watcher = nextInList(watcher)) {
    const flags = flagsOf(watcher) & ~WATCHING;
    setFlags(watcher, flags | DOWNWARD);
    if ((flags & DOWNWARD) == 0) push(queuesOf(layerIn(watcher)) + DOWN, watcher);
    if ((flags & UPWARD) != 0) setChanged(find(keyOf(watcher))); // it may wait, unwatching
  }
}

/**
 * Settles the need of a node, whose slot has the bounds that do so: the nodes that watch it are
 * queued downward, and demands of other blocks that the bounds settle are answered. The largest
 * demand that remains becomes the new need.
 */
export function settle(node: usize, slot: usize): void {
  const lo = loAt(slot);
  const hi = hiAt(slot);
  setFlags(node, flagsOf(node) | SETTLED);
  setChanged(slot);
  setOpenPlacements(node, 0);
  queueWatchers(firstWatcher(node));
  clearWatchers(node);
  queueWatchers(takeSleepers(keyOf(node)));
  let before: usize = 0;
  let most = 0;
  for (let demand = firstDemand(node); demand != 0; ) {
    const value = valueOf(demand);
    if (settles(lo, hi, value)) {
      sendAnswer(demander(demand), keyOf(node), lo, hi);
      demand = removeDemand(node, demand, before);
      continue;
    }
    most = max(most, value);
    before = demand;
    demand = nextDemand(demand);
  }
  if (most > 0) raise(node, most);
  else dropIfUnused(node);
}

/** Drops a settled node unless a list or a queue has it. */
export function dropIfUnused(node: usize): void {
  if (isSettled(node) && (flagsOf(node) & (UPWARD | DOWNWARD | WATCHING)) == 0) dropNode(node);
}

/*
 * Several threads that search the same question over one table. Each announces the nodes it is
 * searching; who meets an announced child does its other children first and that one last, when mostly
 * it has been decided (deferral, the idea of Weill's ABDADA). And since another thread may have decided
 * a node on this thread's path meanwhile, each looks up its path now and then and drops what lies below.
 *
 * None of this bears on what is proven: it is about who does what, and when.
 */
import { BUSY, BUSY_SLOTS_LOG2 } from "./layout";
import { settledBy } from "./table";

const NOWHERE: i32 = -1;

/** Whether other threads search the same questions; if not, none of this costs anything. */
export let together: bool = false;

let path: usize = 0;
/** Nodes on the path. */
let depth: i32 = 0;
/** The first node on the path that another thread has decided, and its bound. */
let decidedAt: i32 = NOWHERE;
let decidedBound: i32 = 0;

/** Gives a thread its room for a path. */
export function attachPath(at: usize, others: bool): void {
  path = at;
  together = others;
}

/** Begins a new question. */
export function resetPath(): void {
  depth = 0;
  decidedAt = NOWHERE;
}

// @ts-ignore: decorator
@inline
function slotOf(key: u64): usize {
  return BUSY + (<usize>((key * 0x9e3779b97f4a7c15) >> (64 - BUSY_SLOTS_LOG2)) << 3);
}

/** Whether some thread has announced a node. */
// @ts-ignore: decorator
@inline
export function isBusy(key: u64): bool {
  return load<u64>(slotOf(key)) == key;
}

/** Announces a node and puts it on the path. */
// @ts-ignore: decorator
@inline
export function enter(key: u64, threshold: i32): void {
  if (!together) return;
  store<u64>(path + 16 * depth, key);
  store<i32>(path + 16 * depth, threshold, 8);
  depth++;
  store<u64>(slotOf(key), key);
}

/**
 * Takes the last node, whose search ended with `bound`, off the path. Returns that bound or, if the
 * search was dropped because another thread had decided this very node, the other thread's.
 */
// @ts-ignore: decorator
@inline
export function leave(key: u64, bound: i32): i32 {
  if (!together) return bound;
  depth--;
  if (isBusy(key)) store<u64>(slotOf(key), 0);
  if (bound < 0 && decidedAt == depth) {
    decidedAt = NOWHERE;
    return decidedBound;
  }
  return bound;
}

/** Whether another thread has decided a node on the path, so that all below it is to be dropped. */
export function isOvertaken(): bool {
  for (let i = 0; i < depth; i++) {
    const bound = settledBy(load<u64>(path + 16 * i), load<i32>(path + 16 * i, 8));
    if (bound < 0) continue;
    decidedAt = i;
    decidedBound = bound;
    return true;
  }
  return false;
}

/** Whether the nodes below a decided one are being dropped. */
// @ts-ignore: decorator
@inline
export function isDropping(): bool {
  return decidedAt != NOWHERE;
}

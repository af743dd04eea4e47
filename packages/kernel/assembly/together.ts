/*
 * Cooperation of threads that search the same question over one table, or over tables of several
 * machines that pass on their bounds. Each thread marks the nodes it is searching. A thread that
 * reaches a marked child searches that child last, by which time it has mostly been decided
 * (deferral, the idea of Weill's ABDADA). Another thread may also decide a node on this thread's
 * path, so each thread regularly looks up its path and drops the nodes below a decided one. A
 * thread that shares its table with no other one marks nothing, and looks only when bounds have
 * come from another machine.
 *
 * This does not affect results, only which thread does what, and when.
 */
import { markBusy, unmarkBusy } from "./busy";
import { NEWS, PATH_NODE_BYTES, PathNode } from "./layout";
import { settledBy } from "./table";

const NOWHERE: i32 = -1;

/** True if other threads search the same questions; if false, none of this costs anything. */
export let together: bool = false;
/** True if some of them search over the same table. */
export let neighbours: bool = false;

let path: usize = 0;
/**
 * Number of nodes on the path, if other threads search the same questions; only nodes with keys, so
 * half as many on 16 cells.
 */
export let depth: i32 = 0;
/** Index of the first node on the path that another thread has decided, and its bound. */
let decidedAt: i32 = NOWHERE;
let decidedBound: i32 = 0;
/** The news that the path has been looked up after. */
let newsSeen: u32 = 0;

/** Sets a thread's area for a path. */
export function attachPath(at: usize): void {
  path = at;
}

/**
 * Starts a new question; `others` is true if other threads search it too, `beside` if some of them
 * do so over the same table.
 */
export function resetPath(others: bool, beside: bool): void {
  together = others;
  neighbours = beside;
  depth = 0;
  decidedAt = NOWHERE;
}

/** Adds a node to the path, and marks it for the threads beside this one. */
@inline
export function enter(key: u64, threshold: i32): void {
  if (!together) return;
  const node = path + PATH_NODE_BYTES * depth;
  store<u64>(node, key, offsetof<PathNode>("key"));
  store<i32>(node, threshold, offsetof<PathNode>("threshold"));
  depth++;
  if (neighbours) markBusy(key);
}

/**
 * Removes the last node, whose search returned `bound`, from the path. Returns that bound or, if
 * the search was dropped because another thread had decided this very node, the other thread's
 * bound.
 */
@inline
export function leave(key: u64, bound: i32): i32 {
  if (!together) return bound;
  depth--;
  if (neighbours) unmarkBusy(key);
  if (bound < 0 && decidedAt == depth) {
    decidedAt = NOWHERE;
    return decidedBound;
  }
  return bound;
}

/**
 * Returns true if another thread has decided a node on the path, so that everything below that node
 * must be dropped.
 */
export function isOvertaken(): bool {
  const news = atomic.load<u32>(NEWS);
  if (!neighbours && news == newsSeen) return false;
  newsSeen = news;
  for (let i = 0; i < depth; i++) {
    const node = path + PATH_NODE_BYTES * i;
    const key = load<u64>(node, offsetof<PathNode>("key"));
    const bound = settledBy(key, load<i32>(node, offsetof<PathNode>("threshold")));
    if (bound >= 0) {
      decidedAt = i;
      decidedBound = bound;
      return true;
    }
  }
  return false;
}

/** Returns true while the nodes below a decided one are being dropped. */
@inline
export function isDropping(): bool {
  return decidedAt != NOWHERE;
}

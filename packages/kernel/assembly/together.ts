/*
 * Several threads that search the same question, over one table or, on other machines, over others into which
 * the bounds flow that each has found. Each announces the nodes it is searching: on one table at once, to other
 * machines after some work. Who meets an announced child does its other children first and that one last, when
 * mostly it has been decided (deferral, the idea of Weill's ABDADA). And since another thread may have decided
 * a node on this thread's path meanwhile, each looks up its path now and then and drops what lies below.
 *
 * None of this bears on what is proven: it is about who does what, and when.
 */
import { markBusy, unmarkBusy } from "./busy";
import { announce } from "./journal";
import { ANNOUNCE_AFTER } from "./layout";
import { settledBy } from "./table";

const NOWHERE: i32 = -1;

/** Whether other threads search the same questions; if not, none of this costs anything. */
export let together: bool = false;

/** In a node's threshold on the path: other machines have been told of it. */
const ANNOUNCED: i32 = 1 << 16;
const THRESHOLD_MASK: i32 = ANNOUNCED - 1;

let control: usize = 0;
let path: usize = 0;
/** Nodes on the path, where other threads search the same questions; only those with keys, so on 16 cells half as many. */
export let depth: i32 = 0;
/** The first node on the path that another thread has decided, and its bound. */
let decidedAt: i32 = NOWHERE;
let decidedBound: i32 = 0;

/** Gives a thread its control words and its room for a path. */
export function attachPath(controlAt: usize, at: usize, others: bool): void {
  control = controlAt;
  path = at;
  together = others;
}

/** Begins a new question. */
export function resetPath(): void {
  depth = 0;
  decidedAt = NOWHERE;
}

/** Announces a node and puts it on the path; `nodes` is what has been expanded so far. */
// @ts-ignore: decorator
@inline
export function enter(key: u64, threshold: i32, nodes: u64): void {
  if (!together) return;
  store<u64>(path + 16 * depth, key);
  store<i32>(path + 16 * depth, threshold, 8);
  store<u32>(path + 16 * depth, <u32>nodes, 12);
  depth++;
  markBusy(key);
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
  unmarkBusy(key);
  if (bound < 0 && decidedAt == depth) {
    decidedAt = NOWHERE;
    return decidedBound;
  }
  return bound;
}

/**
 * Whether another thread has decided a node on the path, so that all below it is to be dropped. If not, tells other
 * machines of the nodes that have taken long; `nodes` is what has been expanded so far.
 */
export function isOvertaken(nodes: u64): bool {
  const patience = load<i32>(control + ANNOUNCE_AFTER);
  for (let i = 0; i < depth; i++) {
    const at = path + 16 * i;
    const key = load<u64>(at);
    const threshold = load<i32>(at, 8);
    const bound = settledBy(key, threshold & THRESHOLD_MASK);
    if (bound >= 0) {
      decidedAt = i;
      decidedBound = bound;
      return true;
    }
    if (patience == 0 || threshold & ANNOUNCED) continue;
    if (<u32>nodes - load<u32>(at, 12) < <u32>patience) continue;
    announce(key);
    store<i32>(at, threshold | ANNOUNCED, 8);
  }
  return false;
}

/** Whether the nodes below a decided one are being dropped. */
// @ts-ignore: decorator
@inline
export function isDropping(): bool {
  return decidedAt != NOWHERE;
}

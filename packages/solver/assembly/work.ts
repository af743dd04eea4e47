/*
 * How threads expand a list of claims together: in batches, so that what is chosen for a claim does
 * not depend on which thread is ahead. All expand the claims of a batch, and wait for each other;
 * then all enter their demands, and wait again.
 */
import { enter, makeRoom } from "./demands";
import { expand } from "./expand";
import {
  ARRIVED,
  BATCH,
  BATCH_END,
  Claim,
  CLAIM_BYTES,
  CLAIM_COUNT,
  CLAIMS,
  FAR,
  FAR_COUNT,
  FAR_DEMANDS,
  NEAR,
  NEAR_COUNT,
  NEAR_DEMANDS,
  NEXT,
  PHASE,
  ROUND,
  STOP,
  Table,
} from "./layout";

/* What threads do next; the last two end the work, for the loader to go on. */
export const EXPAND: u32 = 0;
export const ENTER: u32 = 1;
export const FINISHED: u32 = 2;
/** The demands to be entered do not fit; the loader must empty a table. */
export const FULL: u32 = 3;

/** Claims taken at a time: less than 0.1 ms of work, and few enough to give all threads some. */
const MOST_TAKEN: u32 = 16;
const TIMES_TAKEN: u32 = 8;
/** Looks at the barrier before a thread sleeps; some 10 µs. */
const SPINS: i32 = 2_000;
/** Nanoseconds that a thread sleeps at the barrier before it looks whether it must stop. */
const SLEEP: i64 = 100_000_000;

let area: usize = 0;
let threads: u32 = 0;

export function attachWork(at: usize, threadCount: u32): void {
  area = at;
  threads = threadCount;
}

@inline
function mustStop(): bool {
  return atomic.load<i32>(STOP) != 0;
}

/**
 * Waits for all threads; returns true in the last one, which must call {@link release}. Returns
 * false to all if they must stop.
 */
function isLast(): bool {
  const round = atomic.load<u32>(ROUND);
  if (atomic.add<u32>(ARRIVED, 1) + 1 == threads) return true;
  for (let i = 0; i < SPINS; i++) if (atomic.load<u32>(ROUND) != round) return false;
  while (atomic.load<u32>(ROUND) == round && !mustStop()) {
    atomic.wait<i32>(ROUND, <i32>round, SLEEP);
  }
  return false;
}

/** Lets all threads go on with a phase. */
function release(phase: u32): void {
  store<u32>(PHASE, phase);
  atomic.store<u32>(ARRIVED, 0);
  atomic.add<u32>(ROUND, 1);
  atomic.notify(ROUND, -1);
}

/** Begins the batch from a claim on; returns the phase. */
function beginBatch(from: u32): u32 {
  const count = load<u32>(CLAIM_COUNT);
  store<u32>(NEXT, from);
  store<u32>(BATCH_END, min(from + load<u32>(BATCH), count));
  return from < count ? EXPAND : FINISHED;
}

/** Begins a list of claims in batches of at most `batch`. Only one thread may run. */
export function beginClaims(at: usize, count: u32, batch: u32): void {
  store<usize>(CLAIMS, at);
  store<u32>(CLAIM_COUNT, count);
  store<u32>(BATCH, batch);
  store<u32>(PHASE, beginBatch(0));
}

/** Goes on after {@link FULL}. Only one thread may run. */
export function goOn(): void {
  store<u32>(PHASE, makeRoom(NEAR) && makeRoom(FAR) ? ENTER : FULL);
}

/** Enters this thread's demands on one tile sum. */
function enterAll(table: usize, countAt: usize, demands: usize): void {
  const end = demands + load<u32>(countAt) * CLAIM_BYTES;
  let added = 0;
  for (let at = demands; at < end; at += CLAIM_BYTES) {
    const board = load<u64>(at, offsetof<Claim>("board"));
    const lo = load<u32>(at, offsetof<Claim>("lo"));
    added += i32(enter(table, board, lo, load<u32>(at, offsetof<Claim>("hi"))));
  }
  store<u32>(countAt, 0);
  atomic.add<u32>(table + offsetof<Table>("count"), added);
}

/** Works on the claims until all are expanded, a table is full, or the threads must stop. */
export function work(): void {
  while (!mustStop()) {
    const phase = load<u32>(PHASE);
    if (phase == EXPAND) {
      const end = load<u32>(BATCH_END);
      const taken = max(1, min(MOST_TAKEN, load<u32>(BATCH) / (TIMES_TAKEN * threads)));
      while (!mustStop()) {
        const from = atomic.add<u32>(NEXT, taken);
        if (from >= end) break;
        for (let i = from; i < min(from + taken, end); i++) {
          if (!expand(load<usize>(CLAIMS) + i * CLAIM_BYTES)) {
            atomic.store<i32>(STOP, 1);
            return;
          }
        }
      }
      atomic.add<u32>(NEAR + offsetof<Table>("pending"), load<u32>(area + NEAR_COUNT));
      atomic.add<u32>(FAR + offsetof<Table>("pending"), load<u32>(area + FAR_COUNT));
      if (isLast()) release(makeRoom(NEAR) && makeRoom(FAR) ? ENTER : FULL);
    } else if (phase == ENTER) {
      enterAll(NEAR, area + NEAR_COUNT, area + NEAR_DEMANDS);
      enterAll(FAR, area + FAR_COUNT, area + FAR_DEMANDS);
      if (isLast()) {
        store<u32>(NEAR, 0, offsetof<Table>("pending"));
        store<u32>(FAR, 0, offsetof<Table>("pending"));
        release(beginBatch(load<u32>(BATCH_END)));
      }
    } else return;
  }
}

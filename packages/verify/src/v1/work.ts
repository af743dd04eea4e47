import { type Game, starts } from "@gridlock/game";
import { Checker, type Side } from "./check.js";
import { ClaimTable } from "./claims.js";

/** The data that threads share to check claims together: plain data and shared memory. */
export interface Job {
  readonly game: Game;
  readonly effort: number;
  /** The records of a `ClaimTable`. */
  readonly records: SharedArrayBuffer;
  /** The indices of the claims to check, 32 bits each; undefined for all. */
  readonly selection: SharedArrayBuffer | undefined;
  /** {@link COUNTERS} of 64 bits: the next claim to hand out, claims checked, positions expanded. */
  readonly counters: SharedArrayBuffer;
}

/** A wrong part of a claim. */
export interface Fault {
  readonly index: number;
  readonly side: Side;
  /** The sum of the board's tiles. */
  readonly layer: number;
}

/** The results of the claims that one thread has checked. */
export interface Tally {
  /** Sides that follow by one step, and by search. */
  readonly bySteps: number;
  readonly bySearch: number;
  readonly deepestLayer: number;
  /** The number of faults; `faults` lists the first of them. */
  readonly failed: number;
  readonly faults: readonly Fault[];
  /** The indices of the claims about starts that have faults. */
  readonly wrongStarts: readonly number[];
}

/** The most faults to report in full. */
const FAULTS_TOLD = 20;
/** Claims handed out at a time: a few milliseconds of work, so that threads finish together. */
const CHUNK = 200;
/** Number of the counters of a job, and their indices. */
export const COUNTERS = 3;
const NEXT = 0;
const CHECKED = 1;
const EXPANDED = 2;

/** Counts the claims of a job. */
export function claimsOf(job: Job): number {
  return job.selection === undefined
    ? new ClaimTable(job.records).size
    : job.selection.byteLength / Uint32Array.BYTES_PER_ELEMENT;
}

/** Returns the progress of a job over all threads. */
export function progressOf(job: Job): { checked: number; expanded: number } {
  const counters = new BigInt64Array(job.counters);
  return {
    checked: Number(Atomics.load(counters, CHECKED)),
    expanded: Number(Atomics.load(counters, EXPANDED)),
  };
}

/** Checks claims of a job until all have been handed out; yields after each. */
export function* work(job: Job): Generator<void, Tally> {
  const { game, effort, records } = job;
  const checker = new Checker({ game, effort, claims: new ClaimTable(records) });
  const counters = new BigInt64Array(job.counters);
  const selection = job.selection && new Uint32Array(job.selection);
  const total = claimsOf(job);
  const ofStarts = new Set(starts(game.shape).map((start) => checker.indexOf(start)));
  const tally = {
    ...{ bySteps: 0, bySearch: 0, deepestLayer: 0, failed: 0 },
    ...{ faults: [] as readonly Fault[], wrongStarts: [] as number[] },
  };
  for (;;) {
    const from = Number(Atomics.add(counters, NEXT, BigInt(CHUNK)));
    if (from >= total) return tally;
    for (let i = from; i < Math.min(from + CHUNK, total); i++) {
      const index = selection?.[i] ?? i;
      const { wrong, bySteps, bySearch, expanded, layer } = checker.check(index);
      tally.bySteps += bySteps;
      tally.bySearch += bySearch;
      tally.deepestLayer = Math.max(tally.deepestLayer, layer);
      if (wrong.length > 0) {
        const faults = wrong.map((side) => ({ index, side, layer }));
        tally.failed += faults.length;
        tally.faults = firstFaults([...tally.faults, ...faults]);
        if (ofStarts.has(index)) tally.wrongStarts.push(index);
      }
      Atomics.add(counters, CHECKED, 1n);
      Atomics.add(counters, EXPANDED, BigInt(expanded));
      yield;
    }
  }
}

/** Merges two tallies; the result does not depend on which thread checked which claim. */
export function mergeTallies(a: Tally, b: Tally): Tally {
  return {
    bySteps: a.bySteps + b.bySteps,
    bySearch: a.bySearch + b.bySearch,
    deepestLayer: Math.max(a.deepestLayer, b.deepestLayer),
    failed: a.failed + b.failed,
    faults: firstFaults([...a.faults, ...b.faults]),
    wrongStarts: [...a.wrongStarts, ...b.wrongStarts],
  };
}

/**
 * Returns the faults to report: by tile sum, then by board (the order of claims), lower side first.
 */
function firstFaults(faults: Fault[]): readonly Fault[] {
  return faults
    .sort((a, b) => a.layer - b.layer || a.index - b.index || (a.side < b.side ? -1 : 1))
    .slice(0, FAULTS_TOLD);
}

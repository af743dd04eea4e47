import type { Game } from "@gridlock/game";
import { BlockIndex, type BlockIndexData } from "./block-index.js";
import { CLAIM_WORDS, CLAIMS_PER_BLOCK } from "./blocks.js";
import { type BlockSource, type ClaimIndex, readBlock } from "./file.js";
import { hashOf, LookUps } from "./look-ups.js";
import { BATCH, MALFORMED, Steps, showsLower, showsUpper } from "./steps.js";

/** A side of a claim. */
export type ValueSide = "lower" | "upper";
/** A part of a claim that may be wrong: one of its sides, or its board. */
export type Side = "board" | ValueSide;

const SIDES: readonly Side[] = ["board", "lower", "upper"];

/** The data that threads share to check claims together: plain data and shared memory. */
export interface Job {
  readonly game: Game;
  /** The file, whose descriptor all threads of a process may read from. */
  readonly name: string;
  readonly handle: number;
  readonly index: BlockIndexData;
  /** The seed of the hashes. */
  readonly seed: number;
  /** The memory of the tables of {@link LookUps}. */
  readonly tables: readonly SharedArrayBuffer[];
  /** A byte for each claim of the blocks that are checked in several parts: its state. */
  readonly states: SharedArrayBuffer;
  /** Two counters of 64 bits: the next block to hand out, and claims checked. */
  readonly counters: SharedArrayBuffer;
}

/** A table in use: its number in the job, and its slots. */
export interface TableUse {
  readonly table: number;
  readonly slots: number;
}

/** Work on the blocks from `from` to before `to`, after all threads have ended the work before. */
export interface Phase {
  readonly from: number;
  readonly to: number;
  /** The part of the boards to look up, or to put into a table, of a power of two. */
  readonly part: number;
  readonly parts: number;
  /** The table to put claims into; without one, the claims are checked. */
  readonly load?: TableUse;
  /** To check: the claims after a 2 and those after a 4, if there are any. */
  readonly after?: readonly [TableUse | undefined, TableUse | undefined];
}

/** A wrong part of a claim. */
export interface Fault extends ClaimIndex {
  readonly side: Side;
}

/** The results of the claims that one thread has checked. */
export interface Tally {
  /** Lower and upper claims that follow. */
  readonly lower: number;
  readonly upper: number;
  /** The number of faults; `faults` lists the first of them. */
  readonly failed: number;
  readonly faults: readonly Fault[];
  /** The claims with faults that are about boards of two tiles, each 2 or 4. */
  readonly wrongStarts: readonly ClaimIndex[];
}

/** The results of nothing. */
export const NOTHING: Tally = { lower: 0, upper: 0, failed: 0, faults: [], wrongStarts: [] };

/** The most faults to report in full. */
const FAULTS_TOLD = 20;
/** The counters of a job. */
export const COUNTERS = 2;
const NEXT = 0;
const CHECKED = 1;
/** The largest packed board of a start is one of tiles up to 4. */
const LARGEST_START_EXPONENT = 2;

/** Begins a phase; no thread works at this time. */
export function handOut(job: Job, { from }: Phase): void {
  Atomics.store(new BigInt64Array(job.counters), NEXT, BigInt(from));
}

/** Returns how many claims have been checked over all threads. */
export function checkedOf(job: Job): number {
  return Number(Atomics.load(new BigInt64Array(job.counters), CHECKED));
}

/** One of those who work on a job: the only one, or a thread. */
export class Hand {
  readonly #source: BlockSource;
  readonly #steps: Steps;
  readonly #tables: readonly LookUps[];
  readonly #states: Uint8Array;
  /** The states of the claims that are being checked. */
  readonly #batch = new Uint16Array(BATCH);
  readonly #counters: BigInt64Array;

  constructor(readonly job: Job) {
    const { name, handle, index, game, seed } = job;
    this.#source = { name, handle, index: new BlockIndex(index) };
    this.#steps = new Steps(game, seed);
    this.#tables = job.tables.map((memory) => new LookUps(new Int32Array(memory)));
    this.#states = new Uint8Array(job.states);
    this.#counters = new BigInt64Array(job.counters);
  }

  /**
   * Works on the blocks of a phase until all have been handed out.
   *
   * @throws {CertificateError} if a block is damaged
   */
  do(phase: Phase): Tally {
    const tally = new Counting();
    for (;;) {
      const block = Number(Atomics.add(this.#counters, NEXT, 1n));
      if (block >= phase.to) return tally.result();
      const claims = readBlock(this.#source, block);
      if (phase.load === undefined) this.#check(phase, block, claims, tally);
      else this.#load(phase, phase.load, block, claims);
    }
  }

  /** Puts the claims of a part into a table. */
  #load({ part, parts }: Phase, use: TableUse, block: number, claims: Uint32Array): void {
    const table = this.#table(use);
    const { seed } = this.job;
    for (let at = 0; at < claims.length; at += CLAIM_WORDS) {
      const hash = hashOf(claims[at] as number, claims[at + 1] as number, seed);
      if ((hash & (parts - 1)) !== part) continue;
      if (!table.insert(claims, at, hash)) {
        throw new Error(
          `the boards of tile sum ${this.#source.index.tileSum(block)} do not spread over their table; run the check again`,
        );
      }
    }
  }

  /** Checks the claims of a block as far as a part of the boards after them decides. */
  #check(phase: Phase, block: number, claims: Uint32Array, tally: Counting): void {
    const { from, part, parts, after: [two, four] = [] } = phase;
    const after = [two && this.#table(two), four && this.#table(four)] as const;
    const tileSum = this.#source.index.tileSum(block);
    const count = claims.length / CLAIM_WORDS;
    const states = this.#batch;
    for (let first = 0; first < count; first += BATCH) {
      const size = Math.min(BATCH, count - first);
      const kept = CLAIMS_PER_BLOCK * (block - from) + first;
      if (part > 0) states.set(this.#states.subarray(kept, kept + size));
      this.#steps.check(claims, first, size, tileSum, states, after, part, parts);
      if (part < parts - 1) this.#states.set(states.subarray(0, size), kept);
      else this.#count(block, claims, first, size, tally);
    }
    const share = Math.floor((count * (part + 1)) / parts) - Math.floor((count * part) / parts);
    Atomics.add(this.#counters, CHECKED, BigInt(share));
  }

  /** Counts which claims of a batch follow. */
  #count(block: number, claims: Uint32Array, first: number, size: number, tally: Counting): void {
    for (let i = 0; i < size; i++) {
      const index = first + i;
      const at = CLAIM_WORDS * index;
      const lower = claims[at + 2] as number;
      const upper = claims[at + 3] as number;
      const state = this.#batch[i] as number;
      const isMalformed = state === MALFORMED;
      const hasLower = !isMalformed && lower > 0;
      const hasUpper = !isMalformed && upper > 0;
      const failsLower = hasLower && !showsLower(state);
      const failsUpper = hasUpper && !showsUpper(state);
      if (hasLower && !failsLower) tally.lower++;
      if (hasUpper && !failsUpper) tally.upper++;
      // Both sides can follow only from other claims that are false, which fail when checked.
      const contradicts = hasUpper && lower > upper - 1 && !failsLower && !failsUpper;
      const wrong = { board: isMalformed || contradicts, lower: failsLower, upper: failsUpper };
      for (const side of SIDES) {
        if (wrong[side])
          tally.fault({ block, index, side }, claims[at] as number, claims[at + 1] as number);
      }
    }
  }

  #table({ table, slots }: TableUse): LookUps {
    const found = this.#tables[table] as LookUps;
    found.resize(slots);
    return found;
  }
}

/** Counts the results of one thread. */
class Counting {
  lower = 0;
  upper = 0;
  #failed = 0;
  #faults: readonly Fault[] = [];
  readonly #wrongStarts: ClaimIndex[] = [];

  fault(fault: Fault, low: number, high: number): void {
    this.#failed++;
    this.#faults = firstFaults([...this.#faults, fault]);
    if (isStart(low, high)) this.#wrongStarts.push(fault);
  }

  result(): Tally {
    const { lower, upper } = this;
    const [failed, faults, wrongStarts] = [this.#failed, this.#faults, this.#wrongStarts];
    return { lower, upper, failed, faults, wrongStarts };
  }
}

/** Returns whether a packed board has two tiles, each a 2 or a 4. */
function isStart(low: number, high: number): boolean {
  let tiles = 0;
  for (const half of [low, high]) {
    for (let rest = half; rest !== 0; rest >>>= 4) {
      if ((rest & 15) > LARGEST_START_EXPONENT) return false;
      if ((rest & 15) > 0) tiles++;
    }
  }
  return tiles === 2;
}

/** Merges two tallies; the result does not depend on which thread checked which claim. */
export function mergeTallies(a: Tally, b: Tally): Tally {
  return {
    lower: a.lower + b.lower,
    upper: a.upper + b.upper,
    failed: a.failed + b.failed,
    faults: firstFaults([...a.faults, ...b.faults]),
    wrongStarts: [...a.wrongStarts, ...b.wrongStarts],
  };
}

/** Returns the faults to report, in the file's order (tile sum, then board), lower side first. */
function firstFaults(faults: Fault[]): readonly Fault[] {
  return faults
    .sort((a, b) => a.block - b.block || a.index - b.index || (a.side < b.side ? -1 : 1))
    .slice(0, FAULTS_TOLD);
}

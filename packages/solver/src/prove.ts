/*
 * This file exceeds 350 lines because the tile sums of a proof, their batches and what is saved of
 * them share the state of one class.
 */
import {
  type Board,
  formatBoard,
  type Game,
  type PackedBoard,
  packBoard,
  packedFromBits,
  tileSum,
  unpackBoard,
} from "@gridlock/game";
import { CLAIM_WORDS, CLAIMS_PER_BLOCK, encodeBlock } from "@gridlock/verify";
import type { StartBound } from "./agenda.js";
import type { DemandRuns } from "./demand-runs.js";
import type { LocalPool, ProofCall } from "./pool.js";
import type { ProofFile } from "./proof-file.js";
import {
  ARENAS,
  CLAIM_BYTES,
  instantiate,
  type ProofExports,
  type ProofMemory,
} from "./proof-memory.js";

/** The progress of a proof. */
export interface ProofProgress {
  /** The tile sum that the proof has reached. */
  readonly tileSum: number;
  /** Claims made so far. */
  readonly claims: number;
  /** Boards that are known to need a claim. */
  readonly waiting: number;
  /** Nodes searched again so far. */
  readonly nodes: number;
}

/** The least time between saves of the state, in ms and as a multiple of the last save's time. */
export interface Saving {
  readonly leastMs: number;
  readonly leastPart: number;
}

/** Parts of a tile sum's claims that are expanded together, and the fewest of a part. */
const BATCHES = 64;
const LEAST_BATCH = 64;
/** Slots of a table for each claim of a batch: a claim makes 19 demands at most on one tile sum. */
const SLOTS_PER_CLAIM = 32;
/** Milliseconds between two reports of progress. */
const PROGRESS_MS = 200;
/** Blocks encoded at the same time. */
const ENCODED_TOGETHER = 4;
/** Default of {@link Saving}: saves take a twentieth of the time at most. */
const SAVING: Saving = { leastMs: 500, leastPart: 20 };

/** A table of demands: words at its address; see `Table` in `assembly/layout.ts`. */
const AT = 0;
const COUNT = 2;
const TABLE_WORDS = 4;

/**
 * Makes a game's certificate: claims of the starts' bounds, the claims from which these follow by
 * one slide and one placement, and so on; `assembly/expand.ts` says which are chosen. It proceeds
 * by tile sum, smallest first, so that all demands on a board are known when its turn comes, and
 * holds the demands of two tile sums.
 */
export class Prover {
  readonly #game: Game;
  readonly #pool: LocalPool;
  readonly #proof: ProofMemory;
  readonly #exports: ProofExports;
  readonly #file: ProofFile;
  readonly #cost: () => { readonly nodes: number; readonly seconds: number };
  readonly #runs: DemandRuns;
  readonly #words: Uint32Array;
  /** Slots of an arena, and the most claims of a batch, whose demands fit into an empty table. */
  readonly #arenaSlots: number;
  readonly #mostBatch: number;
  /** Addresses of the tables of demands on the next tile sum, and on the one after it. */
  readonly #near: number;
  readonly #far: number;

  /**
   * @param pool over a table of the game, with threads that work in `proof`
   * @param file receives the claims, and may have those of an earlier run that was interrupted
   * @param cost returns the cost so far, to be saved
   */
  constructor(
    game: Game,
    pool: LocalPool,
    proof: ProofMemory,
    file: ProofFile,
    cost: () => { readonly nodes: number; readonly seconds: number },
  ) {
    this.#game = game;
    this.#pool = pool;
    this.#proof = proof;
    this.#file = file;
    this.#cost = cost;
    this.#exports = instantiate(proof);
    this.#words = new Uint32Array(proof.memory.buffer);
    this.#runs = file.runs;
    this.#arenaSlots = this.#words[(this.#exports.ARENA_SLOTS.value as number) / 4] as number;
    const most = this.#exports.MOST_BATCH.value as number;
    this.#mostBatch = Math.min(most, Math.floor(this.#arenaSlots / SLOTS_PER_CLAIM));
    this.#near = this.#exports.NEAR.value as number;
    this.#far = this.#exports.FAR.value as number;
  }

  /**
   * Proves bounds of a game's starts: a value has both sides; without an upper bound `hi` is
   * infinite.
   *
   * @throws {Error} if a bound is wrong, or the game is too long for the kernel's stack
   * @throws the signal's reason if it is aborted; what was saved remains
   */
  async prove(
    starts: readonly StartBound[],
    onProgress: (progress: ProofProgress) => void,
    signal: AbortSignal,
    { leastMs, leastPart } = SAVING,
  ): Promise<void> {
    const isLower = starts.every(({ bound }) => bound.hi === Number.POSITIVE_INFINITY);
    this.#words[this.#at("BY_POINTS")] = Number(isLower);
    const stop = () => this.#stop();
    signal.addEventListener("abort", stop);
    let timer: NodeJS.Timeout | undefined;
    try {
      let sum = await this.#begin(starts);
      let saved = performance.now();
      let pause = leastMs;
      const tell = () => onProgress(this.#progress(sum));
      timer = setInterval(tell, PROGRESS_MS);
      const last = Math.max(...starts.map(({ board }) => tileSum(board)));
      while (sum <= last || this.#hasDemands(sum)) {
        signal.throwIfAborted();
        await this.#proveSum(sum, starts, signal);
        sum += 2;
        tell();
        const hasRuns = this.#runs.has(sum - 2);
        if (!hasRuns && performance.now() - saved < pause) continue;
        const began = performance.now();
        await this.#save(sum);
        this.#runs.remove(sum - 2);
        saved = performance.now();
        pause = Math.max(leastMs, leastPart * (saved - began));
      }
    } finally {
      clearInterval(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  /** Stops all threads. */
  #stop(): void {
    Atomics.store(this.#words, this.#at("STOP"), 1);
    this.#pool.stop();
  }

  /** Makes the tables, from an earlier run's state if any; returns the first tile sum to prove. */
  async #begin(starts: readonly StartBound[]): Promise<number> {
    const [near, far, third] = this.#arenas();
    const state = this.#file.state;
    if (state === undefined) {
      this.#exports.makeTable(this.#near, near as number, 0);
      this.#exports.makeTable(this.#far, far as number, 0);
      const first = Math.min(...starts.map(({ board }) => tileSum(board)));
      this.#enter(this.#near, starts, first);
      this.#enter(this.#far, starts, first + 2);
      return first;
    }
    this.#exports.makeTable(this.#near, near as number, state.near);
    this.#exports.makeTable(this.#far, far as number, state.far);
    for (const [table, sum, count] of [
      [this.#near, state.tileSum, state.near],
      [this.#far, state.tileSum + 2, state.far],
    ] as const) {
      // The state may be that of a run with more memory.
      const step = Math.floor(this.#arenaSlots / 2);
      for (let left = count; left > 0; left -= step) {
        const some = Math.min(left, step);
        await this.#file.readClaims(this.#bytes(third as number, some));
        if (this.#count(table) > 0) await this.#toFile(table, sum);
        await this.#call("enterClaims", table, third as number, some);
        await this.#call("clearClaims", third as number, some);
      }
    }
    return state.tileSum;
  }

  /** Enters the demands on the starts of a tile sum. */
  #enter(table: number, starts: readonly StartBound[], sum: number): void {
    const mostHi = this.#exports.MOST_HI.value as number;
    for (const { board, bound } of starts) {
      if (tileSum(board) !== sum) continue;
      const { lo, hi } = bound;
      const upper = Number.isFinite(hi) ? mostHi - hi / 4 : 0;
      const isNew = this.#exports.enter(table, this.#canonical(board), lo / 4, upper);
      this.#words[table / 4 + COUNT] = this.#count(table) + Number(isNew);
    }
  }

  /** Makes the claims of a tile sum, and the demands that follow from them. */
  async #proveSum(sum: number, starts: readonly StartBound[], signal: AbortSignal): Promise<void> {
    const at = this.#addressOf(this.#near);
    const inMemory = await this.#call("listClaims", this.#near);
    this.#words.copyWithin(this.#near / 4, this.#far / 4, this.#far / 4 + TABLE_WORDS);
    const taken = [at, this.#addressOf(this.#near)];
    const [far, spare] = this.#arenas().filter((arena) => !taken.includes(arena));
    this.#words[this.#at("SPARE")] = spare as number;
    this.#exports.makeTable(this.#far, far as number, inMemory);
    this.#enter(this.#far, starts, sum + 4);
    for await (const count of this.#lists(sum, at, inMemory)) {
      const batch = Math.max(LEAST_BATCH, Math.ceil(count / BATCHES));
      this.#exports.beginClaims(at, count, Math.min(batch, this.#mostBatch));
      const steps = [this.#expand(sum, signal), this.#write(sum, at, count)];
      for (const step of steps) step.catch(() => this.#stop());
      // Both must have ended before the memory and the file are closed.
      for (const { reason } of (await Promise.allSettled(steps)) as PromiseRejectedResult[]) {
        if (reason !== undefined) throw reason;
      }
      await this.#call("clearClaims", at, count);
    }
  }

  /**
   * Puts the claims of a tile sum at an address, as many at a time as fit, and yields their number.
   * Afterwards they must be cleared.
   *
   * @param inMemory number of those that are there
   */
  async *#lists(sum: number, at: number, inMemory: number): AsyncGenerator<number> {
    if (!this.#runs.has(sum)) {
      if (inMemory > 0) yield inMemory;
      return;
    }
    this.#runs.add(sum, this.#bytes(at, inMemory));
    await this.#call("clearClaims", at, inMemory);
    const most = this.#arenaSlots - (this.#arenaSlots % CLAIMS_PER_BLOCK);
    const list = new Uint32Array(this.#proof.memory.buffer, at, most * CLAIM_WORDS);
    yield* this.#runs.merge(sum, list);
  }

  /** Has all threads expand the claims of a tile sum. */
  async #expand(sum: number, signal: AbortSignal): Promise<void> {
    const threads = Array.from({ length: this.#proof.threads }, (_, thread) => thread);
    for (;;) {
      await Promise.all(
        threads.map((thread) => this.#pool.call(thread, { call: "work", args: [] })),
      );
      signal.throwIfAborted();
      const side = this.#words[this.#at("WRONG")];
      if (side !== 0) {
        this.#file.discard(); // it rests on what is not true
        throw this.#untrue(side === 1 ? "≥" : "≤");
      }
      if (this.#words[this.#at("STOP")] !== 0) return; // the claims could not be written
      if (this.#words[this.#at("PHASE")] === this.#exports.FINISHED.value) return;
      await this.#makeRoom(sum);
    }
  }

  /** Makes room for the demands that wait to be entered. */
  async #makeRoom(sum: number): Promise<void> {
    const isNear = this.#count(this.#near) > this.#count(this.#far);
    await this.#toFile(isNear ? this.#near : this.#far, sum + (isNear ? 2 : 4));
    this.#exports.goOn();
  }

  /** Moves the demands of a table to a file. */
  async #toFile(table: number, sum: number): Promise<void> {
    const at = this.#addressOf(table);
    const count = await this.#call("listClaims", table);
    this.#runs.add(sum, this.#bytes(at, count));
    await this.#call("clearClaims", at, count);
    this.#exports.makeTable(table, at, this.#arenaSlots);
  }

  /** Writes the claims of a tile sum to the file, unless the threads are stopped. */
  async #write(sum: number, at: number, count: number): Promise<void> {
    const claims = new Uint32Array(this.#proof.memory.buffer, at, count * CLAIM_WORDS);
    const step = CLAIMS_PER_BLOCK * CLAIM_WORDS;
    for (let from = 0; from < claims.length; from += ENCODED_TOGETHER * step) {
      if (this.#words[this.#at("STOP")] !== 0) return;
      const together = claims.subarray(from, from + ENCODED_TOGETHER * step);
      const blocks: Promise<Uint8Array>[] = [];
      for (let block = 0; block < together.length; block += step) {
        blocks.push(encodeBlock(sum, together.subarray(block, block + step)));
      }
      await this.#file.append(together, await Promise.all(blocks));
    }
  }

  /** Saves the demands, between two tile sums. */
  async #save(tileSum: number): Promise<void> {
    const taken = [this.#near, this.#far].map((table) => this.#addressOf(table));
    const [free] = this.#arenas().filter((arena) => !taken.includes(arena));
    const lists = async function* (this: Prover): AsyncGenerator<Uint8Array> {
      for (const table of [this.#near, this.#far]) {
        const count = await this.#call("copyClaims", table, free as number);
        yield this.#bytes(free as number, count);
        await this.#call("clearClaims", free as number, count);
      }
    };
    const near = this.#count(this.#near);
    const far = this.#count(this.#far);
    const { counts: all } = this.#runs;
    const { [tileSum - 2]: _done, ...runs } = all;
    const state = { tileSum, near, far, runs };
    await this.#file.save(state, this.#cost(), lists.call(this));
  }

  #hasDemands(sum: number): boolean {
    const inMemory = this.#count(this.#near) + this.#count(this.#far);
    return inMemory > 0 || this.#runs.has(sum) || this.#runs.has(sum + 2);
  }

  #progress(tileSum: number): ProofProgress {
    const waiting = this.#count(this.#near) + this.#count(this.#far);
    const { nodes } = this.#cost();
    return { tileSum, claims: this.#file.counts.claims, waiting, nodes };
  }

  async #call(call: ProofCall["call"], ...args: number[]): Promise<number> {
    return (await this.#pool.call(0, { call, args })) >>> 0;
  }

  /** Returns the addresses of all arenas. */
  #arenas(): number[] {
    const { threads } = this.#proof;
    return Array.from({ length: ARENAS }, (_, i) => this.#exports.arenaAt(threads, i) >>> 0);
  }

  /** Returns the index of a word in memory. */
  #at(
    name: "BY_POINTS" | "SPARE" | "STOP" | "PHASE" | "WRONG" | "WRONG_VALUE" | "WRONG_BOARD",
  ): number {
    return (this.#exports[name].value as number) / 4;
  }

  #addressOf(table: number): number {
    return this.#words[table / 4 + AT] as number;
  }

  #count(table: number): number {
    return this.#words[table / 4 + COUNT] as number;
  }

  #bytes(at: number, count: number): Uint8Array {
    return new Uint8Array(this.#proof.memory.buffer, at, count * CLAIM_BYTES);
  }

  #canonical(board: Board): PackedBoard {
    return this.#pool.kernel.canonical(packBoard(board));
  }

  #untrue(sign: string): Error {
    const at = this.#at("WRONG_BOARD");
    const bits = (BigInt(this.#words[at + 1] as number) << 32n) | BigInt(this.#words[at] as number);
    const board = formatBoard(unpackBoard(this.#game.shape, packedFromBits(bits)));
    const value = 4 * (this.#words[this.#at("WRONG_VALUE")] as number);
    return new Error(
      `cannot prove h ${sign} ${value} of ${board}: the search refutes it, so a stored bound is wrong`,
    );
  }
}

import type { Game } from "@gridlock/game";
import { preferLargePages } from "@gridlock/kernel";
import { estimate } from "@gridlock/solver";
import { instantiate, type LayerExports, OutOfMemory } from "./module.js";

const PAGE_BYTES = 65_536;
/** Pages of 4 GiB less one page, the most that a module can address. */
const MOST_PAGES = 65_535;
/**
 * Estimated nodes from which a proof benefits from large pages: smaller proofs would not fill them.
 */
const LARGE = 2 ** 21;

/** A memory for blocks that the threads of a process share. */
export interface BlockMemory {
  readonly memory: WebAssembly.Memory;
  readonly threads: number;
}

/** Makes a memory for a game's blocks. Pages that are never used take no memory. */
export function makeBlockMemory(game: Game, threads: number, bytes: number): BlockMemory {
  const pages = Math.min(Math.floor(bytes / PAGE_BYTES), MOST_PAGES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  if (estimate(game.shape).nodes >= LARGE) preferLargePages([new Uint8Array(memory.buffer)]);
  instantiate(game, memory).prepare(threads);
  return { memory, threads };
}

/** States of a block: not in memory, in memory, and in use by a thread. */
const ABSENT = 0;
const RESIDENT = 1;
/** The state of a block in memory that a thread visits. */
export const IN_USE = 2;

/** Indices of a block's words that the host uses; see `Block` in `assembly/layout.ts`. */
export const WORD = {
  state: 2,
  version: 3,
  saved: 4,
  changes: 5,
  files: 6,
} as const;
/** Words behind the module's lock: threads at work, those of them that wait, and changes so far. */
export const AT_WORK = 4;
const WAITING = 5;
export const CHANGES = 6;
/** Milliseconds after which a waiting thread looks again in any case. */
const LOOK_AGAIN_MS = 1000;
/** A thread that cannot give up its visit fails when it has found all threads waiting this often. */
const MOST_TIMES_LAST = 30;
/** The version that marks a block that was never saved. */
const NEVER = -1;

/** The files of a block in memory. */
export interface SavedBlock {
  /** The step of the last one. */
  readonly step: number;
  /** The number of files, and of boards in those that have only changes. */
  readonly files: number;
  readonly changes: number;
}

/** The blocks in a memory, as one of its threads uses them. */
export class Residents {
  readonly #module: LayerExports;
  readonly #words: Int32Array;
  readonly #first: number;
  readonly #stride: number;
  readonly #places: number;
  readonly #control: number;
  #timesLast = 0;
  /** Changes when this thread last found that no block could be evicted. */
  #lastChanges = -1;

  constructor(module: LayerExports, { memory }: BlockMemory) {
    this.#module = module;
    this.#words = new Int32Array(memory.buffer);
    this.#first = (module.BLOCKS.value as number) / 4;
    this.#stride = (module.BLOCK_BYTES.value as number) / 4;
    this.#places = module.MAX_BLOCKS.value as number;
    this.#control = (module.LOCK.value as number) / 4;
  }

  #index(place: number, word: number): number {
    return this.#first + place * this.#stride + word;
  }

  #get(place: number, word: number): number {
    return Atomics.load(this.#words, this.#index(place, word));
  }

  #set(place: number, word: number, value: number): void {
    Atomics.store(this.#words, this.#index(place, word), value);
  }

  /** The step of the last visit of a block in memory. */
  version(place: number): number {
    return this.#get(place, WORD.version);
  }

  setVersion(place: number, step: number): void {
    this.#set(place, WORD.version, step);
  }

  isSaved(place: number): boolean {
    return this.#get(place, WORD.saved) === this.version(place);
  }

  /** Returns the files of a block in memory; `undefined` if its next file must be whole. */
  saved(place: number): SavedBlock | undefined {
    const step = this.#get(place, WORD.saved);
    if (step === NEVER) return undefined;
    return { step, files: this.#get(place, WORD.files), changes: this.#get(place, WORD.changes) };
  }

  setSaved(place: number, saved: SavedBlock | undefined): void {
    this.#set(place, WORD.saved, saved?.step ?? NEVER);
    this.#set(place, WORD.changes, saved?.changes ?? 0);
    this.#set(place, WORD.files, saved?.files ?? 0);
  }

  /**
   * Waits until no other thread uses a block, and then takes it; returns true if it is in memory.
   */
  acquire(place: number): boolean {
    const state = this.#index(place, WORD.state);
    for (;;) {
      const found = Atomics.load(this.#words, state);
      if (found === IN_USE) Atomics.wait(this.#words, state, IN_USE, LOOK_AGAIN_MS);
      else if (Atomics.compareExchange(this.#words, state, found, IN_USE) === found) {
        return found === RESIDENT;
      }
    }
  }

  /** Ends the use of a block, which either stays in memory or is evicted. */
  release(place: number, stays: boolean): void {
    if (!stays) this.#module.release(place);
    const state = this.#index(place, WORD.state);
    Atomics.store(this.#words, state, stays ? RESIDENT : ABSENT);
    Atomics.notify(this.#words, state);
    this.#add(CHANGES, 1);
  }

  /** Adds to a word behind the lock, and wakes the threads that wait for it to change. */
  #add(word: number, number: number): void {
    Atomics.add(this.#words, this.#control + word, number);
    Atomics.notify(this.#words, this.#control + word);
  }

  /** Records that this thread begins a visit. */
  beginWork(): void {
    this.#timesLast = 0;
    this.#add(AT_WORK, 1);
    this.#add(CHANGES, 1);
  }

  /** Records that this thread has ended a visit, or has given it up. */
  endWork(): void {
    this.#add(AT_WORK, -1);
    this.#add(CHANGES, 1);
  }

  /**
   * Evicts the least recently visited block that no thread uses. If all are in use, returns once
   * there may be room, and waits for that if this thread has found none since the last change.
   *
   * @param save called if the block must be saved first
   * @param mayGiveUp whether this thread's visit can be made again
   * @throws {OutOfMemory} if all blocks are in use by threads that wait for memory, and this one may
   *   give up its visit, is the only one, or has seen none of the others give up
   */
  evict(save: (place: number) => void, mayGiveUp: boolean): void {
    const changes = Atomics.load(this.#words, this.#control + CHANGES);
    const place = this.#leastRecent();
    if (place === undefined) {
      // Other threads may have freed memory since this one found too little.
      if (changes === this.#lastChanges) this.#waitForChange(changes, mayGiveUp);
      this.#lastChanges = changes;
      return;
    }
    const state = this.#index(place, WORD.state);
    if (Atomics.compareExchange(this.#words, state, RESIDENT, IN_USE) !== RESIDENT) return;
    if (!this.isSaved(place)) save(place);
    this.release(place, false);
  }

  #leastRecent(): number | undefined {
    let [found, least]: [number | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (let place = 0; place < this.#places; place++) {
      if (this.#get(place, WORD.state) !== RESIDENT) continue;
      const version = this.version(place);
      if (version < least) [found, least] = [place, version];
    }
    return found;
  }

  #waitForChange(changes: number, mayGiveUp: boolean): void {
    const waiting = this.#control + WAITING;
    const atWork = Atomics.load(this.#words, this.#control + AT_WORK);
    const isLast = Atomics.add(this.#words, waiting, 1) + 1 >= atWork;
    try {
      // A thread frees its memory before it is no longer at work.
      if (Atomics.load(this.#words, this.#control + CHANGES) !== changes) return;
      if (isLast && (mayGiveUp || atWork === 1 || this.#timesLast++ === MOST_TIMES_LAST)) {
        throw new OutOfMemory();
      }
      // If all wait, one that may give up its visit becomes the last when it has looked again.
      Atomics.wait(this.#words, this.#control + CHANGES, changes, LOOK_AGAIN_MS);
    } finally {
      Atomics.sub(this.#words, waiting, 1);
    }
  }
}

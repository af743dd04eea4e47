import type { Game } from "@gridlock/game";
import { preferLargePages } from "@gridlock/kernel";
import { estimate } from "@gridlock/solver";
import { type BlockFile, BlockFiles, MOST_FILES, writeBlockFile } from "./block-file.js";
import type { BlockNumber } from "./blocks.js";
import { instantiate, type LayerExports, OutOfMemory } from "./module.js";
import { blockFileName } from "./names.js";

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
  /** The states of the blocks and of the threads; see {@link wordOf}. */
  readonly words: Int32Array;
}

/** Makes a memory for a game's blocks. Pages that are never used take no memory. */
export function makeBlockMemory(game: Game, threads: number, bytes: number): BlockMemory {
  const pages = Math.min(Math.floor(bytes / PAGE_BYTES), MOST_PAGES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  if (estimate(game.shape).nodes >= LARGE) preferLargePages([new Uint8Array(memory.buffer)]);
  const module = instantiate(game, memory);
  module.prepare(threads);
  const words = wordOf(module.MAX_BLOCKS.value, WORD.state);
  return { memory, threads, words: new Int32Array(new SharedArrayBuffer(4 * words)) };
}

/** States of a block: not in memory, in memory, and in use by a thread. */
const ABSENT = 0;
const RESIDENT = 1;
/** The state of a block in memory that a thread visits. */
export const IN_USE = 2;

/** The first words: threads at work, those of them that wait, and changes so far. */
export const AT_WORK = 0;
const WAITING = 1;
export const CHANGES = 2;
const FIRST_BLOCK = 3;
/** The words of each block: its state, the step of its last visit, and a {@link SavedBlock}. */
export const WORD = { state: 0, version: 1, saved: 2, changes: 3, files: 4 } as const;
const BLOCK_WORDS = 5;

/** Returns the index of a word of the block at a place. */
export function wordOf(place: number, word: number): number {
  return FIRST_BLOCK + place * BLOCK_WORDS + word;
}

/** Milliseconds after which a waiting thread looks again in any case. */
const LOOK_AGAIN_MS = 1000;
/** A thread that cannot give up its visit fails when it has found all threads waiting this often. */
const MOST_TIMES_LAST = 30;
/** The version that marks a block that was never saved. */
const NEVER = -1;

/** The files of a block in memory. */
interface SavedBlock {
  /** The step of the last one. */
  readonly step: number;
  /** The number of files, and of boards in those that have only changes. */
  readonly files: number;
  readonly changes: number;
}

/**
 * Keys for which a block's table has room when it is read, besides those of its nodes and changes:
 * a number, and a share of its boards.
 */
const MORE_KEYS = 512;
const MORE_KEYS_SHARE = 0.05;

/** A block gets a whole file if changes would make up more than this share of its boards... */
const MOST_CHANGED = 1 / 8;
/** ... or if it has fewer boards than this. */
const FEW_BOARDS = 4096;

/**
 * The blocks in a memory, as one of its threads uses them: takes, reads, writes, releases and evicts
 * them.
 */
export class Residents {
  readonly #folder: string;
  readonly #module: LayerExports;
  readonly #words: Int32Array;
  /** The thread's stages for what it reads and writes. */
  readonly stage: Uint8Array;
  readonly #stageOut: Uint8Array;
  #timesLast = 0;
  /** Changes when this thread last found that no block could be evicted. */
  #lastChanges = -1;

  /** @param module attached to the memory as the thread */
  constructor(folder: string, module: LayerExports, { memory, words }: BlockMemory) {
    this.#folder = folder;
    this.#module = module;
    this.#words = words;
    const bytes = new Uint8Array(memory.buffer);
    const [stageIn, stageOut] = [module.stageIn() >>> 0, module.stageOut() >>> 0];
    this.stage = bytes.subarray(stageIn, stageIn + module.STAGE_BYTES.value);
    this.#stageOut = bytes.subarray(stageOut, stageOut + module.STAGE_BYTES.value);
  }

  #get(place: number, word: number): number {
    return Atomics.load(this.#words, wordOf(place, word));
  }

  #set(place: number, word: number, value: number): void {
    Atomics.store(this.#words, wordOf(place, word), value);
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
  #saved(place: number): SavedBlock | undefined {
    const step = this.#get(place, WORD.saved);
    if (step === NEVER) return undefined;
    return { step, files: this.#get(place, WORD.files), changes: this.#get(place, WORD.changes) };
  }

  #setSaved(place: number, saved: SavedBlock | undefined): void {
    this.#set(place, WORD.saved, saved?.step ?? NEVER);
    this.#set(place, WORD.changes, saved?.changes ?? 0);
    this.#set(place, WORD.files, saved?.files ?? 0);
  }

  /**
   * Reads a block after a visit into a memory that does not have it, or makes it if it has had none;
   * enters the block.
   *
   * @throws {DamagedFile} if a file is missing or damaged
   */
  read(place: number, block: BlockNumber, step: number | undefined): void {
    const module = this.#module;
    const { stage } = this;
    module.enter(place);
    if (step === undefined) {
      module.beginEmpty();
      this.#setSaved(place, undefined);
      return;
    }
    using blocks = new BlockFiles(this.#folder, block, step);
    const nodes = blocks.sum(({ head }) => head.nodes);
    const { boards } = blocks.head;
    const first = (blocks.files[0] as BlockFile).head;
    const changes = blocks.sum(({ head }) => head.written) - first.written;
    const keys = first.nodes + changes + MORE_KEYS + MORE_KEYS_SHARE * boards;
    module.beginReading(nodes, first.written - first.nodes, Math.ceil(keys));
    for (const [i, file] of blocks.files.entries()) {
      for (let length = file.nextInto(stage); length > 0; length = file.nextInto(stage)) {
        if (i === 0) module.readMore(length);
        else module.readChanges(length);
      }
      if (i === 0) module.endPacking();
    }
    module.endReading(boards);
    const { files } = blocks;
    this.setVersion(place, step);
    this.#setSaved(place, { step, changes, files: files.length });
  }

  /**
   * Writes the next file of a block in memory, and enters the block. If that fails, the next file
   * will be whole.
   *
   * @param isMerge always writes a whole file
   * @throws {StoreError} if the file cannot be written
   */
  write(place: number, isMerge = false): void {
    const module = this.#module;
    const block = BigInt.asUintN(64, module.numberOf(place)).toString(16);
    const before = this.#saved(place);
    this.#setSaved(place, undefined);
    module.enter(place);
    const boards = module.boardsHeld();
    const changes = (before?.changes ?? 0) + module.countChanged();
    const isWhole =
      before === undefined ||
      isMerge ||
      before.files >= MOST_FILES ||
      boards < FEW_BOARDS ||
      changes > MOST_CHANGED * boards;
    module.beginSaving(isWhole);
    const step = this.version(place);
    writeBlockFile(this.#folder, blockFileName(block, step), this.#chunks(), () => ({
      ...{ boards, written: module.writtenBoards.value, nodes: module.writtenNodes.value },
      base: isWhole ? undefined : before.step,
    }));
    const saved = isWhole
      ? { step, changes: 0, files: 1 }
      : { step, changes, files: before.files + 1 };
    this.#setSaved(place, saved);
  }

  *#chunks(): Iterable<Uint8Array> {
    const module = this.#module;
    for (let bytes = module.saveMore(); bytes > 0; bytes = module.saveMore()) {
      yield this.#stageOut.subarray(0, bytes);
    }
  }

  /**
   * Begins a visit or a save of a block: waits until no other thread uses it, and then takes it.
   * Returns true if it is in memory. Other threads that find too little memory wait for the end.
   */
  acquire(place: number): boolean {
    this.#timesLast = 0;
    this.#add(AT_WORK, 1);
    this.#add(CHANGES, 1);
    const state = wordOf(place, WORD.state);
    for (;;) {
      const found = Atomics.load(this.#words, state);
      if (found === IN_USE) Atomics.wait(this.#words, state, IN_USE, LOOK_AGAIN_MS);
      else if (Atomics.compareExchange(this.#words, state, found, IN_USE) === found) {
        return found === RESIDENT;
      }
    }
  }

  /** Ends the work on a block, which either stays in memory or is evicted. */
  release(place: number, stays: boolean): void {
    this.#free(place, stays);
    this.#add(AT_WORK, -1);
    this.#add(CHANGES, 1);
  }

  #free(place: number, stays: boolean): void {
    if (!stays) this.#module.release(place);
    const state = wordOf(place, WORD.state);
    Atomics.store(this.#words, state, stays ? RESIDENT : ABSENT);
    Atomics.notify(this.#words, state);
    this.#add(CHANGES, 1);
  }

  /** Adds to one of the first words, and wakes the threads that wait for it to change. */
  #add(word: number, number: number): void {
    Atomics.add(this.#words, word, number);
    Atomics.notify(this.#words, word);
  }

  /**
   * Evicts the least recently visited block that no thread uses. If all are in use, returns once
   * there may be room, and waits for that if this thread has found none since the last change.
   *
   * @param mayGiveUp whether this thread's visit can be made again
   * @throws {OutOfMemory} if all blocks are in use by threads that wait for memory, and this one may
   *   give up its visit, is the only one, or has seen none of the others give up
   */
  evict(mayGiveUp: boolean): void {
    const changes = Atomics.load(this.#words, CHANGES);
    const place = this.#leastRecent();
    if (place === undefined) {
      // Other threads may have freed memory since this one found too little.
      if (changes === this.#lastChanges) this.#waitForChange(changes, mayGiveUp);
      this.#lastChanges = changes;
      return;
    }
    const state = wordOf(place, WORD.state);
    if (Atomics.compareExchange(this.#words, state, RESIDENT, IN_USE) !== RESIDENT) return;
    if (!this.isSaved(place)) this.write(place);
    this.#free(place, false);
  }

  #leastRecent(): number | undefined {
    let [found, least]: [number | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (let place = 0; place < this.#module.MAX_BLOCKS.value; place++) {
      if (this.#get(place, WORD.state) !== RESIDENT) continue;
      const version = this.version(place);
      if (version < least) [found, least] = [place, version];
    }
    return found;
  }

  #waitForChange(changes: number, mayGiveUp: boolean): void {
    const atWork = Atomics.load(this.#words, AT_WORK);
    const isLast = Atomics.add(this.#words, WAITING, 1) + 1 >= atWork;
    try {
      // A thread frees its memory before it is no longer at work.
      if (Atomics.load(this.#words, CHANGES) !== changes) return;
      if (isLast && (mayGiveUp || atWork === 1 || this.#timesLast++ === MOST_TIMES_LAST)) {
        throw new OutOfMemory();
      }
      // If all wait, one that may give up its visit becomes the last when it has looked again.
      Atomics.wait(this.#words, CHANGES, changes, LOOK_AGAIN_MS);
    } finally {
      Atomics.sub(this.#words, WAITING, 1);
    }
  }
}

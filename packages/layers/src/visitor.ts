import { type Bound, type Game, tileBits, UNKNOWN } from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import { bytesOf, LETTER_BYTES, type Letters, readLetters, writeLetters } from "./block-file.js";
import { type BlockMemory, Residents } from "./block-memory.js";
import { type BlockNumber, blockLayersOf } from "./blocks.js";
import { DamagedFile } from "./chunk-file.js";
import type { BlockVersion, VisitedProof } from "./crew.js";
import { lettersIn } from "./letter-pages.js";
import { instantiate, type LayerExports } from "./module.js";
import { lettersFileName, partsOf } from "./names.js";
import type { Visit, VisitOutcome, VisitResult } from "./visits.js";

/**
 * A block that takes this share of a thread's part of the memory, or more, is saved before it is
 * visited, so that the visit can be given up.
 */
const LARGE_SHARE = 0.25;

/**
 * The letters of a visit stay in memory if they take at most this many bytes. Longer ones go to a
 * file at once, which costs less than the visit did.
 */
const MOST_KEPT_BYTES = 2 ** 16;

/**
 * Visits blocks as one of the threads of a memory. A block stays in memory until its room is
 * needed.
 */
export class Visitor {
  readonly #folder: string;
  readonly #module: LayerExports;
  readonly #residents: Residents;
  readonly #words: Uint32Array;
  /** The block in use, by its place. */
  #current = 0;
  /** True if the visit can be made again: the block's files have it as it was before. */
  isSaved = false;
  /** Pages of a block that is large. */
  readonly #large: number;

  /** @param thread number of this thread among those of the memory */
  constructor(game: Game, { folder, split }: VisitedProof, blocks: BlockMemory, thread: number) {
    this.#folder = folder;
    const { memory, threads } = blocks;
    const module = instantiate(game, memory, () => this.#makeRoom());
    this.#module = module;
    module.attach(thread, threads, tileBits(game.tiles), blockLayersOf(game.shape), split);
    this.#residents = new Residents(folder, module, blocks);
    this.#words = new Uint32Array(memory.buffer);
    this.#large = Math.floor((LARGE_SHARE * module.allPages()) / threads);
  }

  /**
   * Visits a block, or only merges its files. The block then stays in memory; {@link save} writes
   * its changes. Long letters are written to a file, others are part of the result.
   *
   * @throws {StoreError} if a file cannot be written
   * @throws {OutOfMemory} if the block needs more memory; if {@link isSaved}, it is as before
   */
  visit(task: Visit): VisitOutcome {
    try {
      return task.isMerge ? this.#merge(task) : this.#work(task);
    } catch (error) {
      if (error instanceof DamagedFile) return { damaged: error.file };
      throw error;
    }
  }

  /** Looks at starts, and makes their demands. */
  #lookAt(starts: NonNullable<Visit["starts"]>): (Bound | undefined)[] {
    const module = this.#module;
    return starts.map(({ board, need }) => {
      const outcome = module.lookAtStart(board, need);
      if (outcome === 0) return undefined;
      const points = 4 * module.startBound.value;
      return { ...UNKNOWN, ...(outcome > 0 ? { lo: points } : { hi: points }) };
    });
  }

  /** Reads the letters for a block, works on it, and keeps or writes its letters. */
  #work(task: Visit): VisitResult {
    const module = this.#module;
    const { block, step } = task;
    const received = task.letters.map(({ file, kept }) => {
      const { block: from } = partsOf(file);
      return { from, ...(kept ?? readLetters(this.#folder, file, block)) };
    });
    return this.#use(task, (place) => {
      module.beginVisit(step);
      for (const each of received) this.#take(each);
      const starts = task.starts && this.#lookAt(task.starts);
      if (!starts) module.pass();
      const letters = lettersIn(this.#words, module.endVisit() >>> 0, module);
      this.#residents.setVersion(place, step);
      const isKept = bytesOf(letters) <= MOST_KEPT_BYTES;
      if (!isKept) writeLetters(this.#folder, lettersFileName(block, step), letters);
      return {
        letters: letters.map((each) => ({
          ...{ to: each.to, items: each.demands + each.answers },
          kept: isKept ? each : undefined,
        })),
        starts: starts ?? [],
      };
    });
  }

  /** Writes a whole file of a block. */
  #merge(task: Visit): VisitResult {
    return this.#use(task, (place) => {
      this.#residents.setVersion(place, task.step);
      this.#residents.write(place, true);
      return { letters: [], starts: [] };
    });
  }

  /** Applies a function to a block, which then stays in memory as it is after the visit. */
  #use(task: Visit, act: (place: number) => Pick<VisitResult, "letters" | "starts">): VisitResult {
    const module = this.#module;
    const residents = this.#residents;
    const { expanded, lookedAgain, looks } = module;
    const place = module.placeOf(BigInt(`0x${task.block}`));
    let isWhole = false;
    const isInMemory = residents.acquire(place);
    try {
      this.#open(place, isInMemory, task);
      if (task.isNewRound) module.forgetDemands();
      for (const count of [expanded, lookedAgain, looks]) count.value = 0n;
      const done = act(place);
      isWhole = true;
      return {
        ...done,
        expanded: Number(expanded.value),
        lookedAgain: Number(lookedAgain.value),
        looks: Number(looks.value),
        boards: module.boardsHeld(),
        live: module.countNodes(),
        waiting: module.countWaiting(),
      };
    } catch (error) {
      throw this.#explained(task.block, error);
    } finally {
      module.clearVisit();
      residents.release(place, isWhole);
    }
  }

  /**
   * Explains a trap of the module: a file has contents that no visit writes, and a checksum that is
   * right. Nothing that is in memory is worth saving then.
   */
  #explained(block: BlockNumber, error: unknown): unknown {
    if (!(error instanceof WebAssembly.RuntimeError)) return error;
    return new StoreError(
      "damaged",
      `block ${block} in ${this.#folder} has contents that no visit writes; delete the folder to start over`,
      { cause: error },
    );
  }

  /** Enters a block in the version of its last visit; reads its files if it is not in memory. */
  #open(place: number, isInMemory: boolean, { block, last }: Visit): void {
    const module = this.#module;
    const residents = this.#residents;
    this.#current = place;
    if (isInMemory) {
      if (residents.version(place) === last) {
        if (!residents.isSaved(place) && module.isLarge(place, this.#large)) residents.write(place);
        this.isSaved = residents.isSaved(place);
        module.enter(place);
        return;
      }
      module.release(place); // the proof has forgotten it
    }
    this.isSaved = true; // or it is new
    residents.read(place, block, last);
  }

  #take({ from, demands, answers, bytes }: Letters & { from: BlockNumber }): void {
    const module = this.#module;
    const { stage } = this.#residents;
    const sender = module.placeOf(BigInt(`0x${from}`));
    const most = Math.floor(stage.length / LETTER_BYTES);
    for (let first = 0; first < demands + answers; first += most) {
      const count = Math.min(most, demands + answers - first);
      const at = LETTER_BYTES * first;
      stage.set(bytes.subarray(at, at + LETTER_BYTES * count));
      module.takeLetters(count, demands - first, sender);
    }
  }

  /**
   * Writes the changes of a block up to a visit, or all of it, if it is in memory in this version
   * and unsaved; otherwise the file exists.
   *
   * @throws {StoreError} if the file cannot be written
   */
  save({ block, step }: BlockVersion): void {
    const place = this.#module.placeOf(BigInt(`0x${block}`));
    const residents = this.#residents;
    const isThere = residents.acquire(place);
    try {
      if (isThere && residents.version(place) === step && !residents.isSaved(place)) {
        residents.write(place);
      }
    } finally {
      residents.release(place, isThere);
    }
  }

  /** Evicts a block from memory while another is being visited. */
  #makeRoom(): void {
    this.#residents.evict(this.isSaved);
    this.#module.enter(this.#current);
  }
}

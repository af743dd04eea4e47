import { type Game, tileBits } from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import { LETTER_BYTES, type Letters, readLetters, writeLetters } from "./block-file.js";
import { type BlockMemory, Residents } from "./block-memory.js";
import { BlockTransfer } from "./block-transfer.js";
import { type BlockNumber, blockLayersOf, firstLayerOf } from "./blocks.js";
import { DamagedFile } from "./chunk-file.js";
import { lettersIn } from "./letter-pages.js";
import { bytesOf, MOST_KEPT_BYTES } from "./mail.js";
import { instantiate, type LayerExports, MemoryInUse, OutOfMemory } from "./module.js";
import { lettersFileName } from "./names.js";
import { threadSeconds } from "./thread-clock.js";
import type {
  StartResult,
  StartsVisit,
  Visit,
  VisitCost,
  VisitCounts,
  VisitOutcome,
  VisitResult,
} from "./visits.js";

/**
 * A block that takes this share of a thread's part of the memory, or more, is saved before it is
 * visited, so that the visit can be given up.
 */
const LARGE_SHARE = 0.25;

/**
 * Visits blocks as one of the threads of a memory. A block stays in memory until its room is
 * needed.
 */
export class Visitor {
  readonly #folder: string;
  readonly #module: LayerExports;
  readonly #blockLayers: number;
  readonly #residents: Residents;
  readonly #transfer: BlockTransfer;
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #stageIn: number;
  readonly #stageBytes: number;
  /** The block in use, by its place. */
  #current = 0;
  /** True if its files have it as it was before the current visit, which can then be made again. */
  #isSaved = false;
  /** Pages of a block that is large. */
  readonly #large: number;

  /** @param thread number of this thread among those of the memory */
  constructor(game: Game, folder: string, blocks: BlockMemory, thread: number) {
    this.#folder = folder;
    const { memory, threads } = blocks;
    const module = instantiate(game, memory, {
      makeRoom: () => this.#makeRoom(),
      tooManyBlocks: () => {
        throw new RangeError("the proof has more blocks than this version can handle");
      },
    });
    this.#module = module;
    const bytes = memory.buffer.byteLength;
    this.#blockLayers = blockLayersOf(game.shape);
    module.attach(thread, threads, bytes, tileBits(game.tiles), this.#blockLayers);
    this.#residents = new Residents(module, blocks);
    this.#transfer = new BlockTransfer(folder, module, this.#residents, blocks, thread);
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
    this.#stageIn = module.stageIn(thread) >>> 0;
    this.#stageBytes = module.STAGE_BYTES.value as number;
    this.#large = Math.floor((LARGE_SHARE * module.allPages()) / threads);
  }

  /**
   * Visits a block and writes its letters, or only merges its files. The block itself then stays in
   * memory; {@link save} writes its changes.
   *
   * @param keepsLetters returns the letters in the result, unless they are long, and writes no file
   * @throws {StoreError} if a file cannot be written
   * @throws {OutOfMemory} if the block needs more memory
   */
  visit(task: Visit, keepsLetters = false): VisitOutcome {
    const module = this.#module;
    const pass = () => module.pass(firstLayerOf(task.block, this.#blockLayers));
    const visit = () => (task.isMerge ? this.#merge(task) : this.#work(task, pass, keepsLetters));
    try {
      return this.#withRoom(visit);
    } catch (error) {
      if (error instanceof DamagedFile) return { damaged: error.file };
      throw error;
    }
  }

  /** Makes a visit, again and again while the blocks of other threads leave it too little memory. */
  #withRoom(visit: () => VisitResult): VisitResult {
    for (;;) {
      try {
        return visit();
      } catch (error) {
        // Read again into an empty memory, the block is in consecutive pages.
        if (error instanceof OutOfMemory && this.#isSaved) return this.#residents.alone(visit);
        if (!(error instanceof MemoryInUse)) throw error;
        this.#residents.awaitEnd();
      }
    }
  }

  /**
   * Looks at starts, and makes their demands.
   *
   * @throws {DamagedFile} if a file is damaged or missing
   */
  visitStarts(task: StartsVisit): { results: StartResult[]; visit: VisitResult } {
    const module = this.#module;
    const results: StartResult[] = [];
    const look = () => {
      for (const { board, need } of task.starts) {
        const outcome = module.lookAtStart(board, need);
        const bound = module.boundOfStart();
        results.push({
          outcome: outcome > 0 ? "reached" : outcome < 0 ? "failed" : "open",
          bound,
        });
      }
    };
    const visit = this.#work(task, look, false);
    return { results, visit };
  }

  /** Reads the letters for a block, works on it, and writes its letters. */
  #work(task: Visit, pass: () => void, keepsLetters: boolean): VisitResult {
    const began = threadSeconds();
    const module = this.#module;
    const { block, step, isNewRound, kept = [] } = task;
    const inMemory = new Map(kept.map((letters) => [letters.file, letters]));
    const received = task.letters.map((file) => {
      const from = file.split(".")[0] as BlockNumber;
      return { from, ...(inMemory.get(file) ?? readLetters(this.#folder, file, block)) };
    });
    return this.#use(task, began, (place) => {
      module.beginVisit(step, isNewRound);
      for (const each of received) this.#take(each);
      pass();
      const letters = lettersIn(this.#words, module.endVisit() >>> 0, module);
      this.#residents.setVersion(place, step);
      const lettersRead = bytesOf(received);
      if (letters.length === 0) return { letters, lettersRead };
      if (keepsLetters && bytesOf(letters) <= MOST_KEPT_BYTES)
        return { letters, kept: letters, lettersRead };
      const name = lettersFileName(block, step);
      const lettersWritten = writeLetters(this.#folder, name, letters);
      return { letters, lettersRead, lettersWritten };
    });
  }

  /** Writes a whole file of a block. */
  #merge(task: Visit): VisitResult {
    return this.#use(task, threadSeconds(), (place) => {
      const began = threadSeconds();
      if (task.isNewRound) this.#module.forgetDemands();
      this.#module.leave();
      this.#residents.setVersion(place, task.step);
      const blockWritten = this.#transfer.write(place, true);
      return { letters: [], saving: threadSeconds() - began, blockWritten };
    });
  }

  /**
   * Has something done with a block, which then stays in memory as it is after the visit.
   *
   * @param began processor seconds when the visit began
   */
  #use(task: Visit, began: number, act: (place: number) => Done): VisitResult {
    const module = this.#module;
    const residents = this.#residents;
    const before = this.#counts();
    module.setSplit(task.split);
    const place = module.placeOf(BigInt(`0x${task.block}`));
    residents.beginWork();
    let isWhole = false;
    const isInMemory = residents.acquire(place);
    try {
      const opening = threadSeconds();
      const opened = this.#open(place, isInMemory, task);
      const loading = threadSeconds() - opening;
      const { letters, kept, saving = 0, ...bytes } = act(place);
      isWhole = true;
      return {
        ...difference(this.#counts(), before),
        letters: letters.map(({ to, demands, answers }) => ({ to, items: demands + answers })),
        ...(kept && { kept }),
        boards: module.boardsHeld(),
        live: module.countNodes(),
        waiting: module.countWaiting(),
        cost: {
          ...opened,
          ...{ loading, working: threadSeconds() - began - loading - saving, saving },
          ...{ lettersRead: 0, lettersWritten: 0, blockWritten: 0, ...bytes },
          blockBytes: residents.saved(place)?.bytes ?? 0,
        },
      };
    } catch (error) {
      throw this.#explained(task.block, error);
    } finally {
      module.clearVisit();
      residents.release(place, isWhole);
      residents.endWork();
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
  #open(
    place: number,
    isInMemory: boolean,
    { block, last }: Visit,
  ): Pick<VisitCost, "isInMemory" | "blockRead"> {
    const module = this.#module;
    const residents = this.#residents;
    this.#current = place;
    if (isInMemory) {
      if (residents.version(place) === last) {
        if (!residents.isSaved(place) && module.isLarge(place, this.#large))
          this.#transfer.write(place);
        this.#isSaved = residents.isSaved(place);
        module.enter(place);
        return { isInMemory: true, blockRead: 0 };
      }
      // Another thread or machine has visited it since, or this task was given to others, too, while
      // its machine was stopped; then others may know only by the file what another visit found.
      if (!residents.isSaved(place)) this.#transfer.write(place);
      module.release(place);
    }
    this.#isSaved = true; // or it is new
    module.begin(place);
    if (last !== undefined) {
      return { isInMemory: false, blockRead: this.#transfer.read(place, block, last) };
    }
    module.beginEmpty();
    residents.setVersion(place, 0);
    residents.setSaved(place, undefined);
    return { isInMemory: false, blockRead: 0 };
  }

  #take({ from, demands, answers, bytes }: Letters & { from: BlockNumber }): void {
    const module = this.#module;
    const sender = module.placeOf(BigInt(`0x${from}`));
    const most = Math.floor(this.#stageBytes / LETTER_BYTES);
    for (let first = 0; first < demands + answers; ) {
      const isDemand = first < demands;
      const count = Math.min(most, (isDemand ? demands : demands + answers) - first);
      const at = LETTER_BYTES * first;
      this.#bytes.set(bytes.subarray(at, at + LETTER_BYTES * count), this.#stageIn);
      if (isDemand) module.takeDemands(this.#stageIn, count, sender);
      else module.takeAnswers(this.#stageIn, count);
      first += count;
    }
  }

  /**
   * Writes the changes of a block up to a visit, or all of it, if it is in memory in this version
   * and unsaved; otherwise the file exists.
   *
   * @param forgets evicts the block from memory
   * @throws {StoreError} if the file cannot be written
   */
  save(
    block: BlockNumber,
    step: number,
    forgets: boolean,
  ): Pick<VisitCost, "saving" | "blockWritten" | "blockBytes"> {
    const began = threadSeconds();
    let [blockWritten, blockBytes] = [0, 0];
    const place = this.#module.placeOf(BigInt(`0x${block}`));
    const residents = this.#residents;
    residents.beginWork(); // others that find too little memory wait until this block's is free
    const isThere = residents.acquire(place);
    try {
      if (isThere && residents.version(place) === step && !residents.isSaved(place)) {
        blockWritten = this.#transfer.write(place);
      }
      blockBytes = residents.saved(place)?.bytes ?? 0;
    } finally {
      residents.release(place, isThere && !forgets);
      residents.endWork();
    }
    return { saving: threadSeconds() - began, blockWritten, blockBytes };
  }

  /** Evicts a block from memory while another is being visited. */
  #makeRoom(): void {
    this.#module.leave();
    this.#residents.evict((place) => this.#transfer.write(place), this.#isSaved);
    this.#module.enter(this.#current);
  }

  #counts(): VisitCounts {
    const module = this.#module;
    return {
      expanded: Number(module.expandedNodes()),
      lookedAgain: Number(module.nodesLookedAtAgain()),
      looks: Number(module.looksMade()),
    };
  }
}

/** The letters of a visit, and its cost. */
interface Done
  extends Partial<Pick<VisitCost, "saving" | "blockWritten" | "lettersRead" | "lettersWritten">> {
  readonly letters: readonly Letters[];
  /** The letters, if no file has them. */
  readonly kept?: readonly Letters[];
}

function difference(a: VisitCounts, b: VisitCounts): VisitCounts {
  return {
    expanded: a.expanded - b.expanded,
    lookedAgain: a.lookedAgain - b.lookedAgain,
    looks: a.looks - b.looks,
  };
}

import type { Game } from "@gridlock/game";
import { Thread, Threads } from "@gridlock/store";
import type { Letters } from "./block-file.js";
import { type BlockMemory, makeBlockMemory, Residents } from "./block-memory.js";
import type { BlockNumber } from "./blocks.js";
import { instantiate, type LayerExports } from "./module.js";
import type { Remainder, StepOutcome, Visit, VisitOutcome } from "./visits.js";

/** Data of a thread that visits blocks. */
export interface VisitWorkerData {
  readonly game: Game;
  readonly folder: string;
  readonly blocks: BlockMemory;
  readonly thread: number;
}

/** A block after a visit. */
export interface BlockVersion {
  readonly block: BlockNumber;
  readonly step: number;
}

/** A request to a thread: to visit a block, to save a block, or both; or to write letters. */
export interface VisitRequest {
  readonly visit?: Visit;
  /** Leaves the letters in memory, unless they are long. */
  readonly keepsLetters?: boolean;
  readonly save?: BlockVersion;
  /** Letters to write, by the names of their files. */
  readonly letters?: ReadonlyMap<string, readonly Letters[]>;
  /** Evicts the saved block from memory. */
  readonly forgets?: boolean;
}

/** A place where blocks are visited: threads of this machine, or other machines. */
export interface VisitPort {
  /** Visits blocks, each once; returns the results in the order of the visits. */
  visit(visits: readonly Visit[]): Promise<readonly VisitOutcome[]>;
  /**
   * Has the visits of the next steps made by one machine, in memory, when little of a round is left;
   * returns undefined if nothing was done, since that is not possible or saves no time.
   */
  workOff(remainder: Remainder): Promise<readonly StepOutcome[] | undefined>;
  /** Writes the files of blocks that are only in memory. */
  save(blocks: readonly BlockVersion[]): Promise<void>;
  /** Waits until the proof's folder is accessible; returns whether it was not. */
  awaitFolder(): Promise<boolean>;
}

export interface CrewOptions {
  readonly threads: number;
  /** Memory for the blocks. */
  readonly bytes: number;
  /**
   * Writes the file of a block, and all letters, after each visit, for other machines; but not in
   * remainders, whose files are written at the end.
   */
  readonly savesAll?: boolean;
  /** With `savesAll`: keeps no block in memory, so that each visit reads its file. */
  readonly forgetsAll?: boolean;
}

/** Visits blocks with this machine's threads. */
export class VisitCrew implements VisitPort, AsyncDisposable {
  readonly #threads: Threads<VisitRequest, VisitOutcome | undefined>;
  readonly #module: LayerExports;
  readonly #residents: Residents;
  readonly #savesAll: boolean;
  readonly #forgetsAll: boolean;

  constructor(game: Game, folder: string, options: CrewOptions) {
    const { threads, bytes, savesAll = false, forgetsAll = false } = options;
    this.#savesAll = savesAll;
    this.#forgetsAll = forgetsAll;
    const blocks = makeBlockMemory(game, threads, bytes);
    this.#module = instantiate(game, blocks.memory);
    this.#residents = new Residents(this.#module, blocks);
    this.#threads = new Threads(threads, (thread) => {
      const workerData: VisitWorkerData = { game, folder, blocks, thread };
      return new Thread(new URL("./visit-worker.js", import.meta.url), {
        name: "a thread that visits layers",
        workerData,
      });
    });
  }

  async visit(
    visits: readonly Visit[],
    savesAll = this.#savesAll,
  ): Promise<readonly VisitOutcome[]> {
    const forgets = this.#forgetsAll;
    const order = this.#inMemoryFirst(visits);
    const outcomes = await this.#threads.askAll(
      order.map((visit) =>
        savesAll ? { visit, save: visit, forgets } : { visit, keepsLetters: true },
      ),
    );
    const results = new Map(order.map((visit, i) => [visit, outcomes[i] as VisitOutcome]));
    return visits.map((visit) => results.get(visit) as VisitOutcome);
  }

  /**
   * Orders visits so that the blocks in memory are visited before others need their room. When the
   * blocks take turns and do not all fit, some stay in memory from step to step.
   */
  #inMemoryFirst(visits: readonly Visit[]): Visit[] {
    const isAbsent = new Map(
      visits.map((visit) => {
        const place = this.#module.placeOf(BigInt(`0x${visit.block}`));
        this.#residents.setDue(place, visit.step);
        return [visit, !this.#residents.isInMemory(place)];
      }),
    );
    return [...visits].sort((a, b) => Number(isAbsent.get(a)) - Number(isAbsent.get(b)));
  }

  async save(blocks: readonly BlockVersion[]): Promise<void> {
    await this.#threads.askAll(blocks.map((save) => ({ save })));
  }

  /** Writes letters, by the names of their files. */
  async writeLetters(letters: ReadonlyMap<string, readonly Letters[]>): Promise<void> {
    await this.#threads.askAll([{ letters }]);
  }

  /** Does nothing: the threads share a memory, so the visits of small steps cost them little. */
  async workOff(): Promise<undefined> {}

  /** Returns at once: if a folder of this machine becomes inaccessible, the solve fails. */
  async awaitFolder(): Promise<boolean> {
    return false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }
}

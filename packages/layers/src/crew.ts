import type { Game } from "@gridlock/game";
import { Thread, Threads } from "@gridlock/store";
import { type BlockMemory, makeBlockMemory } from "./block-memory.js";
import type { BlockNumber } from "./blocks.js";
import type { Visit, VisitOutcome } from "./visits.js";

/** A proof whose blocks are visited. */
export interface VisitedProof {
  readonly folder: string;
  /** The number of blocks into which a hash splits one. */
  readonly split: number;
}

/** Data of a thread that visits blocks. */
export interface VisitWorkerData {
  readonly game: Game;
  readonly proof: VisitedProof;
  readonly blocks: BlockMemory;
  readonly thread: number;
}

/** A block after a visit. */
export interface BlockVersion {
  readonly block: BlockNumber;
  readonly step: number;
}

/** A request to a thread: to visit a block, or to save one. */
export type VisitRequest = { readonly visit: Visit } | { readonly save: BlockVersion };

/** Options of a crew that visits blocks. */
export interface CrewOptions {
  readonly threads: number;
  /** Memory for the blocks. */
  readonly bytes: number;
}

/** Visits blocks with threads that share a memory. */
export class VisitCrew implements AsyncDisposable {
  readonly #threads: Threads<VisitRequest, VisitOutcome | undefined>;

  constructor(game: Game, { folder, split }: VisitedProof, { threads, bytes }: CrewOptions) {
    const blocks = makeBlockMemory(game, threads, bytes);
    this.#threads = new Threads(threads, (thread) => {
      const workerData: VisitWorkerData = { game, proof: { folder, split }, blocks, thread };
      return new Thread(new URL("./visit-worker.js", import.meta.url), {
        name: "a thread that visits layers",
        workerData,
      });
    });
  }

  /** Visits blocks, each once; returns the results in the order of the visits. */
  async visit(visits: readonly Visit[]): Promise<readonly VisitOutcome[]> {
    const outcomes = await this.#threads.askAll(visits.map((visit) => ({ visit })));
    return outcomes as VisitOutcome[];
  }

  /** Writes the files of blocks that are only in memory. */
  async save(blocks: readonly BlockVersion[]): Promise<void> {
    await this.#threads.askAll(blocks.map((save) => ({ save })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }
}

import type { Game } from "@gridlock/game";
import { Thread, Threads } from "@gridlock/store";
import { type BlockMemory, makeBlockMemory } from "./block-memory.js";
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
export type BlockVersion = Pick<Visit, "block" | "step">;

/** A request to a thread: to save a block, or to visit one, unless that finds too little memory. */
export type VisitRequest =
  | { readonly save: BlockVersion }
  | { readonly visit: Visit; readonly mayGiveUp: boolean };

/** Options of a crew that visits blocks. */
export interface CrewOptions {
  readonly threads: number;
  /** Memory for the blocks. */
  readonly bytes: number;
}

/** Visits blocks with threads that share a memory. */
export class VisitCrew extends Threads<VisitRequest, VisitOutcome | undefined> {
  constructor(game: Game, { folder, split }: VisitedProof, { threads, bytes }: CrewOptions) {
    const blocks = makeBlockMemory(game, threads, bytes);
    super(threads, (thread) => {
      const workerData: VisitWorkerData = { game, proof: { folder, split }, blocks, thread };
      return new Thread(new URL("./visit-worker.js", import.meta.url), {
        name: "a thread that visits layers",
        workerData,
      });
    });
  }

  /** Visits blocks, each once; returns the results in the order of the visits. */
  async visit(visits: readonly Visit[]): Promise<readonly VisitOutcome[]> {
    const outcomes = await this.askAll(visits.map((visit) => ({ visit, mayGiveUp: true })));
    for (const [i, visit] of visits.entries()) {
      // Alone, it has all memory, and its block is read into consecutive pages.
      outcomes[i] ??= await this.ask({ visit, mayGiveUp: false });
    }
    return outcomes as VisitOutcome[];
  }

  /** Writes the files of blocks that are only in memory. */
  async save(blocks: readonly BlockVersion[]): Promise<void> {
    await this.askAll(blocks.map((save) => ({ save })));
  }
}

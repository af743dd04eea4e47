import type { Game } from "@gridlock/game";
import { Thread, Threads } from "@gridlock/store";
import { type BlockMemory, makeBlockMemory, Residents } from "./block-memory.js";
import type { BlockNumber } from "./blocks.js";
import { instantiate, type LayerExports } from "./module.js";
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
  readonly #module: LayerExports;
  readonly #residents: Residents;

  constructor(game: Game, { folder, split }: VisitedProof, { threads, bytes }: CrewOptions) {
    const blocks = makeBlockMemory(game, threads, bytes);
    this.#module = instantiate(game, blocks.memory);
    this.#residents = new Residents(this.#module, blocks);
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
    const order = this.#inMemoryFirst(visits);
    const outcomes = await this.#threads.askAll(order.map((visit) => ({ visit })));
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

  /** Writes the files of blocks that are only in memory. */
  async save(blocks: readonly BlockVersion[]): Promise<void> {
    await this.#threads.askAll(blocks.map((save) => ({ save })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }
}

import type { BlockNumber, VisitOutcome } from "@gridlock/layers";

/**
 * Boards of a block, for each worker, from which it is worth waiting for the worker that has it in
 * memory. Reading takes some 25 ns a board; a worker leaves a task to others for a few
 * milliseconds, and the more workers there are, the less likely is it that the right one takes it.
 */
const BOARDS_EACH = 200_000;

/** The workers that visited blocks last, and may still have them in memory. */
export class Holders {
  readonly #last = new Map<BlockNumber, { readonly worker: string; readonly boards: number }>();

  /** Records a visit; `worker` is undefined if this machine made it. */
  visited(block: BlockNumber, worker: string | undefined, outcome: VisitOutcome): void {
    if (worker === undefined || "damaged" in outcome) this.#last.delete(block);
    else this.#last.set(block, { worker, boards: outcome.boards });
  }

  /** Returns the worker that should visit a block, if it is worth waiting for. */
  of(block: BlockNumber, workers: readonly string[]): string | undefined {
    const last = this.#last.get(block);
    if (last === undefined || workers.length < 2 || !workers.includes(last.worker))
      return undefined;
    return last.boards >= BOARDS_EACH * workers.length ? last.worker : undefined;
  }
}

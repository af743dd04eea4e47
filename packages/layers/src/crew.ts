import type { Game } from "@gridlock/game";
import { Thread } from "@gridlock/store";
import type { VisitOutcome, VisitTask } from "./visits.js";

export interface VisitWorkerData {
  readonly game: Game;
  readonly folder: string;
  /** Memory of the thread's tables. */
  readonly bytes: number;
}

/** Visits blocks, wherever the processors for it are. */
export interface VisitPort {
  /** Visits blocks that do not depend on each other; returns the results in the order of the tasks. */
  visit(tasks: readonly VisitTask[]): Promise<readonly VisitOutcome[]>;
}

/** Visits blocks with threads of this machine. */
export class VisitCrew implements VisitPort, AsyncDisposable {
  readonly #threads: Thread<VisitTask, VisitOutcome>[];

  /** @param bytes memory for the tables of all threads */
  constructor(game: Game, folder: string, { threads, bytes }: { threads: number; bytes: number }) {
    const workerData: VisitWorkerData = { game, folder, bytes: Math.floor(bytes / threads) };
    this.#threads = Array.from(
      { length: threads },
      () =>
        new Thread(new URL("./visit-worker.js", import.meta.url), {
          name: "a thread that visits layers",
          workerData,
        }),
    );
  }

  async visit(tasks: readonly VisitTask[]): Promise<readonly VisitOutcome[]> {
    const results: VisitOutcome[] = [];
    let next = 0;
    await Promise.all(
      this.#threads.map(async (thread) => {
        while (next < tasks.length) {
          const index = next++;
          results[index] = await thread.ask(tasks[index] as VisitTask);
        }
      }),
    );
    return results;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread[Symbol.asyncDispose]()));
  }
}

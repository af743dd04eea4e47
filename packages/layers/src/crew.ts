import type { Game } from "@gridlock/game";
import { Thread } from "@gridlock/store";
import type { VisitResult, VisitTask } from "./visitor.js";

export interface VisitWorkerData {
  readonly game: Game;
  readonly folder: string;
  /** Memory of the thread's tables. */
  readonly bytes: number;
}

/** Visits parts, wherever the processors for it are. */
export interface VisitPort {
  /**
   * Visits parts that do not depend on each other; returns the results in the order of the tasks.
   *
   * @throws {DamagedFile} if a file that a task needs is missing or damaged
   */
  visit(tasks: readonly VisitTask[]): Promise<readonly VisitResult[]>;
}

/** Visits parts with threads of this machine. */
export class VisitCrew implements VisitPort, AsyncDisposable {
  readonly #threads: Thread<VisitTask, VisitResult>[];

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

  async visit(tasks: readonly VisitTask[]): Promise<readonly VisitResult[]> {
    const results: VisitResult[] = [];
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

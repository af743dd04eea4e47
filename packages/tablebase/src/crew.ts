import { Worker } from "node:worker_threads";
import type { Arena } from "./arena.js";

/** A layer's list of positions, to be worked on by all threads of a crew together. */
export interface Step {
  readonly kind: "expand" | "value" | "survey";
  readonly list: number;
  readonly count: number;
  /** The table of the positions that follow a 2. */
  readonly near: number;
}

/** What a thread of a crew is told. */
export type CrewTask = { readonly arena: Arena } | Step;

/** Threads that take the steps of a sweep together. */
export class Crew {
  readonly #workers: readonly Worker[];

  constructor(threads: number) {
    this.#workers = Array.from(
      { length: threads },
      () => new Worker(new URL("./sweep-worker.js", import.meta.url)),
    );
    for (const worker of this.#workers) worker.setMaxListeners(0);
  }

  /** Has all threads work on an arena from now on. */
  async enter(arena: Arena): Promise<void> {
    await this.#all({ arena });
  }

  /** Has all threads take a step; resolves when they have. */
  async take(step: Step): Promise<void> {
    await this.#all(step);
  }

  async #all(task: CrewTask): Promise<void> {
    await Promise.all(this.#workers.map((worker) => done(worker, task)));
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Resolves when a thread has done a task. */
function done(worker: Worker, task: CrewTask): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void) => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      action();
    };
    const onMessage = () => settle(resolve);
    const onError = (error: Error) =>
      settle(() =>
        reject(new Error(`a thread of the sweep failed: ${error.message}`, { cause: error })),
      );
    const onExit = () =>
      settle(() => reject(new Error("a thread of the sweep ended before its work did")));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(task);
  });
}

import { StoreError, Thread } from "@gridlock/store";
import type { Arena } from "./arena.js";

/** A step of a sweep: all threads of a crew process a layer's list of positions together. */
export interface Step {
  readonly kind: "expand" | "value" | "survey";
  readonly list: number;
  readonly count: number;
  /** Table of the positions that follow when a 2 is placed. */
  readonly near: number;
}

/** A task for one thread: attach to an arena, or take a step in it. */
export type CrewTask = { readonly arena: Arena } | Step;

/** Threads that take the steps of a sweep together. */
export class Crew implements AsyncDisposable {
  readonly #threads: Thread<CrewTask, void>[] = [];
  #failure: Error | undefined;

  private constructor() {}

  /** Starts threads attached to an arena; leaves no thread running if one cannot start. */
  static async start(threads: number, arena: Arena): Promise<Crew> {
    const crew = new Crew();
    try {
      while (crew.#threads.length < threads) crew.#threads.push(crew.#startThread());
      await crew.enter(arena);
      return crew;
    } catch (error) {
      await crew[Symbol.asyncDispose]();
      throw error;
    }
  }

  #startThread(): Thread<CrewTask, void> {
    return new Thread(new URL("./sweep-worker.js", import.meta.url), {
      name: "a thread of the sweep",
      onFailure: (cause) => {
        const other = () => new Error(`a thread of the sweep failed: ${cause.message}`, { cause });
        this.#failure ??= cause instanceof StoreError ? cause : other();
      },
    });
  }

  /** Attaches all threads to an arena. */
  async enter(arena: Arena): Promise<void> {
    await this.#all({ arena });
  }

  /**
   * Runs a step on all threads; resolves when all have finished. After a failure, all steps fail.
   */
  async take(step: Step): Promise<void> {
    await this.#all(step);
  }

  async #all(task: CrewTask): Promise<void> {
    if (this.#failure) throw this.#failure;
    try {
      await Promise.all(this.#threads.map((thread) => thread.ask(task)));
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  /** Terminates all threads, even during a task. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread[Symbol.asyncDispose]()));
  }
}

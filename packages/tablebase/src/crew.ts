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

/** A task of one thread: to work on an arena from now on, or to take a step there. */
export type CrewTask = { readonly arena: Arena } | Step;

/** Threads that take the steps of a sweep together. */
export class Crew implements AsyncDisposable {
  readonly #threads: CrewThread[] = [];

  private constructor() {}

  /** Starts threads that work on an arena; leaves none running if one cannot start. */
  static async start(threads: number, arena: Arena): Promise<Crew> {
    const crew = new Crew();
    try {
      while (crew.#threads.length < threads) crew.#threads.push(new CrewThread());
      await crew.enter(arena);
      return crew;
    } catch (error) {
      await crew[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Makes all threads work on an arena from now on. */
  async enter(arena: Arena): Promise<void> {
    await this.#all({ arena });
  }

  /** Makes all threads take a step; resolves when they have. */
  async take(step: Step): Promise<void> {
    await this.#all(step);
  }

  async #all(task: CrewTask): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.run(task)));
  }

  /** Ends all threads, in the middle of a task too. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread[Symbol.asyncDispose]()));
  }
}

/** A thread that does one task at a time. Once it has failed, all further tasks fail at once. */
class CrewThread implements AsyncDisposable {
  readonly #worker = new Worker(new URL("./sweep-worker.js", import.meta.url));
  #waiting: { resolve(): void; reject(error: Error): void } | undefined;
  #failure: Error | undefined;

  constructor() {
    this.#worker.on("message", () => this.#waiting?.resolve());
    this.#worker.on("error", (cause) =>
      this.#fail(new Error(`a thread of the sweep failed: ${cause.message}`, { cause })),
    );
    this.#worker.on("exit", () =>
      this.#fail(new Error("a thread of the sweep ended before its work was done")),
    );
  }

  /** Resolves when the thread has done a task. */
  run(task: CrewTask): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.#failure === undefined) this.#worker.postMessage(task);
      else reject(this.#failure);
    });
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.#waiting?.reject(this.#failure);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

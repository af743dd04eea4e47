import { Worker } from "node:worker_threads";
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
  readonly #threads: CrewThread[] = [];

  private constructor() {}

  /** Starts threads attached to an arena; leaves no thread running if one cannot start. */
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

  /** Attaches all threads to an arena. */
  async enter(arena: Arena): Promise<void> {
    await this.#all({ arena });
  }

  /** Has all threads take a step; resolves when all have finished. */
  async take(step: Step): Promise<void> {
    await this.#all(step);
  }

  async #all(task: CrewTask): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.run(task)));
  }

  /** Terminates all threads, even during a task. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread[Symbol.asyncDispose]()));
  }
}

/** A thread that does one task at a time. After a failure, all further tasks fail immediately. */
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
      this.#fail(new Error("a thread of the sweep exited before its work was done")),
    );
  }

  /** Runs a task; resolves when the thread has finished it. */
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

import { StoreError } from "./errors.js";
import { Thread } from "./thread.js";
import { startThreads } from "./threads.js";

/** Threads that take each step of some work together. */
export class Crew<Task> implements AsyncDisposable {
  readonly #threads: readonly Thread<Task, void>[];
  #failure: Error | undefined;

  /**
   * Starts threads that run a module, which must call `answerRequests`.
   *
   * @param name of a thread in errors, for instance `a thread of the sweep`
   * @throws as {@link Thread}'s constructor does
   */
  constructor(count: number, name: string, module: URL) {
    const onFailure = (cause: Error) => {
      const other = () => new Error(`${name} failed: ${cause.message}`, { cause });
      this.#failure ??= cause instanceof StoreError ? cause : other();
    };
    this.#threads = startThreads(count, () => new Thread(module, { name, onFailure }));
  }

  /**
   * Gives each thread its task; resolves when all threads have finished. After a failure all tasks
   * fail, without waiting for other threads.
   *
   * @param taskOf returns the task of the thread with this number
   */
  async all(taskOf: (thread: number) => Task): Promise<void> {
    if (this.#failure) throw this.#failure;
    try {
      await Promise.all(this.#threads.map((thread, number) => thread.ask(taskOf(number))));
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  /** Terminates all threads, even during a task. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread[Symbol.asyncDispose]()));
  }
}

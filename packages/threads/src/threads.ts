import { isPassed, Thread } from "./thread.js";

/** Threads that share requests: each request goes to the next idle thread. */
export class Threads<Request, Reply, Notice = never> implements AsyncDisposable {
  readonly #threads: readonly Thread<Request, Reply, Notice>[];
  readonly #idle: Thread<Request, Reply, Notice>[];
  /** Called with a thread that has become idle, the longest waiting first. */
  readonly #waiting: ((thread: Thread<Request, Reply, Notice>) => void)[] = [];

  /** Starts threads as {@link startThreads} does. */
  constructor(count: number, start: (number: number) => Thread<Request, Reply, Notice>) {
    this.#threads = startThreads(count, start);
    this.#idle = [...this.#threads];
  }

  /**
   * Posts a request as soon as a thread is idle, and waits for the reply.
   *
   * @throws the signal's reason if it is aborted before a thread is idle
   * @throws as {@link Thread.ask} does
   */
  async ask(request: Request, signal?: AbortSignal): Promise<Reply> {
    const thread =
      this.#idle.shift() ??
      (await new Promise<Thread<Request, Reply, Notice>>((resolve) => {
        this.#waiting.push(resolve);
      }));
    try {
      signal?.throwIfAborted();
      return await thread.ask(request);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(thread);
      else this.#idle.push(thread);
    }
  }

  /** Posts requests in their order; returns the replies in the same order. */
  async askAll(requests: readonly Request[], signal?: AbortSignal): Promise<Reply[]> {
    return await Promise.all(requests.map((request) => this.ask(request, signal)));
  }

  /** Stops all threads, whatever they are doing. Requests under way fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread[Symbol.asyncDispose]()));
  }
}

/** Threads that take each step of some work together. */
export class Crew<Task> extends Threads<Task, void> {
  readonly #count: number;
  readonly #name: string;

  /**
   * Starts threads that run a module, which must call `answerRequests`.
   *
   * @param name of a thread in errors, for instance `a thread of the sweep`
   * @throws as {@link Thread}'s constructor does
   */
  constructor(count: number, name: string, module: URL) {
    super(count, () => new Thread(module, { name }));
    this.#count = count;
    this.#name = name;
  }

  /**
   * Gives each thread a task; resolves when all threads have finished. After a failure all tasks
   * fail, without waiting for other threads.
   *
   * @param taskOf returns the task with this number
   */
  async all(taskOf: (number: number) => Task): Promise<void> {
    try {
      await this.askAll(Array.from({ length: this.#count }, (_, number) => taskOf(number)));
    } catch (cause) {
      if (isPassed(cause)) throw cause;
      throw new Error(`${this.#name} failed: ${(cause as Error).message}`, { cause });
    }
  }
}

/**
 * Starts threads, numbered from 0; if one cannot be started, stops the others.
 *
 * @throws as {@link Thread}'s constructor does
 */
export function startThreads<T extends AsyncDisposable>(
  count: number,
  start: (number: number) => T,
): T[] {
  const threads: T[] = [];
  try {
    for (let number = 0; number < count; number++) threads.push(start(number));
    return threads;
  } catch (error) {
    for (const thread of threads) void thread[Symbol.asyncDispose]();
    throw error;
  }
}

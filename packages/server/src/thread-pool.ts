import { orAborted } from "@gridlock/threads";
import { Problem } from "./problem.js";

/** Seconds after which a client that was refused may try again. */
const RETRY_SECONDS = 2;

/** Options of a pool of threads. */
export interface ThreadPoolOptions<Thread, Request, Reply> {
  /** The work of its threads as errors name it: `a search`. */
  readonly name: string;
  /** Most threads, and most jobs that wait for one. */
  readonly threads: number;
  readonly waiting: number;
  /** Starts a thread, whose disposal saves its work. */
  start(): Thread;
  /**
   * Does a job.
   *
   * @param signal aborts when nobody waits for the reply any more: the thread stops the job, or
   *   ends
   */
  run(thread: Thread, request: Request, signal: AbortSignal): Promise<Reply>;
}

interface Job<Request, Reply> {
  readonly key: string;
  readonly request: Request;
  readonly signal: AbortSignal;
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

/** A thread, which does the jobs of one key. */
interface Slot<Thread> {
  readonly key: string;
  readonly thread: Thread;
  /** The signal of the current job; `undefined` if the thread is idle. */
  signal: AbortSignal | undefined;
  used: number;
}

/**
 * A small number of threads that do jobs. Each thread keeps what the jobs of one key need, such as
 * the table of one game; the thread that was idle longest makes room for another key, so that
 * memory is bounded.
 */
export class ThreadPool<Thread extends AsyncDisposable, Request, Reply> implements AsyncDisposable {
  readonly #options: ThreadPoolOptions<Thread, Request, Reply>;
  readonly #slots = new Set<Slot<Thread>>();
  /** Jobs that wait for a thread, and some that were abandoned meanwhile. */
  readonly #waiting: Job<Request, Reply>[] = [];
  readonly #ending = new Set<Promise<void>>();
  #closed = false;

  constructor(options: ThreadPoolOptions<Thread, Request, Reply>) {
    this.#options = options;
  }

  /** Number of jobs under way, and of those that wait for a thread. */
  get counts(): { readonly running: number; readonly waiting: number } {
    const running = [...this.#slots].filter(({ signal }) => signal).length;
    const waiting = this.#waiting.filter(({ signal }) => !signal.aborted).length;
    return { running, waiting };
  }

  /**
   * Does a job in a thread, and returns its result.
   *
   * @param signal ends it
   * @throws {Problem} 429 when too many jobs are waiting, 503 when the server is stopping
   * @throws the signal's reason when it aborts
   */
  async run(key: string, request: Request, signal: AbortSignal): Promise<Reply> {
    if (this.#closed) throw stopping();
    signal.throwIfAborted();
    const { waiting, name } = this.#options;
    if (this.counts.waiting >= waiting && !this.#hasRoom()) {
      const sentence = `${waiting} requests are waiting for ${name} already; try again later`;
      throw new Problem(429, sentence, { retryAfter: RETRY_SECONDS });
    }
    const reply = new Promise<Reply>((resolve, reject) => {
      this.#waiting.push({ key, request, signal, resolve, reject });
    });
    this.#dispatch();
    return await orAborted(reply, signal);
  }

  #hasRoom(): boolean {
    return this.counts.running < this.#options.threads;
  }

  /** Gives waiting jobs to threads as long as there are both. */
  #dispatch(): void {
    for (const job of this.#waiting.splice(0)) {
      if (job.signal.aborted) continue;
      if (!this.#hasRoom() || this.#isBeingFreed(job.key)) {
        this.#waiting.push(job);
        continue;
      }
      try {
        void this.#do(this.#slotFor(job.key), job);
      } catch (error) {
        job.reject(error);
      }
    }
  }

  /**
   * Returns whether the only threads of a key are about to stop jobs that nobody waits for any
   * more. Its next job waits for them, since another thread would have to begin without their work.
   */
  #isBeingFreed(key: string): boolean {
    const own = [...this.#slots].filter((slot) => slot.key === key);
    return own.every(({ signal }) => signal) && own.some(({ signal }) => signal?.aborted);
  }

  /** Returns an idle thread of a key, or a new one in place of the one that was idle longest. */
  #slotFor(key: string): Slot<Thread> {
    const idle = [...this.#slots].filter(({ signal }) => !signal);
    const own = idle.find((slot) => slot.key === key);
    if (own) return own;
    const [oldest] = idle.sort((a, b) => a.used - b.used);
    if (oldest && this.#slots.size >= this.#options.threads) this.#end(oldest);
    const slot = { key, thread: this.#options.start(), signal: undefined, used: 0 };
    this.#slots.add(slot);
    return slot;
  }

  async #do(slot: Slot<Thread>, { request, signal, ...job }: Job<Request, Reply>): Promise<void> {
    slot.signal = signal;
    try {
      job.resolve(await this.#options.run(slot.thread, request, signal));
    } catch (error) {
      this.#end(slot);
      job.reject(this.#closed ? stopping() : error);
    } finally {
      slot.signal = undefined;
      slot.used = performance.now();
      if (!this.#closed) this.#dispatch();
    }
  }

  #end(slot: Slot<Thread>): void {
    this.#slots.delete(slot);
    const ended = Promise.resolve(slot.thread[Symbol.asyncDispose]()).catch(() => {}); // it had failed
    this.#ending.add(ended);
    void ended.then(() => this.#ending.delete(ended));
  }

  /** Refuses waiting jobs, and ends the threads once they have saved their work. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) job.reject(stopping());
    for (const slot of this.#slots) this.#end(slot);
    await Promise.all(this.#ending);
  }
}

function stopping(): Problem {
  return new Problem(503, "the server is stopping", { retryAfter: RETRY_SECONDS });
}

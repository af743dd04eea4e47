import { setTimeout as sleep } from "node:timers/promises";
import { Thread, type ThreadOptions } from "@gridlock/store";
import { Problem } from "./problem.js";

/** Milliseconds that a thread has to save its work when it is replaced or the server stops. */
const END_MS = 700;
/** Seconds after which a client that was refused may try again. */
const RETRY_SECONDS = 2;

/** A message to a thread: a request with its number, or to save its work because it is about to end. */
export type Asked<Request> = { readonly number: number; readonly request: Request } | "end";

/** The data that a thread begins with. */
export interface Begun<Data> {
  readonly data: Data;
  /** Holds the number of the last request that nobody waits for any more. */
  readonly stopped: Int32Array;
}

/** Options of a pool of threads. */
export interface ThreadPoolOptions<Request, Data> {
  /** The threads' name in errors. */
  readonly name: string;
  readonly module: URL;
  /** Most threads, and most jobs that wait for one. */
  readonly threads: number;
  readonly waiting: number;
  /** Returns the data of a thread that does the jobs of a request's key. */
  dataOf(request: Request): Data;
  /** The end of an abandoned job: the thread polls `stopped` and stops it, or is ended itself. */
  readonly stopping: "asks" | "ends";
  readonly resourceLimits?: ThreadOptions<string>["resourceLimits"];
  onNotice(text: string): void;
}

interface Job<Request, Reply> {
  readonly key: string;
  readonly request: Request;
  readonly signal: AbortSignal;
  resolve(reply: Reply): void;
  reject(error: unknown): void;
  /** Called when the signal aborts while the job is waiting. */
  forget(): void;
}

/** A thread, which does the jobs of one key. */
interface Slot<Request, Reply> {
  readonly key: string;
  readonly thread: Thread<Asked<Request>, Reply, string>;
  readonly stopped: Int32Array;
  busy: boolean;
  number: number;
  used: number;
}

/**
 * A small number of threads that do jobs. Each thread keeps what the jobs of one key need, such as the table of one
 * game; the thread that was idle longest makes room for another key, so that memory is bounded.
 */
export class ThreadPool<Request, Reply, Data> implements AsyncDisposable {
  readonly #options: ThreadPoolOptions<Request, Data>;
  readonly #slots = new Set<Slot<Request, Reply>>();
  readonly #waiting: Job<Request, Reply>[] = [];
  readonly #ending = new Set<Promise<void>>();
  #closed = false;

  constructor(options: ThreadPoolOptions<Request, Data>) {
    this.#options = options;
  }

  /** Number of jobs under way, and of those that wait for a thread. */
  get counts(): { readonly running: number; readonly waiting: number } {
    const running = [...this.#slots].filter(({ busy }) => busy).length;
    return { running, waiting: this.#waiting.length };
  }

  /**
   * Does a job in a thread, and returns its result.
   *
   * @param signal ends it
   * @throws {Problem} 429 when too many jobs are waiting, 503 when the server is stopping
   * @throws the signal's reason when it aborts
   */
  run(key: string, request: Request, signal: AbortSignal): Promise<Reply> {
    if (this.#closed) return Promise.reject(stopping());
    if (signal.aborted) return Promise.reject(signal.reason);
    const { waiting, name } = this.#options;
    if (this.#waiting.length >= waiting && !this.#hasRoom()) {
      const sentence = `${waiting} requests are waiting for ${name} already; try again later`;
      return Promise.reject(new Problem(429, sentence, { retryAfter: RETRY_SECONDS }));
    }
    return new Promise((resolve, reject) => {
      const forget = () => {
        this.#waiting.splice(this.#waiting.indexOf(job), 1);
        reject(signal.reason);
      };
      const job: Job<Request, Reply> = { key, request, signal, resolve, reject, forget };
      this.#waiting.push(job);
      signal.addEventListener("abort", forget);
      this.#dispatch();
    });
  }

  #hasRoom(): boolean {
    return this.counts.running < this.#options.threads;
  }

  /** Returns an idle thread, one of this key if there is any, or else the one that was idle longest. */
  #idle(key: string): Slot<Request, Reply> | undefined {
    const idle = [...this.#slots].filter(({ busy }) => !busy);
    return idle.find((slot) => slot.key === key) ?? idle.sort((a, b) => a.used - b.used)[0];
  }

  /** Gives waiting jobs to threads as long as there are both. */
  #dispatch(): void {
    while (this.#hasRoom()) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      job.signal.removeEventListener("abort", job.forget);
      let slot = this.#idle(job.key);
      const isFull = this.#slots.size >= this.#options.threads;
      if (slot && slot.key !== job.key && isFull) this.#end(slot);
      try {
        if (slot?.key !== job.key) slot = this.#begin(job);
      } catch (error) {
        job.reject(error);
        continue;
      }
      void this.#do(slot, job);
    }
  }

  #begin({ key, request }: Job<Request, Reply>): Slot<Request, Reply> {
    const { name, module, dataOf, onNotice, resourceLimits } = this.#options;
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const workerData: Begun<Data> = { data: dataOf(request), stopped };
    const thread = new Thread<Asked<Request>, Reply, string>(module, {
      name,
      workerData,
      onNotice,
      ...(resourceLimits && { resourceLimits }),
    });
    const slot = { key, thread, stopped, busy: false, number: 0, used: 0 };
    this.#slots.add(slot);
    return slot;
  }

  async #do(slot: Slot<Request, Reply>, job: Job<Request, Reply>): Promise<void> {
    const { signal } = job;
    const number = ++slot.number;
    slot.busy = true;
    const stop = () => {
      if (this.#options.stopping === "asks") Atomics.store(slot.stopped, 0, number);
      else void this.#drop(slot);
      job.reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      job.resolve(await slot.thread.ask({ number, request: job.request }));
    } catch (error) {
      await this.#drop(slot);
      job.reject(signal.aborted ? signal.reason : this.#closed ? stopping() : error);
    } finally {
      signal.removeEventListener("abort", stop);
      slot.busy = false;
      slot.used = performance.now();
      if (!this.#closed) this.#dispatch();
    }
  }

  /** Ends a thread at once. */
  async #drop(slot: Slot<Request, Reply>): Promise<void> {
    this.#slots.delete(slot);
    await slot.thread[Symbol.asyncDispose]();
  }

  /** Ends an idle thread after it has saved its work, or when that takes too long. */
  #end(slot: Slot<Request, Reply>): void {
    this.#slots.delete(slot);
    const saved = slot.thread.ask("end").catch(() => {});
    const ended = Promise.race([saved, sleep(END_MS, undefined, { ref: false })])
      .then(() => slot.thread[Symbol.asyncDispose]())
      .finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Refuses waiting jobs, stops those under way, and ends the threads once they have saved their work. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) {
      job.signal.removeEventListener("abort", job.forget);
      job.reject(stopping());
    }
    for (const slot of this.#slots) {
      if (slot.busy && this.#options.stopping === "ends") await this.#drop(slot);
      else if (slot.busy) Atomics.store(slot.stopped, 0, slot.number);
    }
    const deadline = performance.now() + END_MS;
    while (this.counts.running > 0 && performance.now() < deadline) await sleep(10);
    for (const slot of this.#slots) if (slot.busy) await this.#drop(slot);
    for (const slot of [...this.#slots]) this.#end(slot);
    await Promise.all(this.#ending);
  }
}

function stopping(): Problem {
  return new Problem(503, "the server is stopping", { retryAfter: RETRY_SECONDS });
}

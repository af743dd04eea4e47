import { setTimeout as sleep } from "node:timers/promises";
import { orAborted, Thread, type ThreadOptions } from "@gridlock/threads";
import { Problem } from "./problem.js";

/** Milliseconds that a thread has to save its work when it is replaced or the server stops. */
const END_MS = 700;
/** Seconds after which a client that was refused may try again. */
const RETRY_SECONDS = 2;

/** A message to a thread: a request, or to save its work because it is about to end. */
export type Asked<Request> =
  | {
      readonly request: Request;
      /** Holds 1 once nobody waits for the reply any more. */
      readonly stopped: Int32Array;
    }
  | "end";

/** Options of a pool of threads. */
export interface ThreadPoolOptions<Request, Data> {
  /** The threads' name in errors. */
  readonly name: string;
  readonly module: URL;
  /** Most threads, and most jobs that wait for one. */
  readonly threads: number;
  readonly waiting: number;
  /** Returns the data that a thread begins with, which does the jobs of a request's key. */
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
}

/** A thread, which does the jobs of one key. */
interface Slot<Request, Reply> {
  readonly key: string;
  readonly thread: Thread<Asked<Request>, Reply, string>;
  /** Set to 1 to stop the current job; `undefined` if the thread is idle. */
  stopped: Int32Array | undefined;
  used: number;
}

/**
 * A small number of threads that do jobs. Each thread keeps what the jobs of one key need, such as the table of one
 * game; the thread that was idle longest makes room for another key, so that memory is bounded.
 */
export class ThreadPool<Request, Reply, Data> implements AsyncDisposable {
  readonly #options: ThreadPoolOptions<Request, Data>;
  readonly #slots = new Set<Slot<Request, Reply>>();
  /** Jobs that wait for a thread, and some that were abandoned meanwhile. */
  readonly #waiting: Job<Request, Reply>[] = [];
  readonly #ending = new Set<Promise<void>>();
  #closed = false;

  constructor(options: ThreadPoolOptions<Request, Data>) {
    this.#options = options;
  }

  /** Number of jobs under way, and of those that wait for a thread. */
  get counts(): { readonly running: number; readonly waiting: number } {
    const running = [...this.#slots].filter(({ stopped }) => stopped).length;
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
        void this.#do(this.#slotFor(job), job);
      } catch (error) {
        job.reject(error);
      }
    }
  }

  /**
   * Returns whether the only threads of a key are about to stop jobs that nobody waits for any more. Its next job waits
   * for them, since another thread would have to begin without their work.
   */
  #isBeingFreed(key: string): boolean {
    const own = [...this.#slots].filter((slot) => slot.key === key);
    const isStopping = ({ stopped }: Slot<Request, Reply>) =>
      stopped !== undefined && Atomics.load(stopped, 0) === 1;
    return own.every(({ stopped }) => stopped) && own.some(isStopping);
  }

  /** Returns an idle thread of the job's key, or a new one in the place of the one that was idle longest. */
  #slotFor(job: Job<Request, Reply>): Slot<Request, Reply> {
    const idle = [...this.#slots].filter(({ stopped }) => !stopped);
    const own = idle.find(({ key }) => key === job.key);
    if (own) return own;
    const [oldest] = idle.sort((a, b) => a.used - b.used);
    if (oldest && this.#slots.size >= this.#options.threads) this.#end(oldest);
    return this.#begin(job);
  }

  #begin({ key, request }: Job<Request, Reply>): Slot<Request, Reply> {
    const { name, module, dataOf, onNotice, resourceLimits } = this.#options;
    const thread = new Thread<Asked<Request>, Reply, string>(module, {
      ...{ name, onNotice, workerData: dataOf(request) },
      ...(resourceLimits && { resourceLimits }),
    });
    const slot = { key, thread, stopped: undefined, used: 0 };
    this.#slots.add(slot);
    return slot;
  }

  async #do(slot: Slot<Request, Reply>, job: Job<Request, Reply>): Promise<void> {
    const { request, signal } = job;
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    slot.stopped = stopped;
    const stop = () => this.#stop(slot);
    signal.addEventListener("abort", stop);
    try {
      job.resolve(await slot.thread.ask({ request, stopped }));
    } catch (error) {
      this.#end(slot);
      job.reject(this.#closed ? stopping() : error);
    } finally {
      signal.removeEventListener("abort", stop);
      slot.stopped = undefined;
      slot.used = performance.now();
      if (!this.#closed) this.#dispatch();
    }
  }

  /** Has a thread stop its job, if it has one, which nobody waits for any more. */
  #stop(slot: Slot<Request, Reply>): void {
    if (slot.stopped === undefined) return;
    if (this.#options.stopping === "asks") Atomics.store(slot.stopped, 0, 1);
    else this.#end(slot);
  }

  /** Ends a thread: at once if it is busy, or else after it has saved its work, unless that takes too long. */
  #end(slot: Slot<Request, Reply>): void {
    this.#slots.delete(slot);
    const saved = slot.stopped ? undefined : slot.thread.ask("end").catch(() => {});
    const ended = Promise.race([saved, sleep(END_MS, undefined, { ref: false })])
      .then(() => slot.thread[Symbol.asyncDispose]())
      .finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Refuses waiting jobs, stops those under way, and ends the threads once they have saved their work. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) job.reject(stopping());
    for (const slot of this.#slots) this.#stop(slot);
    const deadline = performance.now() + END_MS;
    while (this.counts.running > 0 && performance.now() < deadline) await sleep(10);
    for (const slot of this.#slots) this.#end(slot);
    await Promise.all(this.#ending);
  }
}

function stopping(): Problem {
  return new Problem(503, "the server is stopping", { retryAfter: RETRY_SECONDS });
}

import { existsSync } from "node:fs";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { expectRoomForThread } from "./address-space.js";
import { StoreError, type StoreErrorCode } from "./errors.js";

/*
 * Persistent threads. The parent posts one request at a time; the thread (`thread-port.ts`) answers
 * with a reply or an error, and may post notices in between. If a thread ends before the parent
 * closes it, through an error, too little memory or an exit, the request under way and all later
 * ones fail, so that nobody waits for a reply that will never come.
 */

/** A message from a thread to its parent. A structured clone of an error would lose its class and code. */
export type ThreadMessage<Reply, Notice> =
  | { readonly reply: Reply }
  | { readonly notice: Notice }
  | { readonly failed: { readonly code: StoreErrorCode | undefined; readonly message: string } };

/** A thread's name, its limits, and the callbacks that receive its notices and failures. */
export interface ThreadOptions<Notice>
  extends Pick<WorkerOptions, "workerData" | "resourceLimits" | "transferList"> {
  /** The thread's name in errors, for instance `the proving thread`. */
  readonly name: string;
  /** Called once if the thread fails, whether or not a request is under way. */
  onFailure?(error: Error): void;
  onNotice?(notice: Notice): void;
}

/** A worker thread that answers requests, one at a time. */
export class Thread<Request, Reply, Notice = never> implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #options: ThreadOptions<Notice>;
  #waiting: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;
  #failure: Error | undefined;

  /**
   * Starts a thread that runs a module, which must call `answerRequests`.
   *
   * @throws {RangeError} if a limit on address space leaves too little for a thread
   */
  constructor(module: URL, options: ThreadOptions<Notice>) {
    const { name, workerData, resourceLimits, transferList } = options;
    this.#options = options;
    const hasStarted = expectRoomForThread();
    this.#worker = new Worker(bundleOf(module), {
      workerData,
      ...(resourceLimits && { resourceLimits }),
      ...(transferList && { transferList }),
    });
    for (const event of ["online", "error", "exit"]) this.#worker.once(event, hasStarted);
    this.#worker.on("message", (message: ThreadMessage<Reply, Notice>) => this.#take(message));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error(`${name} ended unexpectedly`)));
  }

  /**
   * Posts a request and waits for the reply.
   *
   * @throws {StoreError} if the thread failed with one
   * @throws {Error} if the thread failed otherwise, was closed, or has not answered the last
   *   request
   */
  ask(request: Request): Promise<Reply> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#waiting) return Promise.reject(new Error(`${this.#options.name} is busy`));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(request);
    });
  }

  #take(message: ThreadMessage<Reply, Notice>): void {
    if ("notice" in message) this.#options.onNotice?.(message.notice);
    else if ("failed" in message) {
      const { code, message: text } = message.failed;
      this.#fail(code === undefined ? new Error(text) : new StoreError(code, text));
    } else {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.resolve(message.reply);
    }
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    void this.#end(error);
    this.#options.onFailure?.(error);
  }

  /** Stops the thread, whatever it is doing, and fails the request under way. */
  async #end(error: Error): Promise<void> {
    this.#failure ??= error;
    this.#waiting?.reject(this.#failure);
    this.#waiting = undefined;
    await this.#worker.terminate();
  }

  /** Stops the thread, whatever it is doing. A request under way fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(new Error(`${this.#options.name} was closed`));
  }
}

/** Returns the bundle of a thread's module (`scripts/bundle.js`), which loads faster, or the module if it has none. */
function bundleOf(module: URL): URL {
  const bundle = new URL(module.href.replace(/\.js$/, ".cjs"));
  return existsSync(bundle) ? bundle : module;
}

/** Waits for a promise, or rejects with the signal's reason as soon as it is aborted. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

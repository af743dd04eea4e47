import { existsSync } from "node:fs";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { expectRoomForThread } from "./address-space.js";

/*
 * Persistent threads. The parent posts requests; the thread (`thread-port.ts`) answers each with a
 * reply, and may post notices in between. If a thread ends before the parent closes it, through an
 * error, too little memory or an exit, the requests under way and all later ones fail, so that
 * nobody waits for a reply that will never come.
 */

/** A message from a parent to its thread. */
export interface ThreadRequest<Request> {
  readonly id: number;
  readonly request: Request;
}

/** A message from a thread to its parent. */
export type ThreadMessage<Reply, Notice> =
  | { readonly id: number; readonly reply: Reply }
  | { readonly notice: Notice }
  /** Without a number, the thread itself has failed. */
  | { readonly id: number | undefined; readonly failed: PassedError };

/** An error on its way: a structured clone would lose its class and code. */
interface PassedError {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string;
}

/** The classes of errors that keep their class and code, by name. */
const classes = new Map<string, (code: string, message: string) => Error>();

const ownInstance = Function.prototype[Symbol.hasInstance];

/**
 * Has the errors of a class keep their class and code when a thread fails with them; others become
 * plain errors. From now on `instanceof` goes by the name too: what was passed on may be of another
 * copy of the class's module.
 */
export function passErrors<Code extends string>(
  name: string,
  made: new (code: Code, message: string) => Error,
): void {
  classes.set(name, (code, message) => new made(code as Code, message));
  Object.defineProperty(made, Symbol.hasInstance, {
    value: (error: unknown) =>
      ownInstance.call(made, error) || (error instanceof Error && error.name === name),
  });
}

/** Returns whether an error is of such a class. */
export function isPassed(error: unknown): boolean {
  return classes.has((error as Error).name);
}

function errorOf({ name, code, message }: PassedError): Error {
  const make = code === undefined ? undefined : classes.get(name);
  return make ? make(code as string, message) : new Error(message);
}

/** A thread's name, its limits, and the callbacks that receive its notices and failures. */
export interface ThreadOptions<Notice>
  extends Pick<WorkerOptions, "workerData" | "resourceLimits" | "transferList"> {
  /** The thread's name in errors, for instance `the proving thread`. */
  readonly name: string;
  /** Called once if the thread fails, whether or not a request is under way. */
  onFailure?(error: Error): void;
  onNotice?(notice: Notice): void;
  /**
   * False if the thread does not keep the process running while it has no request (default: true).
   */
  readonly isKept?: boolean;
  /**
   * True if an error of a request is that of the request alone (default: it ends the thread, and
   * fails all requests).
   */
  readonly outlivesErrors?: boolean;
}

interface Waiting<Reply> {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** A worker thread that answers requests. */
export class Thread<Request, Reply, Notice = never> implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #options: ThreadOptions<Notice>;
  /** The requests under way, by number. */
  readonly #waiting = new Map<number, Waiting<Reply>>();
  #last = 0;
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
    this.#worker.on("message", (message: ThreadMessage<Reply, Notice>) => this.#receive(message));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error(`${name} ended unexpectedly`)));
    this.#mayEnd();
  }

  /**
   * Posts a request and waits for the reply.
   *
   * @throws {Error} if the thread failed or was closed; of a class that {@link passErrors} names,
   *   if it failed with one
   */
  ask(request: Request): Promise<Reply> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ id, request } satisfies ThreadRequest<Request>);
    });
  }

  #receive(message: ThreadMessage<Reply, Notice>): void {
    if ("notice" in message) {
      this.#options.onNotice?.(message.notice);
      return;
    }
    const { id } = message;
    const error = "failed" in message ? errorOf(message.failed) : undefined;
    if (error && (id === undefined || !this.#options.outlivesErrors)) {
      this.#fail(error);
      return;
    }
    const waiting = this.#waiting.get(id as number);
    this.#waiting.delete(id as number);
    this.#mayEnd();
    if (error) waiting?.reject(error);
    else if ("reply" in message) waiting?.resolve(message.reply);
  }

  /** Lets the process end while there is no request, if it may. */
  #mayEnd(): void {
    if (this.#options.isKept === false && this.#waiting.size === 0) this.#worker.unref();
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    void this.#end(error);
    this.#options.onFailure?.(error);
  }

  /** Stops the thread, whatever it is doing, and fails the requests under way. */
  async #end(error: Error): Promise<void> {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
    await this.#worker.terminate();
  }

  /** Stops the thread, whatever it is doing. Requests under way fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(new Error(`${this.#options.name} was closed`));
  }
}

/**
 * Returns the bundle of a thread's module (`scripts/bundle.js`), which loads faster, or the module
 * if it has none.
 */
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

import { addAbortListener } from "node:events";
import { Worker } from "node:worker_threads";
import { STACK_MB } from "@gridlock/kernel";
import type { DeskData, DeskReply, DeskRequest, DeskTask } from "./desk-worker.js";
import { closedError, SolverError } from "./errors.js";
import type { SolveProgress } from "./solver.js";

/** A task under way. */
interface Pending {
  readonly stopped: Int32Array;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  onProgress(progress: SolveProgress): void;
}

/** A thread that does any number of tasks at a time. While it has none, it does not keep the process running. */
export class Desk {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #failure: SolverError | undefined;
  #last = 0;

  constructor(data: DeskData, onWarning: (sentence: string) => void) {
    this.#worker = new Worker(new URL("./desk-worker.js", import.meta.url), {
      workerData: data,
      resourceLimits: { stackSizeMb: STACK_MB },
    });
    this.#worker.on("message", (reply: DeskReply) => {
      if ("warning" in reply) onWarning(reply.warning);
      else this.#take(reply);
    });
    this.#worker.on("error", ({ message }) => this.#fail(new SolverError("failed", message)));
    this.#worker.on("exit", () => this.#fail(closedError()));
  }

  /**
   * Does a task in the thread, and returns its result.
   *
   * @param signal stops it
   * @throws {SolverError} if it failed
   * @throws the signal's reason when it aborts
   */
  async run(
    task: DeskTask,
    signal?: AbortSignal,
    onProgress: Pending["onProgress"] = () => {},
  ): Promise<unknown> {
    if (this.#failure) throw this.#failure;
    signal?.throwIfAborted();
    const id = ++this.#last;
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const cancel = () => {
      Atomics.store(stopped, 0, 1);
      this.#worker.postMessage({ cancelled: id } satisfies DeskRequest);
    };
    using _cancelled = signal && addAbortListener(signal, cancel);
    this.#worker.ref();
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(id, { stopped, resolve, reject, onProgress });
        this.#worker.postMessage({ id, task, stopped } satisfies DeskRequest);
      });
    } finally {
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.#worker.unref();
      // A search that was stopped has an answer too, but not the one that was asked for.
      signal?.throwIfAborted();
    }
  }

  #take(reply: Exclude<DeskReply, { warning: string }>): void {
    const pending = this.#pending.get(reply.id);
    if ("progress" in reply) pending?.onProgress(reply.progress);
    else if ("code" in reply) pending?.reject(new SolverError(reply.code, reply.message));
    else pending?.resolve(reply.result);
  }

  #fail(error: SolverError): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
  }

  /** Stops all tasks, which save what they have proven, and ends the thread. */
  async close(): Promise<void> {
    for (const { stopped } of this.#pending.values()) Atomics.store(stopped, 0, 1);
    try {
      if (!this.#failure) await this.run({ kind: "close" });
    } finally {
      this.#fail(closedError());
      await this.#worker.terminate();
    }
  }
}

import { addAbortListener } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Game } from "@gridlock/game";
import { STACK_MB } from "@gridlock/kernel";
import type { SolveOutput } from "@gridlock/schemas";
import { Thread } from "@gridlock/threads";
import type { Answer, Worth } from "./answer.js";
import type { LibraryOptions, Query } from "./library-options.js";
import type { SolveProgress, SolveResources } from "./solve-game.js";

/** A board, or its value alone, to be answered in another thread. */
export type AnswerQuery = Omit<Query, "isStopped"> & { readonly valueOnly?: boolean };

/** The data that the thread begins with. */
export interface AnswerThreadData
  extends Pick<LibraryOptions, "db" | "published" | "readOnly" | "cacheBytes"> {
  /**
   * Most bytes of the table of a game's searches; 0: nothing is searched. Default: as for a query.
   */
  readonly memory?: number | undefined;
  /**
   * True if the thread also solves: then a database that cannot be used, or not be written, is an
   * error.
   */
  readonly solves?: boolean;
}

/** Work for the thread; `end`: it saves what has been proven, and closes its files. */
export type AnswerTask =
  | { readonly kind: "answer"; readonly query: AnswerQuery }
  | { readonly kind: "look-up"; readonly queries: readonly AnswerQuery[] }
  | {
      readonly kind: "solve";
      /** Returned with each report of progress. */
      readonly id: number;
      readonly game: Game;
      readonly resources: SolveResources;
    }
  | { readonly kind: "end" };

/** A message to the thread. */
export interface AnswerRequest {
  readonly task: AnswerTask;
  /** Holds 1 once the work is to stop. */
  readonly stopped: Int32Array;
}

/** A message from the thread in between. */
export type AnswerNotice =
  | { readonly warning: string }
  | { readonly id: number; readonly progress: SolveProgress };

/** The settings of a thread that answers boards. */
export interface AnswerThreadOptions extends AnswerThreadData {
  /** Receives a sentence about each file that cannot be used or written. */
  warn(sentence: string): void;
  /** False if the thread does not keep the process running while it has no work (default: true). */
  readonly isKept?: boolean;
  /** Most milliseconds for saving what is proven at the end (default: as long as it takes). */
  readonly endMs?: number;
}

/**
 * A thread that answers boards from a library of its own, and solves games. It takes any number of
 * tasks; of answers it works on one after the other. Each error is that of its task alone, unless
 * the thread itself ends.
 */
export class AnswerThread implements AsyncDisposable {
  readonly #thread: Thread<AnswerRequest, unknown, AnswerNotice>;
  readonly #endMs: number | undefined;
  /** The flags of the tasks under way. */
  readonly #underWay = new Set<Int32Array>();
  readonly #solves = new Map<number, (progress: SolveProgress) => void>();
  #lastSolve = 0;
  #hasFailed = false;

  constructor({ warn, isKept = true, endMs, ...data }: AnswerThreadOptions) {
    this.#endMs = endMs;
    this.#thread = new Thread(new URL("./answer-worker.js", import.meta.url), {
      name: "the thread that answers",
      workerData: data satisfies AnswerThreadData,
      resourceLimits: { stackSizeMb: STACK_MB },
      isKept,
      outlivesErrors: true,
      onNotice(notice) {
        if ("warning" in notice) warn(notice.warning);
        else report(notice.id, notice.progress);
      },
      onFailure: () => {
        this.#hasFailed = true;
      },
    });
    const report = (id: number, progress: SolveProgress) => this.#solves.get(id)?.(progress);
  }

  /**
   * Answers a board, or finds only its value.
   *
   * @param signal ends the search, with what is known by then
   * @throws as `Library.worth` does
   */
  async answer(query: AnswerQuery, signal?: AbortSignal): Promise<Answer | Worth> {
    return (await this.#run({ kind: "answer", query }, signal)) as Answer | Worth;
  }

  /**
   * Returns the answers to boards as JSON, `undefined` for those that take a search. Without
   * boards, opens the files.
   */
  async lookUp(queries: readonly AnswerQuery[]): Promise<readonly (string | undefined)[]> {
    const found = await this.#run({ kind: "look-up", queries });
    return found as readonly (string | undefined)[];
  }

  /**
   * Solves all starts of a game, and saves everything proven.
   *
   * @param signal stops the solve
   * @returns `undefined` if it was stopped
   */
  async solve(
    game: Game,
    resources: SolveResources,
    onProgress: (progress: SolveProgress) => void,
    signal?: AbortSignal,
  ): Promise<SolveOutput | undefined> {
    const id = ++this.#lastSolve;
    this.#solves.set(id, onProgress);
    try {
      const result = await this.#run({ kind: "solve", id, game, resources }, signal);
      return result as SolveOutput | undefined;
    } finally {
      this.#solves.delete(id);
    }
  }

  async #run(task: AnswerTask, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    using _stop = signal && addAbortListener(signal, () => Atomics.store(stopped, 0, 1));
    this.#underWay.add(stopped);
    try {
      return await this.#thread.ask({ task, stopped });
    } finally {
      this.#underWay.delete(stopped);
    }
  }

  /** Stops all work, saves what has been proven, and ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    await using _thread = this.#thread;
    if (this.#hasFailed) return;
    for (const stopped of this.#underWay) Atomics.store(stopped, 0, 1);
    const ended = this.#run({ kind: "end" });
    if (this.#endMs === undefined) await ended;
    else await Promise.race([ended, sleep(this.#endMs, undefined, { ref: false })]);
  }
}

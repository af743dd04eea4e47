import type { Answer, Query, Worth } from "@gridlock/answers";
import { formatBoard } from "@gridlock/game";
import { STACK_MB } from "@gridlock/kernel";
import { formatSeconds } from "@gridlock/report";
import { Thread } from "@gridlock/threads";
import { watchInterrupts } from "../interrupt.js";
import { showWork } from "../output/display.js";
import { printError } from "../output/print.js";
import type { QueryRequest, QueryThreadData } from "../query-worker.js";
import { STOPPING } from "./solve-flags.js";

/** Milliseconds of a search before its progress is shown. */
const SHOWN_MS = 1000;

/** Answers boards in a thread of its own: this one shows progress, and hears Ctrl-C, which loses nothing proven. */
export class QueryThread implements AsyncDisposable {
  readonly #thread: Thread<QueryRequest, Answer | Worth | undefined, string>;
  readonly #watch = watchInterrupts(STOPPING);
  #hasFailed = false;

  constructor({ db, published = true }: Pick<QueryThreadData, "db" | "published">) {
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    this.signal.addEventListener("abort", () => Atomics.store(stopped, 0, 1));
    this.#thread = new Thread(new URL("../query-worker.js", import.meta.url), {
      name: "the thread of the query",
      workerData: { db, published, stopped } satisfies QueryThreadData,
      resourceLimits: { stackSizeMb: STACK_MB },
      onNotice: printError,
      onFailure: () => {
        this.#hasFailed = true;
      },
    });
  }

  /** Aborted by Ctrl-C, after which no board is searched any more. */
  get signal(): AbortSignal {
    return this.#watch.signal;
  }

  /**
   * Answers a board, or finds only its value.
   *
   * @param tableBytes bytes of the table of its game; `undefined` if it cannot be searched
   */
  async answer(query: Query, values: boolean, tableBytes: number | undefined) {
    const words = `searching for at most ${formatSeconds(query.budget)}`;
    let display: Disposable | undefined;
    const timer = setTimeout(() => {
      display = showWork(formatBoard(query.board), "", { done: 0, total: 0, text: words });
    }, SHOWN_MS);
    try {
      return (await this.#thread.ask({ query, values, tableBytes })) as Answer | Worth;
    } finally {
      clearTimeout(timer);
      display?.[Symbol.dispose]();
    }
  }

  /** Saves what has been proven, and ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    using _watch = this.#watch;
    await using thread = this.#thread;
    if (!this.#hasFailed) await thread.ask("end");
  }
}

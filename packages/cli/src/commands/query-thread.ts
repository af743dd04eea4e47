import { type Answer, type AnswerQuery, AnswerThread, type Worth } from "@gridlock/answers";
import { formatBoard } from "@gridlock/game";
import { formatSeconds } from "@gridlock/report";
import { watchInterrupts } from "../interrupt.js";
import { showWork } from "../output/display.js";
import { printError } from "../output/print.js";
import { STOPPING } from "./solve-flags.js";

/** Milliseconds of a search before its progress is shown. */
const SHOWN_MS = 1000;

/**
 * Answers boards in a thread of its own: this one shows progress, and hears Ctrl-C, which loses
 * nothing proven.
 */
export class QueryThread implements AsyncDisposable {
  readonly #thread: AnswerThread;
  readonly #watch = watchInterrupts(STOPPING);

  /** @param memory most bytes of the table of a game */
  constructor(db: string, published: boolean, memory: number | undefined) {
    this.#thread = new AnswerThread({ db, published, memory, warn: printError });
  }

  /** Aborted by Ctrl-C, after which no board is searched any more. */
  get signal(): AbortSignal {
    return this.#watch.signal;
  }

  /** Answers a board, or finds only its value. */
  async answer(query: AnswerQuery): Promise<Answer | Worth> {
    const words = `searching for at most ${formatSeconds(query.budget)}`;
    let display: Disposable | undefined;
    const timer = setTimeout(() => {
      display = showWork(formatBoard(query.board), "", { done: 0, total: 0, text: words });
    }, SHOWN_MS);
    try {
      return await this.#thread.answer(query, this.signal);
    } finally {
      clearTimeout(timer);
      display?.[Symbol.dispose]();
    }
  }

  /** Saves what has been proven, and ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    using _watch = this.#watch;
    await using _thread = this.#thread;
  }
}

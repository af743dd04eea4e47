import {
  type Answer,
  type AnswerQuery,
  AnswerThread,
  asJson,
  Library,
  type Worth as WorthOfBoard,
  worthAsJson,
} from "@gridlock/answers";
import { isProven } from "@gridlock/answers/json";
import { describeGame, type Game, isExact, normalShape } from "@gridlock/game";
import type { Worth } from "@gridlock/schemas";
import { searchMemory } from "@gridlock/solver";
import type { Settings } from "./options.js";
import { ThreadPool } from "./thread-pool.js";

/** Bytes of a tabulation that a search caches: beside one, only unreachable boards are searched. */
const SEARCH_CACHE = 32 * 2 ** 20;
/** Most threads that look up boards of batches, and most bytes of a tabulation that each caches. */
const LOOK_UPS = 4;
const MOST_CACHE = 2 ** 30;
/** Milliseconds that a thread has to save its work when it is replaced or the server stops. */
const END_MS = 700;

/** The answers to some boards as JSON, `undefined` for those that must be searched. */
export type Found = readonly (string | undefined)[];

/** The answer as JSON. */
export interface SearchReply {
  readonly json: string;
  /** True if all of it is proven, so that it will never change. */
  readonly exact: boolean;
}

/** Answers boards: looks them up in this thread, or has them searched in others. */
export class Answerer implements AsyncDisposable {
  readonly #library: Library;
  readonly #searches: ThreadPool<AnswerThread, AnswerQuery, SearchReply>;
  readonly #lookUps: ThreadPool<AnswerThread, readonly AnswerQuery[], Found>;
  readonly #options: Settings;

  constructor(options: Settings) {
    this.#options = options;
    const { db, published, workers, memory, warn, limits } = options;
    const files = { db, published, endMs: END_MS };
    const tableBytes = () => undefined;
    this.#library = new Library({ db, published, readOnly: true, tableBytes, warn });
    this.#searches = new ThreadPool({
      name: "a search",
      threads: workers,
      waiting: limits.waiting,
      start: () =>
        new AnswerThread({ ...files, cacheBytes: SEARCH_CACHE, memory: memory / workers, warn }),
      run: async (thread, query, signal) => replyOf(await thread.answer(query, signal)),
    });
    this.#lookUps = new ThreadPool({
      name: "a look-up",
      threads: this.lookUpThreads,
      waiting: Number.POSITIVE_INFINITY,
      start: () => {
        const share = process.availableMemory() / 4 / this.lookUpThreads;
        const cacheBytes = Math.min(MOST_CACHE, share);
        const warn = () => {}; // this thread warns when it meets the same file
        return new AnswerThread({ ...files, readOnly: true, cacheBytes, memory: 0, warn });
      },
      run: (thread, queries) => thread.lookUp(queries),
    });
  }

  /** Number of searches under way, and of those that wait. */
  get searches() {
    return this.#searches.counts;
  }

  /** Returns the answer if it can be looked up; `undefined` if it takes a search. */
  lookUp(query: AnswerQuery): SearchReply | undefined {
    const library = this.#library;
    library.refresh();
    const found = query.valueOnly ? library.lookUpWorth(query) : library.lookUp(query);
    return found && replyOf(found);
  }

  /** Number of threads of {@link lookUpAll}. */
  get lookUpThreads(): number {
    return Math.min(LOOK_UPS, this.#options.workers);
  }

  /** Looks up boards in another thread; resolves to `undefined` if that fails or is aborted. */
  lookUpAll(queries: readonly AnswerQuery[], signal: AbortSignal): Promise<Found | undefined> {
    return this.#lookUps.run("", queries, signal).catch(() => undefined);
  }

  /** Returns what is known of a board's value without a search. */
  known(query: AnswerQuery): Worth {
    this.#library.refresh();
    return worthAsJson(this.#library.worth({ ...query, budget: 0 }));
  }

  /**
   * Answers a board: at once if it can be looked up, or else after a search.
   *
   * @param signal ends the search
   * @throws {Problem} 429 when too many searches are waiting
   */
  async answer(query: AnswerQuery, signal: AbortSignal): Promise<SearchReply> {
    const known = this.lookUp(query);
    if (known) return known;
    const game: Game = { shape: normalShape(query.board), tiles: query.tiles };
    const { memory, workers } = this.#options;
    // A game that cannot be searched has no memory for it.
    if (query.budget === 0 || searchMemory(game, memory / workers) === undefined) {
      const now = { ...query, budget: 0 };
      return replyOf(query.valueOnly ? this.#library.worth(now) : this.#library.answer(now));
    }
    const reply = await this.#searches.run(describeGame(game), query, signal);
    // The thread has stored what it proved: whoever asks next finds it.
    this.#library.expectChanges();
    return reply;
  }

  /** Ends all searches, and the look-ups of batches. */
  async stop(): Promise<void> {
    const pools = [this.#searches, this.#lookUps];
    await Promise.all(pools.map((pool) => pool[Symbol.asyncDispose]()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    using _library = this.#library;
    await this.stop();
  }
}

/** Returns an answer, or a value alone, as JSON. */
function replyOf(answer: Answer | WorthOfBoard): SearchReply {
  const isWhole =
    !("moves" in answer) ||
    (answer.line !== undefined && answer.moves.every(({ bound }) => isExact(bound)));
  return { json: JSON.stringify(asJson(answer)), exact: isWhole && isProven(answer) };
}

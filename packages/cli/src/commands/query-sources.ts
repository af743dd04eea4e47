import { availableParallelism } from "node:os";
import { type Answer, Library, type Worth } from "@gridlock/answers";
import { type BoardText, describeGame, type Game, normalShape } from "@gridlock/game";
import { orDisposed } from "@gridlock/store";
import type { BoardFlags } from "../options/boards.js";
import { checkMemory, queryMemory } from "../options/memory.js";
import type { GameFlags } from "../options/options.js";
import { printError } from "../output/print.js";
import type { QueryThread } from "./query-thread.js";

/** The default budget in seconds. Longer searches show their progress, and Ctrl-C loses nothing. */
export const BUDGET_S = 5;

/** The options of `gridlock query`. */
export interface QueryFlags extends BoardFlags, GameFlags {
  readonly budget: number;
  /** Bytes of the table of a search. */
  readonly memory?: number;
  readonly player?: string;
  readonly values?: true;
  readonly verified?: true;
  readonly published: boolean;
  readonly csv?: true;
}

/** The library that answers, and the thread that does so in its place if searches may take long. */
export class QuerySources implements AsyncDisposable {
  readonly #flags: QueryFlags;
  readonly #library: Library;
  readonly #thread: QueryThread | undefined;

  private constructor(flags: QueryFlags, library: Library, thread: QueryThread | undefined) {
    this.#flags = flags;
    this.#library = library;
    this.#thread = thread;
  }

  /** Starts a thread for long searches. With --verified nothing is saved that Ctrl-C could lose. */
  static async open(flags: QueryFlags): Promise<QuerySources> {
    const { db, memory, verified = false, published, budget } = flags;
    const isLong = budget > BUDGET_S && !verified;
    const { QueryThread } = isLong ? await import("./query-thread.js") : {};
    const library = new Library({
      db,
      published,
      verified,
      tableBytes: (game) => queryMemory(game, memory),
      warn: printError,
    });
    const thread = orDisposed(library, () => QueryThread && new QueryThread(db, published, memory));
    return new QuerySources(flags, library, thread);
  }

  /** Aborted by Ctrl-C during long searches. */
  get signal(): AbortSignal | undefined {
    return this.#thread?.signal;
  }

  /** Answers a board, or with --values finds only its value. */
  async answer({ board, turn, tiles = this.#flags.tiles }: BoardText): Promise<Answer | Worth> {
    const { budget, memory, values = false, verified } = this.#flags;
    const game = { shape: normalShape(board), tiles };
    if (verified) await this.#verify(game);
    const query = { board, turn, tiles, budget };
    if (this.#thread) {
      queryMemory(game, memory); // refuses what the thread would not
      return this.#thread.answer({ ...query, valueOnly: values });
    }
    return values ? this.#library.worth(query) : this.#library.answer(query);
  }

  /** Checks the certificate of a game if that has not been done yet. */
  async #verify(game: Game): Promise<void> {
    if (this.#library.hasVerified(game)) return;
    const { showWork, steady } = await import("../output/display.js");
    const { checkStanding } = await import("../output/standings.js");
    const standing = checkStanding();
    using display = showWork(describeGame(game), "claims checked", steady(0, 0));
    await this.#library.verify(game, {
      threads: availableParallelism(),
      memory: checkMemory(undefined),
      onProgress: (progress) => display.show(standing(progress)),
    });
  }

  /** Saves what has been proven. */
  save(): void {
    this.#library.save();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    using _library = this.#library;
    await using _thread = this.#thread;
  }
}

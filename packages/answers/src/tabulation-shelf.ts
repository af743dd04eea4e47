import { describeGame, type Game } from "@gridlock/game";
import { StoreError, statsOf } from "@gridlock/store";
import { type Column, canTabulate, columnFileOf, Tabulation } from "@gridlock/tablebase";
import type { LibraryOptions } from "./library-options.js";

/** Bytes of a tabulation kept in memory by default: enough for all of 3×3. */
const MOST_CACHE = 2 ** 30;

const COLUMNS: readonly Column[] = ["positions", "minimax", "expected"];

/** A tabulation that has been looked for. */
interface Opened {
  readonly game: Game;
  /** Sizes and times of the files when it was opened. */
  readonly stamp: string;
  /** `undefined` if it is missing or cannot be used. */
  readonly tabulation: Tabulation | undefined;
}

/** The tabulations beside a database, each opened when it is first needed. */
export class TabulationShelf implements Disposable {
  readonly #options: LibraryOptions;
  readonly #opened = new Map<string, Opened>();

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /**
   * Returns the tabulation of a game; `undefined` if it is missing or cannot be used.
   *
   * @param game in normal shape
   */
  of(game: Game): Tabulation | undefined {
    const name = describeGame(game);
    let opened = this.#opened.get(name);
    if (opened === undefined) {
      opened = { game, stamp: this.#stampOf(game), tabulation: this.#open(game) };
      this.#opened.set(name, opened);
    }
    return opened.tabulation;
  }

  /** Closes tabulations whose files have changed, to reopen them; returns whether there are any. */
  refresh(): boolean {
    let changed = false;
    for (const [name, { game, stamp, tabulation }] of this.#opened) {
      if (stamp === this.#stampOf(game)) continue;
      tabulation?.[Symbol.dispose]();
      this.#opened.delete(name);
      changed = true;
    }
    return changed;
  }

  #stampOf(game: Game): string {
    if (!canTabulate(game.shape)) return "";
    return COLUMNS.map((column) => {
      const file = columnFileOf(this.#options.db, game, column);
      const stats = statsOf(file);
      return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : "missing";
    }).join();
  }

  #open(game: Game): Tabulation | undefined {
    if (!canTabulate(game.shape)) return undefined;
    const { db, warn } = this.#options;
    const bytes = this.#options.cacheBytes ?? Math.min(MOST_CACHE, process.availableMemory() / 4);
    try {
      return Tabulation.open(game, ["minimax", "expected"], db, bytes);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code !== "missing") warn(`searching instead: ${error.message}`);
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    for (const { tabulation } of this.#opened.values()) tabulation?.[Symbol.dispose]();
    this.#opened.clear();
  }
}

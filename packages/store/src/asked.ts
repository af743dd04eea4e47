import type { GameRow } from "./game-row.js";
import type { SqliteFile } from "./sqlite-file.js";

/** A threshold that was asked of a game's starts, and what it has cost so far. */
export interface AskedThreshold {
  /** Points. */
  readonly threshold: number;
  /** Nodes expanded for the first start that was asked. */
  readonly nodes: number;
  readonly seconds: number;
  /** False as long as no start is known to reach it. */
  readonly answered: boolean;
}

/**
 * The thresholds that searches for lower bounds have asked: they show how the cost of one game
 * grows.
 */
export class AskedThresholds {
  readonly #at: SqliteFile;
  readonly #row: GameRow;

  /** Use `Database.asked` instead. */
  constructor(at: SqliteFile, row: GameRow) {
    this.#at = at;
    this.#row = row;
  }

  /**
   * Lists them, the lowest first.
   *
   * @throws {StoreError} `damaged` if one of them is no threshold, or has cost nothing that can be
   *   counted
   */
  all(): AskedThreshold[] {
    const find =
      "SELECT threshold, nodes, seconds, answered FROM asked WHERE game = ? ORDER BY threshold";
    return this.#at
      .all<Omit<AskedThreshold, "answered"> & { answered: number }>(find, this.#row.id)
      .map(({ answered, ...asked }) => {
        const { threshold, nodes, seconds } = asked;
        const isSound =
          [threshold, nodes].every((count) => Number.isSafeInteger(count) && count >= 0) &&
          threshold % 4 === 0 &&
          threshold > 0 &&
          Number.isFinite(seconds) &&
          seconds >= 0;
        if (!isSound) throw this.#at.damaged(`it holds the threshold ${String(threshold)}`);
        return { ...asked, answered: answered !== 0 };
      });
  }

  /** Stores a threshold, in place of what was stored of it. */
  put({ threshold, nodes, seconds, answered }: AskedThreshold): void {
    this.#row.create();
    const insert = "INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?, ?)";
    this.#at.run(insert, this.#row.id, threshold, nodes, seconds, Number(answered));
  }
}

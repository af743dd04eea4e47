import { existsSync } from "node:fs";
import { type Board, type Game, isExact, normalShape, packBoard, starts } from "@gridlock/game";
import { Database, StoreError } from "@gridlock/store";
import {
  type Column,
  canTabulate,
  columnFileOf,
  likelyStarts,
  Tabulation,
} from "@gridlock/tablebase";

/** The scores of perfect play from the starts of a game, by its tabulation or else by the solution database. */
export class Optimum implements Disposable {
  readonly tabulation: Tabulation | undefined;
  /** Expected score of the ordinary game from two random tiles, if the game is tabulated. */
  readonly expected: number | undefined;
  /** Values of the starts that are known, by their packed boards. */
  readonly #values: ReadonlyMap<bigint, number>;
  readonly #starts: readonly Board[];

  /** Looks up the files of a game; nothing is known if they do not exist. */
  constructor(game: Game, db: string) {
    this.#starts = starts(game.shape);
    const tabulation = tabulationOf(game, db);
    this.tabulation = tabulation;
    if (tabulation === undefined) {
      this.#values = solvedStarts(game, db);
      return;
    }
    const value = (column: "minimax" | "expected", board: Board) =>
      tabulation.value(column, tabulation.placeOf(board));
    this.#values = new Map(
      this.#starts.map((start) => [packBoard(start), value("minimax", start)]),
    );
    this.expected = likelyStarts(game).reduce(
      (sum, { board, chance }) => sum + chance * value("expected", board),
      0,
    );
  }

  /** Returns whether the values of all starts are known. */
  get isComplete(): boolean {
    return this.#values.size === this.#starts.length;
  }

  /** Returns the value of a start against the placer, if it is known. */
  valueOf(start: Board): number | undefined {
    return this.#values.get(packBoard(start));
  }

  [Symbol.dispose](): void {
    this.tabulation?.close();
  }
}

function tabulationOf(game: Game, db: string): Tabulation | undefined {
  if (!canTabulate(game.shape)) return undefined;
  const fileOf = (column: Column) => columnFileOf(db, game, column);
  try {
    return Tabulation.open(game, ["minimax", "expected"], fileOf);
  } catch (error) {
    if (error instanceof StoreError && error.code === "missing") return undefined;
    throw error;
  }
}

/** Returns the proven values of starts by a solution database, which need not exist. */
function solvedStarts(game: Game, db: string): Map<bigint, number> {
  const values = new Map<bigint, number>();
  if (!existsSync(db)) return values;
  using database = Database.open(db, { readOnly: true });
  const bounds = database.bounds({ ...game, shape: normalShape(game.shape) });
  for (const start of starts(game.shape)) {
    const board = packBoard(start);
    const bound = bounds.get({ turn: "slider", board });
    if (bound && isExact(bound)) values.set(board, bound.lo);
  }
  return values;
}

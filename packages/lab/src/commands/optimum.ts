import { existsSync } from "node:fs";
import { type Game, isExact, normalShape, packBoard, starts } from "@gridlock/game";
import { Database, StoreError } from "@gridlock/store";
import { canTabulate, Tabulation } from "@gridlock/tablebase";

/** The scores of perfect play from the starts of a game, by its tabulation or else by the solution database. */
export interface Optimum extends Disposable {
  readonly tabulation: Tabulation | undefined;
  /** Expected score of the ordinary game from two random tiles; null if the game is not tabulated. */
  readonly expected: number | null;
  /** Values of the starts that are known, by their packed boards. */
  readonly values: ReadonlyMap<bigint, number>;
}

/** Looks up the files of a game; nothing is known if they do not exist. */
export function openOptimum(game: Game, db: string): Optimum {
  const tabulation = tabulationOf(game, db);
  const found = tabulation ? tabulatedStarts(game, tabulation) : solvedStarts(game, db);
  return { tabulation, ...found, [Symbol.dispose]: () => tabulation?.[Symbol.dispose]() };
}

function tabulatedStarts(game: Game, tabulation: Tabulation) {
  return {
    values: new Map(
      starts(game.shape).map(
        (start) => [packBoard(start), tabulation.value("minimax", start)] as const,
      ),
    ),
    expected: tabulation.mean("expected"),
  };
}

function tabulationOf(game: Game, db: string): Tabulation | undefined {
  if (!canTabulate(game.shape)) return undefined;
  try {
    return Tabulation.open(game, ["minimax", "expected"], db);
  } catch (error) {
    if (error instanceof StoreError && error.code === "missing") return undefined;
    throw error;
  }
}

/** Returns the proven values of starts by a solution database, which need not exist. */
function solvedStarts(game: Game, db: string) {
  const values = new Map<bigint, number>();
  if (!existsSync(db)) return { values, expected: null };
  using database = Database.open(db, { readOnly: true });
  const bounds = database.bounds({ ...game, shape: normalShape(game.shape) });
  for (const start of starts(game.shape)) {
    const board = packBoard(start);
    const bound = bounds.get({ turn: "slider", board });
    if (bound && isExact(bound)) values.set(board, bound.lo);
  }
  return { values, expected: null };
}

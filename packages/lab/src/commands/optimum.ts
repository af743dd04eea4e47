import { existsSync } from "node:fs";
import { provenValue } from "@gridlock/cli/command";
import { type Game, normalShape, packBoard, starts, UNKNOWN } from "@gridlock/game";
import { Database, StoreError } from "@gridlock/store";
import { canTabulate, Tabulation } from "@gridlock/tablebase";

/** The scores of perfect play from the starts of a game, by its tabulation or else by the solution database. */
export interface Optimum extends Disposable {
  readonly tabulation: Tabulation | undefined;
  /** Expected score of the ordinary game from two random tiles; null if the game is not tabulated. */
  readonly expected: number | null;
  /** Values of the starts, in their order; null for those that are not known. */
  readonly values: readonly (number | null)[];
}

/** Looks up the files of a game; nothing is known if they do not exist. */
export function openOptimum(game: Game, db: string): Optimum {
  const tabulation = tabulationOf(game, db);
  if (tabulation === undefined) {
    const values = solvedValues(game, db);
    return { tabulation, expected: null, values, [Symbol.dispose]() {} };
  }
  return {
    tabulation,
    expected: tabulation.mean("expected"),
    values: starts(game.shape).map((start) => tabulation.value("minimax", start)),
    [Symbol.dispose]: () => tabulation[Symbol.dispose](),
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

/** Returns the proven values of the starts by a solution database, which need not exist. */
function solvedValues(game: Game, db: string): (number | null)[] {
  const all = starts(game.shape);
  if (!existsSync(db)) return all.map(() => null);
  using database = Database.open(db, { readOnly: true });
  const bounds = database.bounds({ ...game, shape: normalShape(game.shape) });
  return all.map((start) =>
    provenValue(bounds.get({ turn: "slider", board: packBoard(start) }) ?? UNKNOWN),
  );
}

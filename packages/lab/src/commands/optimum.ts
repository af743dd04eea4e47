import { existsSync } from "node:fs";
import { provenValue } from "@gridlock/cli/command";
import { type Game, normalShape, packBoard, starts, UNKNOWN } from "@gridlock/game";
import { Database, StoreError } from "@gridlock/store";
import { canTabulate, Tabulation } from "@gridlock/tablebase";

/** Opens the tabulation of a game beside a solution database, if there is one. */
export function tabulationOf(game: Game, db: string): Tabulation | undefined {
  if (!canTabulate(game.shape)) return undefined;
  try {
    return Tabulation.open(game, ["minimax", "expected"], db);
  } catch (error) {
    if (error instanceof StoreError && error.code === "missing") return undefined;
    throw error;
  }
}

/**
 * Returns the values of the starts, in their order, by the tabulation or else by the solution
 * database, which need not exist; null for those that are not known.
 */
export function startValues(
  game: Game,
  db: string,
  tabulation: Tabulation | undefined,
): (number | null)[] {
  const all = starts(game.shape);
  if (tabulation) return all.map((start) => tabulation.value("minimax", start));
  if (!existsSync(db)) return all.map(() => null);
  using database = Database.open(db, { readOnly: true });
  const bounds = database.bounds({ ...game, shape: normalShape(game.shape) });
  return all.map((start) =>
    provenValue(bounds.get({ turn: "slider", board: packBoard(start) }) ?? UNKNOWN),
  );
}

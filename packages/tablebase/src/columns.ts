import type { Game } from "@gridlock/game";
import { pathBeside } from "@gridlock/store";

/**
 * Data that a tabulation's file holds for each position: the position itself, its value against the
 * placer, its expected score in the ordinary game, or the chance of making a tile there.
 */
export type Column = "positions" | "minimax" | "expected" | { readonly reach: number };

/** A column of values, against the placer or against chance. */
export type ValueColumn = Exclude<Column, "positions">;

/** Units per point in stored expected scores. */
export const POINT_UNITS = 2 ** 16;
/** Units that stand for certainty in stored chances. */
export const CERTAINTY_UNITS = 2 ** 31;

/** Returns a column's name, such as `reach-512`. */
export function columnName(column: Column): string {
  return typeof column === "string" ? column : `reach-${column.reach}`;
}

/** Returns the file of a game's column: beside the database, `x.3x3.minimax` for `x.db`. */
export function columnFileOf(databaseFile: string, game: Game, column: Column): string {
  return pathBeside(databaseFile, game, columnName(column));
}

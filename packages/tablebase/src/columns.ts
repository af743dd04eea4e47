import { formatShape, type Game, normalShape } from "@gridlock/game";

/**
 * What a file of a tabulation tells of each position: which it is, what it is worth against the placer, what score it
 * promises in the ordinary game, or the chance of making a tile there.
 */
export type Column = "positions" | "minimax" | "expected" | { readonly reach: number };

/** A column of values, against the placer or against chance. */
export type ValueColumn = Exclude<Column, "positions">;

/** Units of a point in which expected scores are kept. */
export const POINT_UNITS = 2 ** 16;
/** Units of certainty in which chances are kept. */
export const CERTAINTY_UNITS = 2 ** 31;

/** A column in one word: `reach-512`. */
export function columnName(column: Column): string {
  return typeof column === "string" ? column : `reach-${column.reach}`;
}

/** Where a column of a game is kept: beside the database, `x.3x3.minimax` of `x.db`. */
export function columnFileOf(databaseFile: string, { shape, tiles }: Game, column: Column): string {
  const suffix = tiles.length === 1 ? "-tiles-2" : "";
  const name = `${formatShape(normalShape(shape))}${suffix}.${columnName(column)}`;
  return `${databaseFile.replace(/\.db$/, "")}.${name}`;
}

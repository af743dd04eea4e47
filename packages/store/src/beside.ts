import { formatShape, type Game, normalShape } from "@gridlock/game";

/** Returns the path of a game's file or folder beside a database: `x.3x3.snapshot` of `x.db`. */
export function pathBeside(databaseFile: string, { shape, tiles }: Game, ending: string): string {
  const suffix = tiles.length === 1 ? "-tiles-2" : "";
  const name = `${formatShape(normalShape(shape))}${suffix}`;
  return `${databaseFile.replace(/\.db$/, "")}.${name}.${ending}`;
}

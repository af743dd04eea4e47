import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Game } from "@gridlock/game";
import { LayersReader, layersFolderOf } from "@gridlock/layers";
import type { FiledBound } from "@gridlock/solver";
import { StoreError } from "@gridlock/store";

/** Returns the path beside which a folder that many machines reach has the layers of a database. */
export function databaseIn(data: string, db: string): string {
  return join(resolve(data), basename(db));
}

/**
 * Opens the files of a proof by layers beside a database, to look bounds up; returns `undefined` if there are none, or
 * they cannot be used. Prints a line for whatever cannot be used.
 */
export function boundsOfLayers(game: Game, db: string): FiledBound | undefined {
  const folder = layersFolderOf(db, game);
  if (!existsSync(folder)) return undefined;
  const onDamage = (file: string) =>
    console.error(`searching instead: ${file} is missing or damaged`);
  try {
    const layers = new LayersReader(game, folder, { onDamage });
    return (afterstate) => layers.boundOf(afterstate);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code !== "missing") console.error(`searching instead: ${error.message}`);
    return undefined;
  }
}

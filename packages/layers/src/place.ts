import { existsSync } from "node:fs";
import type { Game } from "@gridlock/game";
import type { FiledBound } from "@gridlock/solver";
import { StoreError } from "@gridlock/store";
import { layersFolderOf } from "./folder.js";
import { LayersReader } from "./reader.js";

/**
 * Opens a game's proof by layers beside a database, to look bounds up in its files.
 *
 * @param warn receives a sentence about each file or folder that cannot be used
 * @returns `undefined` if there is no proof or it cannot be used
 */
export function boundsOfLayers(
  game: Game,
  databaseFile: string,
  warn: (sentence: string) => void,
): FiledBound | undefined {
  const folder = layersFolderOf(databaseFile, game);
  if (!existsSync(folder)) return undefined;
  const onDamage = (file: string) => warn(`searching instead: ${file} is missing or damaged`);
  try {
    const layers = new LayersReader(game, folder, { onDamage });
    return (afterstate) => layers.boundOf(afterstate);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code !== "missing") warn(`searching instead: ${error.message}`);
    return undefined;
  }
}

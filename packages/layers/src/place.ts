import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Game } from "@gridlock/game";
import type { FiledBound } from "@gridlock/solver";
import { StoreError } from "@gridlock/store";
import { layersFolderOf } from "./folder.js";
import { LayersReader } from "./reader.js";

/** The places of proofs by layers. */
export interface LayersPlace {
  /** The database's file. */
  readonly db: string;
  /** The shared folder of the machines that made the proofs, if there was one. */
  readonly data?: string;
}

/**
 * Returns the folder of a game's proof by layers: beside the database or, under the same name, in
 * the shared folder.
 */
export function layersFolder(game: Game, { db, data }: LayersPlace): string {
  return layersFolderOf(data === undefined ? db : join(resolve(data), basename(db)), game);
}

/**
 * Opens a game's proof by layers to look bounds up in its files.
 *
 * @param warn receives a sentence about each file or folder that cannot be used
 * @returns `undefined` if there is no proof or it cannot be used
 */
export function boundsOfLayers(
  game: Game,
  place: LayersPlace,
  warn: (sentence: string) => void,
): FiledBound | undefined {
  const folder = layersFolder(game, place);
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

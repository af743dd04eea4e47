import { existsSync, statfsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describeGame, type Game } from "@gridlock/game";
import { LayersReader, layersFolderOf } from "@gridlock/layers";
import { formatBytes } from "@gridlock/report";
import { estimate, type FiledBound } from "@gridlock/solver";
import { StoreError } from "@gridlock/store";
import { UsageError } from "./exit.js";

/** Tells where to look for proofs by layers. */
export interface LayersPlace {
  /** The database's file. */
  readonly db: string;
  /** The folder that many machines reach, if they made the proofs there. */
  readonly data?: string;
}

/** Returns the folder of a game's proof by layers: beside the database or, under the same name, in the shared folder. */
export function layersFolder(game: Game, { db, data }: LayersPlace): string {
  return layersFolderOf(data === undefined ? db : join(resolve(data), basename(db)), game);
}

/**
 * Opens a game's proof by layers, so that bounds can be looked up in its files. Returns `undefined` if there is no
 * proof or it cannot be used, and prints a line for whatever cannot be used.
 */
export function boundsOfLayers(game: Game, place: LayersPlace): FiledBound | undefined {
  const folder = layersFolder(game, place);
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

/**
 * Bytes of the files for each node that the shape is estimated to have. 2×6 took up to 0.8 GB of some 47 M boards;
 * the estimate is on the safe side.
 */
const DISK_BYTES_PER_NODE = 20;

/**
 * Refuses a disk that would be full before a proof by layers in a folder is complete.
 *
 * @throws {UsageError} if the free space is less than the files are expected to take
 */
export function refuseTooSmallDisk(game: Game, folder: string): void {
  if (existsSync(folder)) return; // the disk has room for a part of it already
  let place = dirname(folder);
  while (!existsSync(place)) place = dirname(place);
  const needed = DISK_BYTES_PER_NODE * estimate(game.shape).nodes;
  const { bavail, bsize } = statfsSync(place);
  if (needed > bavail * bsize) {
    throw new UsageError(
      `${describeGame(game)} layer by layer would take some ${formatBytes(needed)} of disk (an extrapolation), and ${formatBytes(bavail * bsize)} are free in ${place}; expected more room, or --force`,
    );
  }
}

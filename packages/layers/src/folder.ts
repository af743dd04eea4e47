import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeGame, type Game } from "@gridlock/game";
import {
  expectFolder,
  isLocked,
  LayersFile,
  type LayersFileOptions,
  type LayersProgress,
  type LayersState,
  pathBeside,
  reasonOf,
  StoreError,
  statsOf,
  takeLock,
} from "@gridlock/store";
import { MOST_SPLIT, STARTS, sizeOf, splitOf } from "./blocks.js";
import { isFileName, pathOf } from "./names.js";

/**
 * Version of the files of a proof. Raise it when the format or the meaning of their contents
 * changes: of bounds, needs, nodes or letters, of the division of boards into blocks, or of the
 * keys that sort them. Builds that only choose or order the work differently use the same files.
 */
export const FILES_VERSION = "6";

/** Name of the file with the progress of a proof. */
export const PROGRESS_FILE = "progress.db";
/** Name of the file that a process locks while it works on a proof. */
const LOCK_FILE = "lock";
/** A part of the name of an unfinished file: it is deleted only if it is surely one. */
const UNFINISHED = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Returns the folder of a game's proof beside a database. */
export function layersFolderOf(databaseFile: string, game: Game): string {
  return pathBeside(databaseFile, game, "layers");
}

/**
 * Takes the lock of the proof in a folder, which must not be a link.
 *
 * @throws {StoreError} `locked` if another process holds it, `unusable` if it is not a folder
 */
export function lockFolder(folder: string, game: Game): Disposable {
  expectFolder(folder);
  return takeLock(join(folder, LOCK_FILE), `working on ${describeGame(game)} layer by layer`);
}

/** The state of a proof by layers, as last saved. */
interface LayersSummary extends Pick<LayersProgress, "round" | "expanded" | "seconds"> {
  readonly blocks: number;
  /** Boards in all blocks, and nodes, which are demanded and not settled. */
  readonly boards: number;
  readonly live: number;
}

/** The folder of a proof by layers. */
export interface LayersFolder {
  readonly folder: string;
  /** Bytes of its files. */
  readonly bytes: number;
  /** True while a process works on the proof. */
  readonly isRunning: boolean;
  /** The saved state; `undefined` if it cannot be read. */
  readonly summary: LayersSummary | undefined;
  /** The reason why the saved state cannot be read. */
  readonly error: string | undefined;
}

/**
 * Describes a game's proof by layers in a folder; returns `undefined` if there is no such folder.
 */
export function layersIn(folder: string, game: Game): LayersFolder | undefined {
  if (!statsOf(folder)?.isDirectory()) return undefined;
  let bytes = 0;
  try {
    bytes = bytesIn(folder);
    const isRunning = isLocked(join(folder, LOCK_FILE));
    return { folder, bytes, isRunning, summary: summaryOf(game, folder), error: undefined };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { folder, bytes, isRunning: false, summary: undefined, error: error.message };
  }
}

/**
 * Returns the bytes of the files in a folder.
 *
 * @throws {StoreError} `unusable` if it cannot be read
 */
function bytesIn(folder: string): number {
  try {
    // A process at work may delete a file between the two calls.
    const sizes = readdirSync(folder).map(
      (name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch (error) {
    throw new StoreError("unusable", `cannot read ${folder} (${reasonOf(error)})`, {
      cause: error,
    });
  }
}

/**
 * Reads the last saved state of a proof; another process may be working on it.
 *
 * @throws {StoreError} if the state cannot be read, or belongs to another game or version;
 *   `missing` if the folder has no proof
 */
export function savedState(game: Game, folder: string): LayersState & Pick<LayersFile, "split"> {
  using file = openFile(game, folder, { readOnly: true });
  return { ...file.load(), split: file.split };
}

/**
 * Opens the file with the progress of a proof, to continue or to begin it.
 *
 * @param split the number of blocks into which a hash splits one (default: that of the proof, or one
 *   that the shape suggests)
 * @throws {StoreError} if the file cannot be used, belongs to another game or version, or to a proof
 *   with another split
 */
export function openProgress(game: Game, folder: string, split: number | undefined): LayersFile {
  const file = openFile(game, folder, { split: split ?? splitOf(game.shape) });
  if (split === undefined || split === file.split) return file;
  file[Symbol.dispose]();
  throw new StoreError(
    "other-split",
    `the proof in ${folder} was begun with --split ${file.split}, not ${split}; delete the folder to start over`,
  );
}

function openFile(game: Game, folder: string, options: LayersFileOptions): LayersFile {
  const name = join(folder, PROGRESS_FILE);
  const file = new LayersFile(name, game, FILES_VERSION, options);
  if (Number.isInteger(Math.log2(file.split)) && file.split <= MOST_SPLIT) return file;
  file[Symbol.dispose]();
  throw new StoreError(
    "damaged",
    `${name} has ${file.split} as its split; expected a power of two up to ${MOST_SPLIT}`,
  );
}

function summaryOf(game: Game, folder: string): LayersSummary {
  const { progress, blocks } = savedState(game, folder);
  const { round, expanded, seconds } = progress;
  const own = blocks.filter(({ block }) => block !== STARTS);
  return { round, expanded, seconds, blocks: own.length, ...sizeOf(own, round) };
}

/**
 * Removes a file that a proof does not need; if that fails, {@link removeStrangers} removes it
 * later.
 */
export function removeFile(folder: string, name: string): void {
  remove(pathOf(folder, name));
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}

/** Removes the files in a folder that its proof does not need. */
export function removeStrangers(folder: string, needed: Iterable<string>): void {
  const known = new Set(needed);
  for (const name of readdirSync(folder)) {
    const isUnfinished = UNFINISHED.test(name);
    if (isUnfinished || (isFileName(name) && !known.has(name))) remove(join(folder, name));
  }
}

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Game } from "@gridlock/game";
import { isLocked, LayersFile, type LayersProgress, pathBeside, StoreError } from "@gridlock/store";
import { BLOCK_ENDING, LETTERS_ENDING } from "./block-file.js";
import { STARTS, splitOf } from "./blocks.js";

/**
 * Version of the files of a proof. Raise it when the format or the meaning of their contents
 * changes: of bounds, needs, nodes or letters, of the division of boards into blocks, or of the
 * keys that sort them. Builds that only choose or order the work differently use the same files.
 */
export const FILES_VERSION = "6";

/** Name of the file with the progress of a proof. */
export const PROGRESS_FILE = "progress.db";
/** Name of the file that a process locks while it works on a proof. */
export const LOCK_FILE = "lock";

/** Returns the folder of a game's proof beside a database. */
export function layersFolderOf(databaseFile: string, game: Game): string {
  return pathBeside(databaseFile, game, "layers");
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
  if (!existsSync(folder)) return undefined;
  // A process at work may delete a file between the two calls.
  const sizes = readdirSync(folder).map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  try {
    const isRunning = isLocked(join(folder, LOCK_FILE));
    return { folder, bytes, isRunning, summary: summaryOf(game, folder), error: undefined };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { folder, bytes, isRunning: false, summary: undefined, error: error.message };
  }
}

/** The saved state of a proof. */
interface SavedState extends ReturnType<LayersFile["load"]>, Pick<LayersFile, "split"> {}

/**
 * Reads the last saved state of a proof; another process may be working on it.
 *
 * @throws {StoreError} if the state cannot be read, or belongs to another game or version;
 *   `missing` if the folder has no proof
 */
export function savedState(game: Game, folder: string): SavedState {
  const name = join(folder, PROGRESS_FILE);
  using file = LayersFile.open(name, game, FILES_VERSION, { readOnly: true });
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
  const file = LayersFile.open(join(folder, PROGRESS_FILE), game, FILES_VERSION, {
    split: split ?? splitOf(game.shape),
  });
  if (split === undefined || split === file.split) return file;
  file[Symbol.dispose]();
  throw new StoreError(
    "other-split",
    `the proof in ${folder} was begun with --split ${file.split}, not ${split}; delete the folder to start over`,
  );
}

function summaryOf(game: Game, folder: string): LayersSummary {
  const { progress, blocks } = savedState(game, folder);
  const { round = 0, expanded = 0, seconds = 0 } = progress ?? {};
  const own = blocks.filter(({ block }) => block !== STARTS);
  return {
    ...{ round, expanded, seconds, blocks: own.length },
    boards: own.reduce((sum, block) => sum + block.boards, 0),
    live: own.reduce((sum, block) => sum + (block.round === round ? block.live : 0), 0),
  };
}

/**
 * Removes a file that a proof does not need; if that fails, {@link removeStrangers} removes it
 * later.
 */
export function removeFile(folder: string, name: string): void {
  try {
    rmSync(join(folder, name), { force: true });
  } catch {}
}

/** Removes the files in a folder that its proof does not need. */
export function removeStrangers(folder: string, needed: Iterable<string>): void {
  const known = new Set(needed);
  for (const name of readdirSync(folder)) {
    const isOurs = [BLOCK_ENDING, LETTERS_ENDING, ".tmp"].some((end) => name.endsWith(end));
    if (isOurs && !known.has(name)) removeFile(folder, name);
  }
}

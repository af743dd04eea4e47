import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeGame, type Game, isExact } from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import type { CleanOutput } from "@gridlock/schemas";
import { storedStarts } from "@gridlock/solver";
import {
  Database,
  filesBeside,
  isLocked,
  removeSqlite,
  StoreError,
  sqliteFiles,
  stateOfRun,
  takeAlone,
  takeLock,
} from "@gridlock/store";
import { columnFileOf, type TabulationSummary, tabulationsBeside } from "@gridlock/tablebase";
import { commandOf } from "./options/game.js";

/** The kinds of files that can be removed without losing a proven value. */
export const KINDS = ["snapshots", "workers", "tabulations"] as const;
/** One of the {@link KINDS}. */
export type Kind = CleanOutput["files"][number]["kind"];

/** Files that belong together. */
export interface Leftover {
  readonly kind: Kind;
  /** The game, if the files are of one. */
  readonly game: Game | undefined;
  readonly files: readonly string[];
  readonly bytes: number;
  /** `unfinished`: a solve would resume from them; `in use`: by a process that is running. */
  readonly state: "removable" | "unfinished" | "in use";
  /** A clause on what removing the files would lose. */
  readonly note: string;
  /**
   * Removes the files.
   *
   * @throws {StoreError} `locked` if another process has begun to use them
   */
  remove(): void;
}

/**
 * Lists the files of some kinds beside a database.
 *
 * @throws {StoreError} if the database cannot be read
 */
export function leftoversBeside(databaseFile: string, kinds: readonly Kind[]): Leftover[] {
  const found = {
    snapshots: () => snapshotsBeside(databaseFile),
    workers: () => workersBeside(databaseFile),
    tabulations: () =>
      tabulationsBeside(databaseFile).map((one) => leftTabulation(databaseFile, one)),
  };
  return KINDS.filter((kind) => kinds.includes(kind)).flatMap((kind) => found[kind]());
}

function snapshotsBeside(databaseFile: string): Leftover[] {
  const snapshots = filesBeside(databaseFile, "snapshot");
  if (snapshots.length === 0) return [];
  const hasDatabase = existsSync(databaseFile);
  const isUsed = hasDatabase && isInUse(databaseFile);
  using database = hasDatabase ? Database.open(databaseFile, { readOnly: true }) : undefined;
  return snapshots.map(({ game, file }) => {
    const starts = database ? storedStarts(game, database, database.starts(game)) : [];
    const solved = starts.filter(({ bound }) => isExact(bound)).length;
    const isSolved = starts.length > 0 && solved === starts.length;
    const files = sqliteFiles(file);
    return {
      ...{ kind: "snapshots", game, files, bytes: sizeOf(files) },
      state: isUsed ? "in use" : isSolved ? "removable" : "unfinished",
      note: isSolved
        ? "all starts are solved"
        : `${solved} of ${starts.length === 0 ? "the" : starts.length} starts are solved`,
      remove() {
        using _alone = hasDatabase ? takeAlone(databaseFile) : undefined;
        removeSqlite(file);
      },
    };
  });
}

/** Returns whether another process has a database open, or a run in it is alive. */
function isInUse(databaseFile: string): boolean {
  try {
    using _alone = takeAlone(databaseFile);
  } catch (error) {
    if (error instanceof StoreError && error.code === "locked") return true;
    throw error;
  }
  using database = Database.open(databaseFile, { readOnly: true });
  return database.runs.all().some((run) => stateOfRun(run) === "running");
}

/** Lists the databases of workers in the folder of a database, each with its snapshots. */
function workersBeside(databaseFile: string): Leftover[] {
  const folder = dirname(databaseFile);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^worker.*\.db$/.test(name))
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => resolve(file) !== resolve(databaseFile) && isOfWorker(file))
    .map((file) => {
      const snapshots = ["claims", "snapshot"].flatMap((ending) =>
        filesBeside(file, ending).map((snapshot) => snapshot.file),
      );
      const files = [file, ...snapshots].flatMap(sqliteFiles);
      return {
        ...{ kind: "workers", game: undefined, files, bytes: sizeOf(files) },
        state: isInUse(file) ? "in use" : "removable",
        note: "a worker would begin its next run with what is in them",
        remove() {
          using _alone = takeAlone(file);
          for (const one of [...snapshots, file]) removeSqlite(one);
        },
      };
    });
}

/** Returns whether a file is the database of a worker, which has bounds, and neither starts nor runs. */
function isOfWorker(file: string): boolean {
  try {
    using database = Database.open(file, { readOnly: true });
    const games = database.games();
    return (
      games.every((game) => database.starts(game).length === 0) && database.runs.all().length === 0
    );
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

function leftTabulation(
  databaseFile: string,
  { game, columns, ...one }: TabulationSummary,
): Leftover {
  const positions = columnFileOf(databaseFile, game, "positions");
  const files = columns.map((name) => positions.replace(/positions$/, name));
  const lock = `${positions}.lock`;
  return {
    ...{ kind: "tabulations", game, files, bytes: one.bytes },
    state: isLocked(lock) ? "in use" : "removable",
    note: `${formatCount(one.positions)} positions; gridlock ${commandOf("tabulate", game)} finds them again`,
    remove() {
      using _lock = takeLock(lock, `tabulating ${describeGame(game)}`);
      for (const file of files) rmSync(file, { force: true });
    },
  };
}

function sizeOf(files: readonly string[]): number {
  return files.reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

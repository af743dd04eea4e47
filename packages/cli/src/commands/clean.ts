import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeGame, type Game, isExact } from "@gridlock/game";
import { formatBytes, formatCount, formatTable } from "@gridlock/report";
import type { CleanOutput } from "@gridlock/schemas";
import { storedStarts } from "@gridlock/solver";
import {
  acquireLock,
  Database,
  filesBeside,
  isLocked,
  lockDatabase,
  removeSqlite,
  StoreError,
  sqliteFiles,
  stateOfRun,
} from "@gridlock/store";
import { columnFileOf, type TabulationSummary, tabulationsBeside } from "@gridlock/tablebase";
import { Argument, Command } from "commander";
import { commandOf } from "../options/game.js";
import { dbOption, jsonOption } from "../options/options.js";
import { ask, canAsk } from "../output/ask.js";
import { gameAsJson, printError, printJson, printLine } from "../output/print.js";

/** The kinds of files that can be removed without losing a proven value. */
const KINDS = ["snapshots", "workers", "tabulations"] as const;
/** Files that belong together, as they are printed. */
type Files = CleanOutput["files"][number];
/** One of the {@link KINDS}. */
type Kind = Files["kind"];

/** Files that can be removed together. */
interface Leftover extends Files {
  /** The name of the game, if the files are of one. */
  readonly game: string;
  /** A clause on what removing the files would lose. */
  readonly note: string;
  /**
   * Locks the files, to remove them.
   *
   * @throws {StoreError} `locked` if another process uses them
   */
  lock(): Disposable | undefined;
}

interface CleanFlags {
  readonly db: string;
  readonly unfinished?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Makes the command `gridlock clean`. */
export function cleanCommand(): Command {
  return new Command("clean")
    .description("list and remove files beside a database that no proven value depends on")
    .addArgument(new Argument("[kinds...]", "what to remove (default: all)").choices(KINDS))
    .addOption(dbOption())
    .option("--unfinished", "also remove snapshots that a solve would resume from")
    .option("--yes", "remove without asking")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Lists snapshots of transposition tables, databases of workers (worker*.db) with their snapshots, and
tabulations. It says how much disk space removing them frees, and asks before it does so. Without a terminal
to ask on, it removes nothing unless --yes is given. It never removes files that a running process uses,
certificates, or the database with its values.

Examples:
  $ gridlock clean
  $ gridlock clean snapshots workers --yes
  $ gridlock clean tabulations --db /data/gridlock.db --json`,
    )
    .action((kinds: Kind[], flags: CleanFlags) =>
      runClean(kinds.length === 0 ? KINDS : kinds, flags),
    );
}

async function runClean(kinds: readonly Kind[], flags: CleanFlags): Promise<void> {
  const leftovers = leftoversBeside(flags.db, kinds);
  const chosen = leftovers.filter(
    ({ state }) => state === "removable" || (state === "unfinished" && flags.unfinished),
  );
  if (!flags.json) print(leftovers, chosen, flags.db);
  const agreed =
    chosen.length > 0 &&
    (flags.yes || (!flags.json && canAsk() && (await ask("Remove these files? [y/N] "))));
  const outcomes = leftovers.map((one) => ({
    ...one,
    state: agreed && chosen.includes(one) ? removed(one) : one.state,
  }));
  const freed = sum(outcomes.filter(({ state }) => state === "removed"));
  if (flags.json) {
    const files = outcomes.map(({ game: _, note: _note, lock: _lock, ...one }) => one);
    printJson<CleanOutput>({ bytes: agreed ? freed : sum(chosen), files });
  } else if (agreed) printLine(`freed ${formatBytes(freed)}`);
  else if (chosen.length > 0) printLine("nothing was removed; add --yes to remove these files");
}

/** Removes files, unless another process has just begun to use them. */
function removed(one: Leftover): Files["state"] {
  try {
    using _lock = one.lock();
    for (const file of one.files) removeSqlite(file);
    return "removed";
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "locked")) throw error;
    printError(`not removed: ${error.message}`);
    return "in use";
  }
}

function sum(leftovers: readonly Pick<Leftover, "bytes">[]): number {
  return leftovers.reduce((bytes, one) => bytes + one.bytes, 0);
}

function print(leftovers: readonly Leftover[], chosen: readonly Leftover[], db: string): void {
  if (leftovers.length === 0) {
    printLine(`there is nothing to remove beside ${db}`);
    return;
  }
  const namesOf = ([first, ...more]: readonly string[]) =>
    `${first}${more.length > 0 ? ` and ${more.length} more` : ""}`;
  printLine(
    formatTable(leftovers, [
      ["kind", ({ kind }) => kind],
      ["game", ({ game }) => game],
      ["size", ({ bytes }) => formatBytes(bytes), "right"],
      ["state", ({ state }) => state],
      ["files", ({ files }) => namesOf(files)],
      ["", ({ note }) => note],
    ]),
  );
  const kept = leftovers.some((one) => one.state === "unfinished" && !chosen.includes(one));
  printLine(
    `\nRemoving ${chosen.length === leftovers.length ? "them" : "the removable files"} frees ${formatBytes(sum(chosen))}.${kept ? " A solve would resume from the unfinished snapshots; --unfinished removes them too." : ""}`,
  );
}

/** Lists the files of some kinds beside a database. */
function leftoversBeside(databaseFile: string, kinds: readonly Kind[]): Leftover[] {
  const found = {
    snapshots: snapshotsBeside,
    workers: workersBeside,
    tabulations: (file: string) => tabulationsBeside(file).map((one) => tabulationOf(file, one)),
  };
  return KINDS.filter((kind) => kinds.includes(kind)).flatMap((kind) => found[kind](databaseFile));
}

function leftover(
  kind: Kind,
  game: Game | undefined,
  files: readonly string[],
  rest: Pick<Leftover, "state" | "note" | "lock">,
): Leftover {
  const sizes = files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return {
    kind,
    game: game ? describeGame(game) : "",
    ...(game ? gameAsJson(game) : { shape: null, tiles: null }),
    files,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    ...rest,
  };
}

function snapshotsBeside(databaseFile: string): Leftover[] {
  const snapshots = filesBeside(databaseFile, "snapshot");
  if (snapshots.length === 0) return [];
  const hasDatabase = existsSync(databaseFile);
  const isUsed = hasDatabase && isInUse(databaseFile);
  using database = hasDatabase ? Database.open(databaseFile, { readOnly: true }) : undefined;
  return snapshots.map(({ game, file }) => {
    const starts = database ? storedStarts(game, database) : [];
    const solved = starts.filter(({ bound }) => isExact(bound)).length;
    const isSolved = starts.length > 0 && solved === starts.length;
    return leftover("snapshots", game, sqliteFiles(file), {
      state: isUsed ? "in use" : isSolved ? "removable" : "unfinished",
      note: isSolved
        ? "all starts are solved"
        : `${solved} of ${starts.length === 0 ? "the" : starts.length} starts are solved`,
      lock: () => (hasDatabase ? lockDatabase(databaseFile) : undefined),
    });
  });
}

/** Returns whether another process has a database open, or a run in it is alive. */
function isInUse(databaseFile: string): boolean {
  try {
    using _alone = lockDatabase(databaseFile);
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
      const snapshots = ["claims", "snapshot"].flatMap((ending) => filesBeside(file, ending));
      const files = [file, ...snapshots.map((snapshot) => snapshot.file)].flatMap(sqliteFiles);
      return leftover("workers", undefined, files, {
        state: isInUse(file) ? "in use" : "removable",
        note: "a worker would begin its next run with what is in them",
        lock: () => lockDatabase(file),
      });
    });
}

/** Returns whether a file is a worker's database, which has bounds, but neither starts nor runs. */
function isOfWorker(file: string): boolean {
  try {
    using database = Database.open(file, { readOnly: true });
    const hasStarts = database.games().some((game) => database.starts(game).length > 0);
    return !hasStarts && database.runs.all().length === 0;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

function tabulationOf(databaseFile: string, summary: TabulationSummary): Leftover {
  const { game, columns, positions } = summary;
  const file = columnFileOf(databaseFile, game, "positions");
  const lock = `${file}.lock`;
  const files = columns.map((name) => file.replace(/positions$/, name));
  return leftover("tabulations", game, files, {
    state: isLocked(lock) ? "in use" : "removable",
    note: `${formatCount(positions)} positions; gridlock ${commandOf("tabulate", game)} finds them again`,
    lock: () => acquireLock(lock, `tabulating ${describeGame(game)}`),
  });
}

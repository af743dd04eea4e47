import { availableParallelism } from "node:os";
import { parseTiles, type Tiles } from "@gridlock/game";
import { SNAPSHOT_EVERY } from "@gridlock/solver";
import { MEMORY } from "@gridlock/store";
import { Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../exit.js";
import { asArgument, parseInteger, parseSeconds, parseSize } from "./parse.js";
import { databaseOption, folderOption } from "./paths.js";

/** The database that commands use without `--db`. */
export const DEFAULT_DB = "results/gridlock.db";
const MAX_WORKERS = 256;

/** Makes the option `--db`. */
export const dbOption = () =>
  databaseOption("--db <file>", "database of the results").default(DEFAULT_DB);

/**
 * Refuses a database in memory.
 *
 * @param who what keeps files beside the database
 */
export function expectFile(db: string, who: string): void {
  if (db !== MEMORY) return;
  throw new UsageError(
    `${who} keeps its files beside the database; expected a --db that is a file`,
  );
}

/** Makes the option `--out`. */
export const outOption = (folder: string) =>
  folderOption("--out <folder>", "folder for the results").default(folder);

/** Makes the option `--tiles`. */
export const tilesOption = () =>
  new Option("--tiles <tiles>", "tiles that the placer may place: 2,4 or 2 alone")
    .default([2, 4] satisfies Tiles, "2,4")
    .argParser(asArgument(parseTiles));

/** Options of a command for a game. */
export interface GameFlags {
  readonly tiles: Tiles;
  readonly db: string;
  readonly quiet?: true;
  readonly json?: true;
}

/** Makes a command for the games of a shape, its argument, with options `--tiles` and `--db`. */
export function gameCommand(
  name: string,
  description: string,
  [argument, about] = ["<shape>", "rows x columns, e.g. 3x3"],
): Command {
  return new Command(name)
    .description(description)
    .argument(argument as string, about)
    .addOption(tilesOption())
    .addOption(dbOption());
}

/** Makes the option `--json`. */
export const jsonOption = () =>
  new Option("--json", "print JSON on standard output, everything else on standard error");

/** Makes the option `--memory` of a table, in bytes. */
export const memoryOption = (description: string, byDefault: string) =>
  new Option("--memory <size>", `${description}, e.g. 512M or 2G (default: ${byDefault})`)
    .env("GRIDLOCK_MEMORY")
    .argParser(parseSize);

/** Makes the option `--memory` of a sweep, in bytes. */
export const sweepMemoryOption = () =>
  memoryOption("memory for positions and their values", "half of what is free, up to 4G");

/** Makes the option `--workers`. */
export const workersOption = () => threadsOption("--workers <n>", "worker threads");

/** Makes the option for a number of threads under a name that suits the command. */
export const threadsOption = (flags: string, description: string) =>
  new Option(flags, description)
    .default(availableParallelism(), "one per processor")
    .env("GRIDLOCK_THREADS")
    .argParser((text) => parseInteger(text, 1, MAX_WORKERS));

/** Makes the option `--seed`. */
export const seedOption = (description: string) =>
  new Option("--seed <n>", description).argParser((text) => parseInteger(text, 0, 2 ** 32 - 1));

/** Makes the option `--snapshot-every`, in seconds. */
export const snapshotEveryOption = (seconds = SNAPSHOT_EVERY) =>
  new Option("--snapshot-every <seconds>", "seconds between saves of the table to its snapshot")
    .default(seconds)
    .env("GRIDLOCK_SNAPSHOT_EVERY")
    .argParser((text) => {
      const seconds = parseSeconds(text);
      if (seconds > 0) return seconds;
      throw new InvalidArgumentError("expected more than 0 seconds.");
    });

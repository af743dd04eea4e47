import { availableParallelism } from "node:os";
import { parseTiles, type Tiles } from "@gridlock/game";
import { SNAPSHOT_EFFORT, SNAPSHOT_EVERY } from "@gridlock/solver";
import { Option } from "commander";
import { asArgument, parseFile, parseInteger, parseSeconds, parseSize } from "./parse.js";

export const DEFAULT_DB = "results/gridlock.db";
const MAX_WORKERS = 256;

/** Makes the option of a file or a folder; relative names are refused in a deleted working folder. */
export function fileOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(parseFile);
}

export const dbOption = () =>
  fileOption("--db <file>", "database of the results").default(DEFAULT_DB).env("GRIDLOCK_DB");

export const outOption = (folder: string) =>
  fileOption("--out <folder>", "folder for the results").default(folder);

export const tilesOption = () =>
  new Option("--tiles <tiles>", "tiles that the placer has, 2,4 or 2")
    .default([2, 4] satisfies Tiles, "2,4")
    .argParser(asArgument(parseTiles));

export const jsonOption = () =>
  new Option("--json", "print JSON on standard output, everything else on standard error");

export const memoryOption = (description: string, byDefault: string) =>
  new Option("--memory <size>", `${description}, e.g. 512M or 2G (default: ${byDefault})`)
    .env("GRIDLOCK_MEMORY")
    .argParser(parseSize);

export const sweepMemoryOption = () =>
  memoryOption("memory for the tables of three layers", "half of what is free, up to 4G");

export const workersOption = () => threadsOption("--workers <n>", "worker threads");

/** Makes the option for a number of threads under a name that suits the command. */
export const threadsOption = (flags: string, description: string) =>
  new Option(flags, description)
    .default(availableParallelism(), "one per processor")
    .env("GRIDLOCK_THREADS")
    .argParser((text) => parseInteger(text, 1, MAX_WORKERS));

export const seedOption = (description: string) =>
  new Option("--seed <n>", description).argParser((text) => parseInteger(text, 0, 2 ** 32 - 1));

export const snapshotEveryOption = () =>
  new Option(
    "--snapshot-every <seconds>",
    "seconds between snapshots of the table, 0 for one at the end",
  )
    .default(SNAPSHOT_EVERY)
    .env("GRIDLOCK_SNAPSHOT_EVERY")
    .argParser(parseSeconds);

export const snapshotEffortOption = () =>
  new Option(
    "--snapshot-effort <nodes>",
    "save only table entries that cost at least this many nodes",
  )
    .default(SNAPSHOT_EFFORT)
    .env("GRIDLOCK_SNAPSHOT_EFFORT")
    .argParser((text) => parseInteger(text, 1, 2 ** 31 - 1));

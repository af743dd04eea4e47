import { availableParallelism } from "node:os";
import {
  describeGame,
  formatShape,
  type Game,
  largestTile,
  parseShape,
  parseTiles,
  type Tiles,
} from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import { formatCount } from "@gridlock/report";
import { defaultMemory, leastMemory, SNAPSHOT_EFFORT, SNAPSHOT_EVERY } from "@gridlock/solver";
import { InvalidArgumentError, Option } from "commander";
import { UsageError } from "../exit.js";

/** The database that is used when `--db` names no other. */
const DEFAULT_DB = "results/gridlock.db";
const MAX_WORKERS = 256;
/** Most memory that a sweep takes unless told otherwise: one memory of WebAssembly. */
const MOST_SWEEP_MEMORY = 4 * 2 ** 30;

/** Makes the option of a file or a folder. */
export function fileOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(parseFile);
}

export const dbOption = () =>
  fileOption("--db <file>", "the solution database").default(DEFAULT_DB).env("GRIDLOCK_DB");

export const outOption = (folder: string) =>
  fileOption("--out <folder>", "the folder to write results into").default(folder);

export const tilesOption = () =>
  new Option("--tiles <tiles>", "what the placer may place: 2,4 (the game) or 2")
    .default([2, 4] satisfies Tiles, "2,4")
    .argParser(asArgument(parseTiles));

export const jsonOption = () =>
  new Option("--json", "print JSON to standard output, all else to standard error");

export const memoryOption = (description: string) =>
  new Option("--memory <size>", `${description}, such as 512M or 2G`).argParser(parseSize);

export const sweepMemoryOption = () => memoryOption("memory for the tables of three layers");

export const workersOption = () =>
  new Option("--workers <n>", "worker threads")
    .default(availableParallelism(), "one for each processor")
    .argParser((text) => parseInteger(text, 1, MAX_WORKERS));

export const seedOption = (description: string) =>
  new Option("--seed <n>", description).argParser((text) => parseInteger(text, 0, 2 ** 32 - 1));

export const snapshotEveryOption = () =>
  new Option(
    "--snapshot-every <seconds>",
    "how often what the table learns is saved; 0: only at the end",
  )
    .default(SNAPSHOT_EVERY)
    .argParser(parseSeconds);

export const snapshotEffortOption = () =>
  new Option("--snapshot-effort <nodes>", "save entries that have cost so many nodes or more")
    .default(SNAPSHOT_EFFORT)
    .argParser((text) => parseInteger(text, 1, 2 ** 31 - 1));

/** A shape argument and the tiles option as a game. */
export function gameOf(shape: string, tiles: Tiles): Game {
  return { shape: parseShape(shape), tiles };
}

/** A command of this program for a game, to be typed: `solve 2x3 --tiles 2`. */
export function commandOf(command: string, { shape, tiles }: Game): string {
  return `${command} ${formatShape(shape)}${tiles.length === 1 ? " --tiles 2" : ""}`;
}

/** An error about a database that has to be filled first. */
export function holdsNothing(file: string, game: Game): UsageError {
  return new UsageError(
    `${file} holds nothing of ${describeGame(game)}; gridlock ${commandOf("solve", game)} comes first`,
  );
}

/** What Node.js and the program take beside a table, measured: some 100 MiB. Of little memory no more than a part counts. */
const PROCESS_BYTES = 96 * 2 ** 20;
const PROCESS_PART = 1 / 8;

/**
 * The memory for a table: what the process itself leaves of what is asked, or chosen for the shape and the machine.
 *
 * @throws {UsageError} when that is less than the game needs, or more than the machine has to give.
 */
export function tableMemory(game: Game, threads: number, asked: number | undefined): number {
  const available = process.availableMemory();
  const least = leastMemory(game, threads);
  if (asked !== undefined && asked < least) throw new UsageError(tooLittleMemory(asked, least));
  const bytes =
    asked === undefined
      ? defaultMemory(game, threads, available)
      : Math.min(
          Math.max(least, asked - Math.min(PROCESS_BYTES, PROCESS_PART * asked)),
          tableLimits(game, threads).most,
        );
  if (bytes > available) throw new UsageError(machineTooSmall(bytes, least, available));
  return bytes;
}

/** The memory for a sweep: as asked, or half of what the machine has to give. */
export function sweepMemory(asked: number | undefined): number {
  return asked ?? Math.min(MOST_SWEEP_MEMORY, Math.floor(process.availableMemory() / 2));
}

/** Says that the machine has not the memory that a table is to have. */
export function machineTooSmall(bytes: number, least: number, available: number): string {
  const mib = (size: number) => `${Math.ceil(size / 2 ** 20)}M`;
  const most = `${Math.floor(available / 2 ** 20)}M`;
  const given = `the table is to have ${mib(bytes)} of memory, and this machine has ${most} to give`;
  return least > available
    ? `${given}; the game needs ${mib(least)}`
    : `${given}; expected a --memory of ${mib(least)} to ${most}`;
}

/** Reads the name of a file. */
export function parseFile(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("expected the name of a file.");
  return text;
}

/** Says that the memory given is too little; both figures so that they differ. */
export function tooLittleMemory(given: number, least: number): string {
  return `--memory of ${formatCount(given)} bytes is too little; expected at least ${formatCount(least)} (${Math.ceil(least / 2 ** 20)}M)`;
}

/** Reads a size in bytes: a number with K, M, G or T behind it, with or without `iB` or `B`. */
function parseSize(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*$/i.exec(text);
  const size = match
    ? Number(match[1]) * 1024 ** " KMGT".indexOf((match[2] as string).toUpperCase() || " ")
    : Number.NaN;
  if (!(size >= 1)) {
    throw new InvalidArgumentError(`expected a size such as 512M or 2G, not "${text}".`);
  }
  return Math.floor(size);
}

/** Reads a time, 90s, 30m or 2h, in seconds. */
export function parseTime(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([smh])\s*$/i.exec(text);
  const seconds = match
    ? Number(match[1]) * 60 ** "smh".indexOf((match[2] as string).toLowerCase())
    : 0;
  if (!(seconds > 0 && seconds < 2 ** 31 / 1000)) {
    throw new InvalidArgumentError(`expected a time such as 90s, 30m or 2h, not "${text}".`);
  }
  return seconds;
}

/** Reads a score, in points. */
export function parseScore(text: string): number {
  return parseInteger(text, 4, 2 ** 28 - 4);
}

/** Reads a goal, tile:64. */
export function parseGoal(text: string): number {
  const tile = /^tile:(.*)$/i.exec(text)?.[1];
  if (tile === undefined) {
    throw new InvalidArgumentError(`expected tile: and a tile, such as tile:64, not "${text}".`);
  }
  return parseTile(tile);
}

/** Reads a tile that is to be made: more than is placed, and no more than a cell of a board may hold. */
export function parseTile(text: string): number {
  const tile = Number(text);
  if (!(/^\d+$/.test(text) && tile >= 8 && tile <= 32768 && Number.isInteger(Math.log2(tile)))) {
    throw new InvalidArgumentError(
      `expected a tile, a power of two from 8 to 32768, not "${text}".`,
    );
  }
  return tile;
}

/**
 * Makes sure that play can make a tile.
 *
 * @throws {UsageError} when it is larger than all that can be made
 */
export function expectTile(game: Game, tile: number): void {
  const largest = largestTile(game);
  if (tile <= largest) return;
  throw new UsageError(
    `no play on ${describeGame(game)} makes a tile of ${tile}; expected at most ${largest}`,
  );
}

/** Reads a whole number between two others. */
export function parseInteger(text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new InvalidArgumentError(
      `expected a whole number from ${least} to ${most}, not "${text}".`,
    );
  }
  return value;
}

/** Reads a number of seconds, 0 or more. */
export function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && Number.isFinite(value))) {
    throw new InvalidArgumentError(`expected a number of seconds, 0 or more, not "${text}".`);
  }
  return value;
}

/** Makes a parser of the game one of the command line. */
function asArgument<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
}

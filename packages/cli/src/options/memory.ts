import type { Game } from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import { formatBytes, formatCount } from "@gridlock/report";
import {
  defaultMemory,
  leastMemory,
  SEARCH_MEMORY,
  searchMemory,
  whyNoKernel,
} from "@gridlock/solver";
import { LEAST_MEMORY } from "@gridlock/verify";
import { UsageError } from "../exit.js";

/** Most bytes of a sweep by default: one memory of WebAssembly. */
const MOST_SWEEP_MEMORY = 4 * 2 ** 30;
/** Measured bytes of Node.js and the program; of little memory, only a part is set aside. */
const PROCESS_BYTES = 96 * 2 ** 20;
const PROCESS_PART = 1 / 8;

/**
 * Returns the bytes of a table: those asked for, less the process's own, or a size chosen for the
 * game and the machine.
 *
 * @throws {UsageError} when the game needs more, or the machine has less
 */
export function tableMemory(game: Game, threads: number, asked: number | undefined): number {
  const available = memoryOfProcess();
  const least = leastMemory(game, threads);
  if (asked !== undefined && asked < least) throw new UsageError(tooLittleMemory(asked, least));
  const bytes =
    asked === undefined
      ? defaultMemory(game, threads, available)
      : Math.min(
          Math.max(least, Math.floor(asked - Math.min(PROCESS_BYTES, PROCESS_PART * asked))),
          tableLimits(game, threads).most,
        );
  if (bytes > available) throw new UsageError(machineTooSmall(bytes, least, available));
  return bytes;
}

/** Returns the bytes that this process may have in all: its next table replaces the last one. */
function memoryOfProcess(): number {
  return process.availableMemory() + process.memoryUsage.rss();
}

/**
 * Returns the bytes of the table of a query's search: those asked for, or a size chosen for the
 * game and the machine; `undefined` if the game cannot be searched.
 *
 * @throws {UsageError} when the game needs more, or the machine has less
 */
export function queryMemory(game: Game, asked: number | undefined): number | undefined {
  if (whyNoKernel(game) !== undefined) return undefined;
  const { least } = tableLimits(game, 1);
  if (asked !== undefined && asked < least) throw new UsageError(tooLittleMemory(asked, least));
  const available = process.availableMemory();
  const most = asked ?? Math.min(SEARCH_MEMORY, available / 2);
  const bytes = searchMemory(game, most) as number;
  if (bytes > available) throw new UsageError(machineTooSmall(bytes, least, available));
  return bytes;
}

/** The game whose searches need most memory at least: a thread has room for its longest games. */
const LARGEST: Game = { shape: { rows: 3, cols: 4 }, tiles: [2, 4] };

/**
 * Returns the bytes for the tables of threads that search any games.
 *
 * @throws {UsageError} when some game needs more
 */
export function searchesMemory(threads: number, asked = threads * SEARCH_MEMORY): number {
  const least = threads * tableLimits(LARGEST, 1).least;
  if (asked < least) throw new UsageError(tooLittleMemory(asked, least));
  return asked;
}

/** Returns the bytes of a sweep: those asked for, or half of the available memory. */
export function sweepMemory(asked: number | undefined): number {
  return asked ?? Math.min(MOST_SWEEP_MEMORY, Math.floor(process.availableMemory() / 2));
}

/**
 * Returns the bytes of a process that checks a certificate: those asked for, or a quarter of the
 * available memory, but no less than the largest certificates need.
 */
export function checkMemory(asked = process.availableMemory() / 4): number {
  return Math.max(LEAST_MEMORY, asked);
}

/** Returns the sentence for a table that is larger than the available memory. */
function machineTooSmall(bytes: number, least: number, available: number): string {
  const mib = (size: number) => `${Math.ceil(size / 2 ** 20)}M`;
  const most = `${Math.floor(available / 2 ** 20)}M`;
  const given = `a table of ${formatBytes(bytes)} is too large: ${formatBytes(available)} of memory is available`;
  return least > available
    ? `${given}; the game needs ${mib(least)}`
    : `${given}; expected a --memory of ${mib(least)} to ${most}`;
}

/** Returns the sentence for too little `--memory`, in bytes, so that the two figures differ. */
function tooLittleMemory(given: number, least: number): string {
  return `--memory of ${formatCount(given)} bytes is too little; expected at least ${formatCount(least)} (${Math.ceil(least / 2 ** 20)}M)`;
}

import { cellCount, formatShape, type Game } from "@gridlock/game";
import { hasKernel, KERNEL_LIMITS, tableLimits } from "@gridlock/kernel/web";
import { estimate } from "./estimate.js";

/** Slots of a table per expected node of a solve, so that few entries are replaced. */
const SLOTS_PER_NODE = 4;
/** The same for searches of seconds, whose time goes into writing memory for the first time. */
const SEARCH_SLOTS_PER_NODE = 1;
const LEAST = 4 * 2 ** 20;

/**
 * Returns the default memory for a table, in bytes: enough for all entries that the game is
 * expected to need, but no more than half of the free memory, and within the shape's limits.
 */
export function defaultMemory(game: Game, threads: number, freeBytes: number): number {
  const { most } = tableLimits(game, threads);
  const wanted = wantedMemory(game, threads, SLOTS_PER_NODE);
  return Math.max(leastMemory(game, threads), Math.min(most, wanted, freeBytes / 2));
}

/** Returns the bytes of a table with so many slots per expected node. */
function wantedMemory(game: Game, threads: number, slots: number): number {
  return tableLimits(game, threads).threads + LEAST + slots * estimate(game.shape).tableBytes;
}

/** Fraction of the expected entries below which a table forgets faster than it helps. */
const LEAST_PART = 1 / 16;
/** Most bytes to require: if they are too few to solve a board, its bounds are still useful. */
const MOST_DEMANDED = 2 ** 30;

/**
 * Returns the least memory, in bytes, with which a game can be solved in reasonable time, if it can
 * at all.
 */
export function leastMemory(game: Game, threads: number): number {
  const { threads: room, least } = tableLimits(game, threads);
  const wanted = Math.ceil(LEAST_PART * estimate(game.shape).tableBytes);
  return Math.max(least, room + Math.min(wanted, MOST_DEMANDED));
}

/** Most bytes of a table for searches of seconds by default. */
export const SEARCH_MEMORY = 256 * 2 ** 20;

/**
 * Returns the bytes of the table for searches of seconds: what the game needs, but no more than
 * `most`, and no less than the least table, which takes 21 MiB at most; `undefined` if the game
 * cannot be searched.
 */
export function searchMemory(game: Game, most: number): number | undefined {
  if (whyNoKernel(game) !== undefined) return undefined;
  const { least, most: limit } = tableLimits(game, 1);
  const wanted = wantedMemory(game, 1, SEARCH_SLOTS_PER_NODE);
  return Math.max(least, Math.min(most, wanted, limit));
}

/** Cells from which a table entry cannot hold the best score of a game with 2s only. */
const WIDE_CELLS = 13;

/** Explains to the user why a game cannot be searched; `undefined` if it can. */
export function whyNoKernel({ shape, tiles }: Game): string | undefined {
  if (!hasKernel(shape)) return `${formatShape(shape)} cannot be searched; ${KERNEL_LIMITS}`;
  if (tiles.length > 1 || cellCount(shape) < WIDE_CELLS) return undefined;
  return `with 2s alone ${formatShape(shape)} cannot be searched; its values may be larger than a table entry holds`;
}

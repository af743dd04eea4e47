import { cellCount, formatShape, type Game } from "@gridlock/game";
import { hasKernel, KERNEL_LIMITS, tableLimits } from "@gridlock/kernel";
import { estimate } from "./estimate.js";

/** Slots of a table for each node expected, so that few entries are replaced. */
const SLOTS_PER_NODE = 4;
const LEAST = 4 * 2 ** 20;

/**
 * The memory a table should have when the user does not say: enough for all that is expected to be
 * learned, but no more than half of what the machine has free, and within the shape's limits.
 */
export function defaultMemory(game: Game, threads: number, freeBytes: number): number {
  const { threads: room, most } = tableLimits(game, threads);
  const wanted = room + LEAST + SLOTS_PER_NODE * estimate(game.shape).tableBytes;
  return Math.max(leastMemory(game, threads), Math.min(most, wanted, freeBytes / 2));
}

/** A table that holds less than this part of what is learned forgets faster than it helps. */
const LEAST_PART = 1 / 16;
/** More than this is not demanded: of boards for which it is too little, bounds are of use too. */
const MOST_DEMANDED = 2 ** 30;

/** The least memory with which all starts of a game can be solved in reasonable time, if they can at all. */
export function leastMemory(game: Game, threads: number): number {
  const { threads: room, least } = tableLimits(game, threads);
  const wanted = LEAST_PART * estimate(game.shape).tableBytes;
  return Math.max(least, room + Math.min(wanted, MOST_DEMANDED));
}

/** From so many cells on, the score of the best end of a game with 2s alone fits no table entry. */
const WIDE_CELLS = 13;

/** Why a game cannot be searched, as a sentence for the user; `undefined` when it can. */
export function whyNoKernel({ shape, tiles }: Game): string | undefined {
  if (!hasKernel(shape)) return `${formatShape(shape)} cannot be searched; ${KERNEL_LIMITS}`;
  if (tiles.length > 1 || cellCount(shape) < WIDE_CELLS) return undefined;
  return `with 2s alone ${formatShape(shape)} cannot be searched; its values may be larger than a table entry holds`;
}

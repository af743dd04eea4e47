import { cellCount, type Game, mostPointsToCome, normalShape, unpackBoard } from "@gridlock/game";
import { hasKernel, type Kernel, tableLimits } from "@gridlock/kernel";
import type { BoundTable } from "@gridlock/store";
import { estimate } from "./estimate.js";

/** Slots of a table for each node expected, so that few entries are replaced. */
const SLOTS_PER_NODE = 4;
const LEAST = 4 * 2 ** 20;

/**
 * The memory a table should have when the user does not say: enough for all that is expected to be
 * learned, but no more than half of what the machine has free, and within the shape's limits.
 */
export function defaultMemory(game: Game, threads: number, freeBytes: number): number {
  const { least, most } = tableLimits(game, threads);
  const wanted = LEAST + SLOTS_PER_NODE * estimate(game.shape).tableBytes;
  return Math.max(least, Math.min(most, wanted, freeBytes / 2));
}

/** Whether the search can be run on a shape at all, and a sentence for the user if not. */
export function whyNoKernel(game: Game): string | undefined {
  if (hasKernel(game.shape)) return undefined;
  return `boards of ${cellCount(game.shape)} cells cannot be searched yet; the kernel goes up to 12`;
}

/** Entries that have cost about a thousand nodes are worth keeping across runs; effort as entries count it. */
const COSTLY = 20;

/** Copies what a table has learned at some cost into the database; returns how many bounds. */
export function saveCostlyBounds(kernel: Kernel, game: Game, bounds: BoundTable): number {
  const shape = normalShape(game.shape);
  let count = 0;
  for (const batch of kernel.entries(COSTLY)) {
    bounds.merge(
      batch.map((entry) => {
        const ceiling = mostPointsToCome(unpackBoard(shape, entry.board));
        return { ...entry, hi: Math.min(entry.hi, ceiling) };
      }),
    );
    count += batch.length;
  }
  return count;
}

/** Puts the bounds of the database into a table; returns how many. */
export function loadBounds(kernel: Kernel, bounds: BoundTable): number {
  let count = 0;
  for (const entry of bounds.all()) {
    kernel.learn({ ...entry, effort: COSTLY });
    count++;
  }
  return count;
}

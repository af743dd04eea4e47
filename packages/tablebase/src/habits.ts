import { cellCount, type PackedBoard, packedFromBits } from "@gridlock/game";
import type { Arena } from "./arena.js";
import type { SweepExports } from "./module.js";

/** Counts in the order of `assembly/habits.ts`. */
const COUNTS = [
  "slidable",
  "mergeable",
  "quiet",
  "greedySome",
  "greedyAll",
  "mergingSome",
  "mergingAll",
  "cornered",
  "couldStay",
  "cornerLeft",
  "either",
  "zugzwangs",
  "afterstates",
  "onlyTwos",
  "onlyFours",
  "choice",
  "loneCouldStay",
  "loneLeft",
  "decided",
] as const;

/**
 * Counts of what best play against the placer does.
 *
 * - `slidable`: positions with a slide; `mergeable`: those with a slide that merges
 * - `quiet`: mergeable positions in which no best slide merges
 * - `greedySome`, `greedyAll`: slidable positions in which one, or each, of the slides that earn
 *   most is a best one; `mergingSome`, `mergingAll`: those of them that are mergeable
 * - `cornered`: slidable positions with a largest tile in a corner; `couldStay`: those in which
 *   some slide leaves it, or a tile made of it, there; `cornerLeft`: those in which no best slide
 *   does
 * - `either`: boards that play reaches with either side to move; `zugzwangs`: those of lower value
 *   with the slider to move than with the placer to move
 * - `afterstates`: all afterstates; `onlyTwos`, `onlyFours`: those whose worst placements are all
 *   2s, or all 4s; `decided`: those on which placements differ in value
 * - `choice`: mergeable positions in which some slide merges nothing
 * - `loneCouldStay`, `loneLeft`: those of `couldStay` and `cornerLeft` with a single largest tile
 */
export type HabitCounts = Readonly<Record<(typeof COUNTS)[number], number>>;

/** Placements on all afterstates at a distance, and those of them that are worst. */
export interface PlacementCount {
  readonly tile: number;
  /** Steps along rows and columns; 0 if there is no tile at any distance. */
  readonly distance: number;
  readonly placements: number;
  readonly worst: number;
}

/** Counts of habits of perfect play, and boards that show them. */
export interface Habits {
  readonly counts: HabitCounts;
  /** By the distance to the nearest largest tile, and to the nearest tile equal to the placed one. */
  readonly byLargest: readonly PlacementCount[];
  readonly byEqual: readonly PlacementCount[];
  /** The packed boards of mutual zugzwang with the largest loss, and with the smallest tile sum. */
  readonly largestLoss: PackedBoard | undefined;
  readonly smallest: PackedBoard | undefined;
}

/** Reads the counts of all threads. */
export function readHabits({ game, memory }: Arena, exports: SweepExports): Habits {
  const parts = exports.HABITS_PARTS.value as number;
  const bytes = exports.HABITS_BYTES.value as number;
  const at = exports.PLACEMENTS_AT.value as number;
  const distances = exports.DISTANCES.value as number;
  const size = bytes / 8;
  const words = new BigUint64Array(memory.buffer, exports.HABITS.value, parts * size);
  const totals = Array.from({ length: size }, (_, i) => {
    let total = 0;
    for (let part = 0; part < parts; part++) total += Number(words[part * size + i]);
    return total;
  });
  const placements = (kind: number) =>
    game.tiles.flatMap((tile, i) =>
      Array.from({ length: distances }, (_, distance) => {
        const index = at + 2 * (distances * (2 * kind + i) + distance);
        const [all, worst] = totals.slice(index, index + 2) as [number, number];
        return { tile, distance, placements: all, worst };
      }).filter((count) => count.placements > 0),
    );
  const mask = (1n << BigInt(4 * cellCount(game.shape))) - 1n;
  // The low bits of a key are the inverted board; 0 is not a key.
  const board = (address: WebAssembly.Global) => {
    const [key] = new BigUint64Array(memory.buffer, address.value, 1);
    return key === 0n ? undefined : packedFromBits(~(key as bigint) & mask);
  };
  return {
    counts: Object.fromEntries(COUNTS.map((name, i) => [name, totals[i]])) as HabitCounts,
    byLargest: placements(0),
    byEqual: placements(1),
    largestLoss: board(exports.LARGEST_LOSS),
    smallest: board(exports.SMALLEST_LOSS),
  };
}

import {
  cellCount,
  DIRECTIONS,
  type Direction,
  type PackedBoard,
  packedFromBits,
} from "@gridlock/game";
import type { AnalyzeOutput } from "@gridlock/schemas";
import { type Arena, LANES } from "./arena.js";
import type { SweepExports } from "./module.js";

/** Counts in the order of `assembly/survey.ts`. */
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
] as const satisfies readonly (keyof HabitCounts)[];

/** Counts of what best play against the placer does. */
export type HabitCounts = AnalyzeOutput["habits"];

/** Placements on all afterstates at a distance, and those of them that are worst. */
export type PlacementCount = AnalyzeOutput["placements"]["byLargest"][number];

/**
 * Counts of best slides in one direction on canonical boards, whose largest tiles are at the top
 * left.
 */
export interface SlideCount {
  readonly direction: Direction;
  /**
   * Number of positions in which the slide is legal, in which it is one of the best, and in which
   * it is the only best one.
   */
  readonly legal: number;
  readonly best: number;
  readonly only: number;
}

/** Counts of the moves of all positions and afterstates, and boards that show them. */
export interface SurveyCounts {
  readonly habits: HabitCounts;
  /** In the order of `DIRECTIONS`. */
  readonly againstPlacer: readonly SlideCount[];
  readonly againstChance: readonly SlideCount[];
  /**
   * Number of worst placements on the afterstates that a best slide leads to, and the number of
   * those that place a 4.
   */
  readonly worstPlacements: number;
  readonly worstFours: number;
  /** By distance to the nearest largest tile, and to the nearest tile equal to the placed one. */
  readonly byLargest: readonly PlacementCount[];
  readonly byEqual: readonly PlacementCount[];
  /**
   * The packed afterstates with the largest difference between the kindest and the worst placement,
   * the largest difference first.
   */
  readonly hardest: readonly PackedBoard[];
  /** The packed boards of mutual zugzwang with the largest loss, and with the smallest tile sum. */
  readonly largestLoss: PackedBoard | undefined;
  readonly smallestZugzwang: PackedBoard | undefined;
}

/** Reads the counts of all threads. */
export function readCounts({ shape, plan, memory }: Arena, exports: SweepExports): SurveyCounts {
  const constant = (name: keyof SweepExports) => (exports[name] as WebAssembly.Global).value;
  const words = (name: keyof SweepExports, count: number) =>
    new BigUint64Array(memory.buffer, constant(name), count);
  const size = constant("SURVEY_BYTES") / 8;
  const totals = new Float64Array(size);
  words("SURVEY", constant("SURVEY_PARTS") * size).forEach((count, i) => {
    totals[i % size] = (totals[i % size] as number) + Number(count);
  });
  const total = (index: number) => totals[index] as number;
  const slides = (best: number, only: number) =>
    DIRECTIONS.map((direction) => {
      const of = (kind: number) =>
        total(constant("SLIDES_AT") + kind * LANES.length + LANES.indexOf(direction));
      return { direction, legal: of(0), best: of(best), only: of(only) };
    });
  const distances = constant("DISTANCES");
  const placements = (kind: number) =>
    plan.tiles.flatMap((tile, i) =>
      Array.from({ length: distances }, (_, distance) => {
        const at = constant("PLACEMENTS_AT") + 2 * (distances * (2 * kind + i) + distance);
        return { tile, distance, placements: total(at), worst: total(at + 1) };
      }).filter((count) => count.placements > 0),
    );
  // The low bits of a key are the inverted board, the high bits a difference or a sum.
  const mask = (1n << BigInt(4 * cellCount(shape))) - 1n;
  const boards = (name: keyof SweepExports, count: number, above: bigint) =>
    [...words(name, count)].filter((key) => key > above).map((key) => packedFromBits(~key & mask));
  return {
    habits: Object.fromEntries(COUNTS.map((name, i) => [name, total(i)])) as HabitCounts,
    againstPlacer: slides(1, 2),
    againstChance: slides(3, 4),
    worstPlacements: total(COUNTS.length),
    worstFours: total(COUNTS.length + 1),
    byLargest: placements(0),
    byEqual: placements(1),
    hardest: boards("HARDEST", constant("HARDEST_KEPT"), mask),
    largestLoss: boards("LARGEST_LOSS", 1, 0n)[0],
    smallestZugzwang: boards("SMALLEST_LOSS", 1, 0n)[0],
  };
}

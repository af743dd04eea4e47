import {
  cellCount,
  DIRECTIONS,
  type Direction,
  type PackedBoard,
  packedFromBits,
} from "@gridlock/game";
import type { Arena } from "./arena.js";
import type { SweepExports } from "./module.js";

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

/** Counts of the moves of all positions, and of the afterstates that a best slide leads to. */
export interface MoveCounts {
  /** In the order of `DIRECTIONS`. */
  readonly againstPlacer: readonly SlideCount[];
  readonly againstChance: readonly SlideCount[];
  /** Number of worst placements, and the number of those that place a 4. */
  readonly worstPlacements: number;
  readonly worstFours: number;
  /**
   * The packed afterstates with the largest difference between the kindest and the worst placement,
   * the largest difference first.
   */
  readonly hardest: readonly PackedBoard[];
}

/**
 * Kinds of slides, in the order in which `assembly/survey.ts` counts them, and the slides of each
 * kind.
 */
const KINDS = ["legal", "best", "onlyBest", "bestByChance", "onlyBestByChance"] as const;
const LANES: readonly Direction[] = ["left", "right", "up", "down"];

/** Reads the counts of all threads. */
export function readMoveCounts({ game, memory }: Arena, exports: SweepExports): MoveCounts {
  const words = (address: WebAssembly.Global, count: number) =>
    new BigUint64Array(memory.buffer, address.value, count);
  const slides = words(exports.SLIDE_COUNTS, KINDS.length * LANES.length);
  const count = (kind: (typeof KINDS)[number], direction: Direction) =>
    Number(slides[KINDS.indexOf(kind) * LANES.length + LANES.indexOf(direction)]);
  const counts = (best: (typeof KINDS)[number], only: (typeof KINDS)[number]) =>
    DIRECTIONS.map((direction) => ({
      direction,
      legal: count("legal", direction),
      best: count(best, direction),
      only: count(only, direction),
    }));
  const [worstPlacements, worstFours] = words(exports.WORST_COUNTS, 2);
  const boards = (1n << BigInt(4 * cellCount(game.shape))) - 1n;
  return {
    againstPlacer: counts("best", "onlyBest"),
    againstChance: counts("bestByChance", "onlyBestByChance"),
    worstPlacements: Number(worstPlacements),
    worstFours: Number(worstFours),
    // The high bits of a key are the difference, the low bits the inverted board; 0 is not a key.
    hardest: [...words(exports.HARDEST, exports.HARDEST_KEPT.value)]
      .filter((key) => key > boards)
      .map((key) => packedFromBits(~key & boards)),
  };
}

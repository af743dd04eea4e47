import {
  cellCount,
  DIRECTIONS,
  type Direction,
  type PackedBoard,
  packedFromBits,
} from "@gridlock/game";
import type { Arena } from "./arena.js";
import type { SweepExports } from "./module.js";

/** How often a slide is the best, of canonical boards: their largest tiles lie up and left. */
export interface SlideCount {
  readonly direction: Direction;
  /** Positions in which it is legal; in which it is a best one; in which it is the only best one. */
  readonly legal: number;
  readonly best: number;
  readonly only: number;
}

/** What is counted of the moves of all positions, and of the afterstates that a best slide leads to. */
export interface MoveCounts {
  /** In the order of `DIRECTIONS`. */
  readonly againstPlacer: readonly SlideCount[];
  readonly againstChance: readonly SlideCount[];
  /** Worst placements, and how many of them are 4s. */
  readonly worstPlacements: number;
  readonly worstFours: number;
  /** The afterstates on which the worst placement takes most from the kindest, packed, the hardest first. */
  readonly hardest: readonly PackedBoard[];
}

/** The kinds of slides, in the order in which `assembly/survey.ts` counts them, and the slides of each. */
const KINDS = ["legal", "best", "onlyBest", "bestByChance", "onlyBestByChance"] as const;
const LANES: readonly Direction[] = ["left", "right", "up", "down"];

/** Reads what the threads have counted. */
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
    // A key has what the placement takes above the board, of which all bits are flipped; 0 is no key.
    hardest: [...words(exports.HARDEST, exports.HARDEST_KEPT.value)]
      .filter((key) => key > boards)
      .map((key) => packedFromBits(~key & boards)),
  };
}

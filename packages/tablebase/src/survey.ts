import {
  type Board,
  type PackedBoard,
  packedFromBits,
  packedFromHalves,
  placements,
  starts,
  unpackBoard,
} from "@gridlock/game";
import { largestExponent } from "./block.js";
import { POINT_UNITS } from "./columns.js";
import { valueOfNode } from "./node-values.js";
import { type LongestLine, type PerfectPlay, PerfectPlays } from "./perfect-play.js";
import { type RemovalCounts, Removals } from "./removals.js";
import type { SweepProgress } from "./run.js";
import type { SurveyCounts } from "./survey-counts.js";
import { planOf, Sweep, type SweepOptions } from "./sweep.js";
import { sweepBack } from "./sweep-back.js";
import type { Tabulation } from "./tabulation.js";

/** An afterstate on which the placer's choice matters. */
interface HardPlacement {
  readonly board: Board;
  readonly tile: number;
  readonly cell: number;
  /** Value after the worst placement, and after the kindest. */
  readonly worst: number;
  readonly kindest: number;
}

/** Statistics of all positions of a tabulated game. */
export interface Survey extends Omit<SurveyCounts, "hardest" | "largestLoss" | "smallestZugzwang"> {
  /**
   * Number of positions by their largest tile, and by their value in points; each in ascending
   * order.
   */
  readonly byLargestTile: ReadonlyMap<number, number>;
  readonly byValue: ReadonlyMap<number, number>;
  /**
   * Number of positions by their expected score against chance, in steps of {@link EXPECTED_STEP}
   * points.
   */
  readonly byExpected: ReadonlyMap<number, number>;
  /** Number of positions by the length of their longest line of best play, in slides. */
  readonly bySlides: ReadonlyMap<number, number>;
  /** The longest line of best play from any position. */
  readonly longest: LongestLine;
  /** The longest line of best play from each start, the longest first. */
  readonly lines: readonly LongestLine[];
  /** Afterstates of best slides on which the worst placement costs the slider most. */
  readonly hardest: readonly HardPlacement[];
  /**
   * The mutual zugzwang that costs the slider most, and the one with the smallest tile sum, of
   * those the smallest board; `undefined` if there is no zugzwang.
   */
  readonly largestLoss: Zugzwang | undefined;
  readonly smallestZugzwang: Zugzwang | undefined;
  /** Removals of tiles; `undefined` if the game has too many positions. */
  readonly removals: RemovalCounts | undefined;
  /** Perfect play from all starts, and from each of them. */
  readonly perfect: PerfectPlay;
  readonly perfectFrom: readonly (PerfectPlay & { readonly start: Board })[];
}

/** A board on which either side would rather have the other move, and its value in both cases. */
interface Zugzwang {
  readonly board: Board;
  readonly sliderFirst: number;
  readonly placerFirst: number;
}

/** Options of a survey. */
export interface SurveyOptions extends SweepOptions {
  onProgress?(progress: SweepProgress): void;
}

/** Most positions of a game whose removals of tiles are counted: more would take hours. */
const MOST_WITH_REMOVALS = 1e8;

/** Width in points of a step of expected scores. */
export const EXPECTED_STEP = 250;

/**
 * Surveys a tabulation with the column `minimax`: examines every position and its moves. Returns
 * `undefined` if it was stopped.
 *
 * @throws {RangeError} if the memory is too small
 */
export async function survey(
  tabulation: Tabulation,
  options: SurveyOptions,
): Promise<Survey | undefined> {
  const { game } = tabulation;
  await using sweep = new Sweep(game.shape, planOf(game.tiles), options);
  const tally = await tallyAll(tabulation, sweep, options);
  if (tally === undefined) return undefined;
  const { hardest, largestLoss, smallestZugzwang, ...counts } = sweep.counted();
  const zugzwang = (board: PackedBoard | undefined) =>
    board === undefined ? undefined : zugzwangOf(tabulation, unpackBoard(game.shape, board));
  const plays = new PerfectPlays(
    game.tiles,
    (node) => valueOfNode(tabulation, "minimax", node) as number,
  );
  return {
    byLargestTile: countsBy(tally.byExponent, (exponent) => 2 ** exponent),
    byValue: countsBy(tally.byQuarters, (quarters) => 4 * quarters),
    byExpected: countsBy(tally.byExpected, (step) => EXPECTED_STEP * step),
    bySlides: countsBy(tally.bySlides, (slides) => slides),
    longest: plays.longestFrom(unpackBoard(game.shape, tally.longestFrom)),
    lines: starts(game.shape)
      .map((start) => plays.longestFrom(start))
      .sort((a, b) => b.slides - a.slides),
    ...counts,
    hardest: hardest.map((board) => hardPlacement(tabulation, unpackBoard(game.shape, board))),
    removals: tally.removals?.counts,
    largestLoss: zugzwang(largestLoss),
    smallestZugzwang: zugzwang(smallestZugzwang),
    perfect: plays.from(starts(game.shape)),
    perfectFrom: starts(game.shape).map((start) => ({ start, ...plays.from([start]) })),
  };
}

function zugzwangOf(tabulation: Tabulation, board: Board): Zugzwang {
  const value = (turn: "slider" | "placer") =>
    valueOfNode(tabulation, "minimax", { board, turn }) as number;
  return { board, sliderFirst: value("slider"), placerFirst: value("placer") };
}

/**
 * Surveys all layers with a sweep; returns the counts of positions, or `undefined` if it was
 * stopped.
 */
async function tallyAll(
  tabulation: Tabulation,
  sweep: Sweep,
  { signal, onProgress }: SurveyOptions,
): Promise<SurveyTally | undefined> {
  sweep.growFor(tabulation.layers);
  const hasRemovals = tabulation.positions.count <= MOST_WITH_REMOVALS;
  const tally = new SurveyTally(hasRemovals ? new Removals(tabulation) : undefined);
  let layers = 0;
  let positions = 0;
  const descending = tabulation.layers.toReversed();
  const surveyed = sweepBack(sweep, tabulation.positions, descending, "survey", signal);
  for await (const layer of surveyed) {
    const { sum, positions: count } = layer;
    tally.add(sweep.boards(sum, count), sweep.values(sum, count));
    layers++;
    positions += count;
    onProgress?.({ sum, layers, positions });
  }
  return layers === descending.length ? tally : undefined;
}

/** Counts positions of layers, which are surveyed from the last to the first. */
class SurveyTally {
  readonly byExponent = new Float64Array(16);
  readonly byQuarters = new Float64Array(2 ** 15);
  readonly byExpected = new Float64Array(2 ** 32 / POINT_UNITS / EXPECTED_STEP + 1);
  readonly bySlides = new Float64Array(2 ** 11);
  /**
   * The packed position whose line of best play is longest; among equals the one with the smallest
   * tile sum, then the smallest.
   */
  longestFrom = packedFromBits(0n);
  #slides = 0;

  constructor(readonly removals: Removals | undefined) {}

  /** Adds a layer, given as the lists of a sweep. */
  add(boards: Uint32Array, values: Uint32Array): void {
    this.removals?.add(boards, values);
    let longest = -1;
    for (let i = 0; i < boards.length; i += 2) {
      const value = values[i] as number;
      const expected = (values[i + 1] as number) / POINT_UNITS;
      increment(this.byExponent, largestExponent(boards[i] as number, boards[i + 1] as number));
      increment(this.byQuarters, (value >>> 16) - 1);
      increment(this.byExpected, Math.floor(expected / EXPECTED_STEP));
      const slides = value & 0xffff;
      increment(this.bySlides, slides);
      if (slides > this.#slides || (slides === this.#slides && longest < 0)) {
        this.#slides = slides;
        longest = i;
      }
    }
    if (longest < 0) return;
    this.longestFrom = packedFromHalves(boards[longest + 1] as number, boards[longest] as number);
  }
}

function increment(counts: Float64Array, index: number): void {
  counts[index] = (counts[index] as number) + 1;
}

/** Returns the nonzero counts as a map in ascending order. */
function countsBy(counts: Float64Array, keyOf: (index: number) => number): Map<number, number> {
  return new Map([...counts].flatMap((count, i) => (count === 0 ? [] : [[keyOf(i), count]])));
}

/** Returns the first of the worst placements on an afterstate. */
function hardPlacement(tabulation: Tabulation, board: Board): HardPlacement {
  const all = placements(board, tabulation.game.tiles).map(({ tile, cell, board: next }) => {
    const value = valueOfNode(tabulation, "minimax", { board: next, turn: "slider" }) as number;
    return { tile, cell, value };
  });
  const [first] = all.toSorted((a, b) => a.value - b.value) as [(typeof all)[number]];
  const kindest = Math.max(...all.map(({ value }) => value));
  return { board, tile: first.tile, cell: first.cell, worst: first.value, kindest };
}

import {
  type Board,
  DIRECTIONS,
  type Direction,
  placements,
  seededRandom,
  slides,
  starts,
} from "@gridlock/game";
import { largestExponent } from "./block.js";
import { type LongestLine, longestLine } from "./longest-line.js";
import { valueOfNode } from "./node-values.js";
import { inUnits, type Place, type Tabulation } from "./tabulation.js";

/** How often a slide is the best, of canonical boards: their largest tiles lie up and left. */
export interface SlideCount {
  readonly direction: Direction;
  /** Positions in which it is legal; in which it is a best one; in which it is the only best one. */
  readonly legal: number;
  readonly best: number;
  readonly only: number;
}

/** An afterstate on which the placer's choice matters. */
interface HardPlacement {
  readonly board: Board;
  readonly tile: number;
  readonly cell: number;
  /** What the worst placement leaves, and the kindest. */
  readonly worst: number;
  readonly kindest: number;
}

/** What a tabulation tells of a game as a whole. */
export interface Survey {
  /** Positions by their largest tile, and by their values in points; each in ascending order. */
  readonly byLargestTile: ReadonlyMap<number, number>;
  readonly byValue: ReadonlyMap<number, number>;
  /** Positions by what is to be expected against chance, in steps of {@link EXPECTED_STEP} points. */
  readonly byExpected: ReadonlyMap<number, number>;
  /** The longest line of best play from each start, the longest first. */
  readonly lines: readonly LongestLine[];
  /** Positions that the following is counted of: all, or a sample. */
  readonly sampled: number;
  readonly againstPlacer: readonly SlideCount[];
  readonly againstChance: readonly SlideCount[];
  /** Worst placements after a best slide: how many of them are 4s, and those that cost most. */
  readonly worstPlacements: number;
  readonly worstFours: number;
  readonly hardest: readonly HardPlacement[];
}

export interface SurveyOptions {
  /** About how many positions to look at move by move. */
  readonly sample: number;
  readonly seed: number;
}

/** Points between two bars of expected scores. */
export const EXPECTED_STEP = 250;
/** Hard placements that are told. */
const HARDEST = 10;
/** Values against chance that differ by less are as good as each other: a hundred roundings. */
const SAME_POINTS = 0.002;

/** Surveys a tabulation with the columns `minimax` and `expected`. */
export function survey(tabulation: Tabulation, options: SurveyOptions): Survey {
  const moves = new MoveSurvey(tabulation);
  for (const place of someOf(tabulation, options)) moves.look(tabulation.board(place));
  const lines = starts(tabulation.game.shape).map((start) => longestLine(tabulation, start));
  return {
    byLargestTile: countLargestTiles(tabulation),
    byValue: tally(tabulation, "minimax", (value) => value),
    byExpected: tally(
      tabulation,
      "expected",
      (value) => Math.floor(value / EXPECTED_STEP) * EXPECTED_STEP,
    ),
    lines: lines.sort((a, b) => b.slides - a.slides),
    ...moves.found(),
  };
}

function ascending(counts: Map<number, number>): Map<number, number> {
  return new Map([...counts].sort(([a], [b]) => a - b));
}

function tally(
  tabulation: Tabulation,
  column: "minimax" | "expected",
  classOf: (value: number) => number,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { numbers } of tabulation.scan(column)) {
    for (const number of numbers) add(counts, classOf(inUnits(column, number)));
  }
  return ascending(counts);
}

function countLargestTiles(tabulation: Tabulation): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { sum, numbers } of tabulation.scan("positions")) {
    for (const code of numbers) add(counts, 2 ** largestExponent(code, sum));
  }
  return ascending(counts);
}

function add(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** All places, or a sample that the seed determines. */
function* someOf(tabulation: Tabulation, { sample, seed }: SurveyOptions): Generator<Place> {
  const part = sample / tabulation.counts().positions;
  const random = seededRandom(seed);
  for (const layer of tabulation.layers) {
    for (let number = 0; number < layer.positions; number++) {
      if (part >= 1 || random() < part) yield { layer, number };
    }
  }
}

/** Looks at the moves of positions, one position after another. */
class MoveSurvey {
  readonly #tabulation: Tabulation;
  readonly #againstPlacer = new SlideCounter(0);
  readonly #againstChance = new SlideCounter(SAME_POINTS);
  #sampled = 0;
  #worst = 0;
  #worstFours = 0;
  #hardest: HardPlacement[] = [];

  constructor(tabulation: Tabulation) {
    this.#tabulation = tabulation;
  }

  look(board: Board): void {
    this.#sampled++;
    const all = slides(board);
    const worths = (column: "minimax" | "expected") =>
      all.map(
        ({ board: after, score }) =>
          score + (valueOfNode(this.#tabulation, column, { board: after, turn: "placer" }) ?? 0),
      );
    const directions = all.map(({ direction }) => direction);
    const [best] = this.#againstPlacer.count(directions, worths("minimax"));
    this.#againstChance.count(directions, worths("expected"));
    const after = all[best ?? -1]?.board;
    if (after !== undefined) this.#lookAtPlacements(after);
  }

  #lookAtPlacements(board: Board): void {
    const all = placements(board, this.#tabulation.game.tiles).map((placement) => ({
      ...placement,
      value: valueOfNode(this.#tabulation, "minimax", {
        board: placement.board,
        turn: "slider",
      }) as number,
    }));
    const values = all.map(({ value }) => value);
    const worst = Math.min(...values);
    const kindest = Math.max(...values);
    const hard = all.filter(({ value }) => value === worst);
    this.#worst += hard.length;
    this.#worstFours += hard.filter(({ tile }) => tile === 4).length;
    const [{ tile, cell }] = hard as [(typeof hard)[number]];
    this.#hardest.push({ board, tile, cell, worst, kindest });
    if (this.#hardest.length > 100 * HARDEST) {
      this.#hardest = hardestOf(this.#hardest);
    }
  }

  found() {
    return {
      sampled: this.#sampled,
      againstPlacer: this.#againstPlacer.counts,
      againstChance: this.#againstChance.counts,
      worstPlacements: this.#worst,
      worstFours: this.#worstFours,
      hardest: hardestOf(this.#hardest),
    };
  }
}

/** The placements that cost the slider most. */
function hardestOf(all: HardPlacement[]): HardPlacement[] {
  const cost = ({ worst, kindest }: HardPlacement) => kindest - worst;
  return all.sort((a, b) => cost(b) - cost(a)).slice(0, HARDEST);
}

/** Counts which slides are best. */
class SlideCounter {
  readonly counts = DIRECTIONS.map((direction) => ({ direction, legal: 0, best: 0, only: 0 }));
  readonly #tolerance: number;

  /** @param tolerance points by which a slide may be worse and still counts as best */
  constructor(tolerance: number) {
    this.#tolerance = tolerance;
  }

  /** Counts the slides of a position with their worths; returns the numbers of the best. */
  count(directions: readonly Direction[], worths: readonly number[]): number[] {
    const most = Math.max(...worths) - this.#tolerance;
    const best = worths.flatMap((worth, i) => (worth >= most ? [i] : []));
    directions.forEach((direction, i) => {
      const count = this.counts[DIRECTIONS.indexOf(direction)] as {
        -readonly [K in keyof SlideCount]: SlideCount[K];
      };
      count.legal++;
      if (!best.includes(i)) return;
      count.best++;
      if (best.length === 1) count.only++;
    });
    return best;
  }
}

import { exponentOf, slideLine } from "@gridlock/game";
import { ALL_SLIDES, type Grid, type SlideRule } from "../enumeration/grid.js";
import { ABSENT, KeyIndex } from "../enumeration/key-index.js";
import { type Child, slidesOf } from "./children.js";

/**
 * The forms of the paper's Lower Bound Heuristic Static Value (Algorithm 2).
 *
 * - `printed`: as the paper's text describes it, and as its node counts require. It is not a lower
 *   bound.
 * - `printed-runs`: the same without merges behind an empty cell, another reading of the
 *   pseudo-code.
 * - `sound`: at most what the slider can force.
 * - `sound-behind`: the same with merges behind an empty cell.
 */
export const LBHSV_FORMS = ["printed", "printed-runs", "sound", "sound-behind"] as const;

/** One of the {@link LBHSV_FORMS}. */
export type LbhsvForm = (typeof LBHSV_FORMS)[number];

/**
 * The table of LBHSV's values: none; filled as values are computed; or computed beforehand for the
 * boards with no tile larger than `largest`. A board outside such a table is worth its score.
 */
export type LbhsvTable = "off" | "filled" | { readonly largest: number };

/**
 * Applies the paper's slide&remove to one line. From the wall to the first empty cell, tiles slide
 * and merge as usual. The tiles behind that cell are removed, since a placement decides where they
 * come to rest; equal neighbours among them merge first, because nothing can come between them
 * (Figure 6).
 *
 * The paper overlooks that the last tile before the empty cell may merge with an equal tile placed
 * behind it. The sound forms remove that tile too, unless it has just merged and so cannot merge
 * again.
 */
export function slideAndRemove(form: LbhsvForm, line: readonly number[]) {
  const gap = line.indexOf(0);
  if (gap < 0) return slideLine(line);
  const run = line.slice(0, gap);
  const slid = slideLine(run);
  let score = slid.score;
  const known = slid.line.filter((tile) => tile !== 0);
  const last = known.at(-1);
  const isSound = form === "sound" || form === "sound-behind";
  if (isSound && last !== undefined && slideLine([...run, last]).score > score) known.pop();
  if (form === "printed" || form === "sound-behind") score += mergesOfNeighbours(line.slice(gap));
  return { line: line.map((_, i) => known[i] ?? 0), score };
}

/** Returns the points of merges among tiles with no empty cell between them. */
function mergesOfNeighbours(line: readonly number[]): number {
  let score = 0;
  for (let end = 0; end < line.length; end++) {
    if (line[end] === 0 || line[end] !== line[end - 1]) continue;
    score += 2 * (line[end] as number);
    end++; // a merged tile does not merge again
  }
  return score;
}

/** A slide of known tiles that merges some of them. */
interface Merge extends Child {
  /** The index of the slide in `DIRECTIONS`. */
  readonly move: number;
}

/**
 * Algorithm 2: the points that merges of the tiles on the board will earn, whatever is placed.
 * Boards are codes of the grid; values are points still to come.
 */
export class Lbhsv {
  readonly #rule: SlideRule;
  /** The table. Its keys are twice the code of a board, plus one for an afterstate. */
  readonly #known = new KeyIndex();
  /** The values, in the order of their keys in the table. */
  readonly #values: number[] = [];

  constructor(
    readonly grid: Grid,
    readonly form: LbhsvForm,
    readonly table: LbhsvTable = "filled",
  ) {
    this.#rule = grid.rule((line) => slideAndRemove(form, line));
    if (typeof table === "object") this.#precompute(0, 0, exponentOf(table.largest));
  }

  /** Number of values in the table. */
  get size(): number {
    return this.#known.size;
  }

  /**
   * Returns the value of a position: the best sum of a slide's points and the value of its
   * afterstate.
   */
  position(code: number): number {
    if (this.table !== "filled") return this.#bestSlide(code);
    return this.#find(2 * code) ?? this.#store(2 * code, this.#bestSlide(code));
  }

  /** Returns the value of an afterstate, by HSearch or from the table. */
  afterstate(code: number): number {
    if (this.table === "off") return this.hSearch(code);
    const found = this.#find(2 * code + 1);
    if (found !== undefined) return found;
    return this.table === "filled" ? this.#store(2 * code + 1, this.hSearch(code)) : 0;
  }

  #find(key: number): number | undefined {
    const found = this.#known.find(key);
    return found === ABSENT ? undefined : this.#values[found];
  }

  #store(key: number, value: number): number {
    this.#values[this.#known.add(key)] = value;
    return value;
  }

  #bestSlide(code: number): number {
    let best = 0;
    for (const { board, score } of slidesOf(this.grid, code)) {
      best = Math.max(best, score + this.afterstate(board));
    }
    return best;
  }

  /**
   * Returns the slides that give an afterstate its value, each with the board of tiles still known
   * after it.
   */
  plan(code: number): Merge[] {
    const value = this.hSearch(code);
    const step = this.#merges(code).find(
      ({ board, score }) => score + this.#after(board) === value,
    );
    return step === undefined ? [] : [step, ...this.plan(step.board)];
  }

  /** Stores the values of all boards that have the tiles of `code` in the cells before `cell`. */
  #precompute(cell: number, code: number, largest: number): void {
    if (cell === this.grid.cells) {
      this.#store(2 * code + 1, this.hSearch(code));
      return;
    }
    for (let k = 0; k <= largest; k++) {
      this.#precompute(cell + 1, code + k * (this.grid.weights[cell] as number), largest);
    }
  }

  /**
   * Returns the value of an afterstate by Algorithm 2's HSearch, over slides of known tiles, each
   * of which must merge some. If the table is filled on the way, it stores the boards after the
   * first slide, not this one.
   */
  hSearch(code: number): number {
    let best = 0;
    for (const { board, score } of this.#merges(code)) {
      best = Math.max(best, score + this.#after(board));
    }
    return best;
  }

  /**
   * Returns the value of a board inside HSearch; a table computed beforehand holds whole boards
   * only.
   */
  #after(code: number): number {
    return this.table === "filled" ? this.afterstate(code) : this.hSearch(code);
  }

  #merges(code: number): Merge[] {
    const merges: Merge[] = [];
    this.grid.set(code);
    for (const move of ALL_SLIDES) {
      const score = this.grid.score(move, this.#rule);
      if (score > 0) merges.push({ board: this.grid.slide(move, this.#rule), score, move });
    }
    return merges;
  }
}

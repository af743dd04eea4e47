import { ALL_SLIDES, type Grid, type SlideRule } from "@gridlock/enumeration";
import { exponentOf, slideLine } from "@gridlock/game";
import { type Child, slidesOf } from "./children.js";
import { NOT_FOUND, RecordMap } from "./record-map.js";

/**
 * The forms of the paper's Lower Bound Heuristic Static Value (Algorithm 2).
 *
 * - `printed`: what the paper's text describes, and what its node counts come from. It is no lower bound.
 * - `printed-runs`: the same without merges behind an empty cell, another reading of the pseudo-code.
 * - `sound`: never more than the slider can force.
 * - `sound-behind`: the same with merges behind an empty cell.
 */
export type LbhsvForm = "printed" | "printed-runs" | "sound" | "sound-behind";

export const LBHSV_FORMS: readonly LbhsvForm[] = [
  "printed",
  "printed-runs",
  "sound",
  "sound-behind",
];

/**
 * How LBHSV's values are kept: computed at each call, kept once computed, or all computed beforehand for the
 * boards with no tile above a given one. A board that such a table lacks is worth its score.
 */
export type LbhsvTable = "off" | "filled" | { readonly largest: number };

/**
 * The paper's slide&remove on one line. From the wall to the first empty cell, tiles slide and merge as
 * they always do. The tiles behind it are removed, since nobody knows where they will come to rest; equal
 * neighbours among them merge first all the same, as nothing can come between them (Figure 6).
 *
 * What the paper misses is that the last tile before the empty cell may merge as well, with an equal tile
 * that is put behind it. The sound form removes that tile too, unless it has just been merged and so cannot
 * merge again.
 */
export function slideAndRemove(form: LbhsvForm, line: readonly number[]) {
  const gap = line.indexOf(0);
  if (gap < 0) return slideLine(line);
  const run = line.slice(0, gap);
  const slid = slideLine(run);
  let score = slid.score;
  const known = slid.line.filter((tile) => tile !== 0);
  const last = known.at(-1);
  if (isSound(form) && last !== undefined && slideLine([...run, last]).score > score) known.pop();
  if (form === "printed" || form === "sound-behind") score += mergesOfNeighbours(line.slice(gap));
  return { line: line.map((_, i) => known[i] ?? 0), score };
}

function isSound(form: LbhsvForm): boolean {
  return form === "sound" || form === "sound-behind";
}

/** The points of merges among tiles with no empty cell between them. */
function mergesOfNeighbours(line: readonly number[]): number {
  let score = 0;
  for (let end = 0; end < line.length; end++) {
    if (line[end] === 0 || line[end] !== line[end - 1]) continue;
    score += 2 * (line[end] as number);
    end++; // what has merged does not merge again
  }
  return score;
}

/**
 * Algorithm 2: the points that merges of the tiles on the board will earn, whatever is placed. Boards are
 * codes of the grid, and values are of the score to come, not counting what has been earned.
 */
export class Lbhsv {
  readonly #rule: SlideRule;
  /** The boards in the table: twice their codes, and one more for an afterstate. */
  readonly #known = new RecordMap(1);

  constructor(
    readonly grid: Grid,
    readonly form: LbhsvForm,
    readonly table: LbhsvTable = "filled",
  ) {
    this.#rule = grid.rule((line) => slideAndRemove(form, line));
    if (typeof table === "object") this.#precompute(0, 0, exponentOf(table.largest));
  }

  /** How many values the table holds. */
  get size(): number {
    return this.#known.size;
  }

  /** The value of a position: the best slide's points with what its board will surely earn after it. */
  position(code: number): number {
    if (this.table !== "filled") return this.#bestSlide(code);
    return this.#find(2 * code) ?? this.#store(2 * code, this.#bestSlide(code));
  }

  /** The value of an afterstate: HSearch, or what the table says of it. */
  afterstate(code: number): number {
    if (this.table === "off") return this.hSearch(code);
    const found = this.#find(2 * code + 1);
    if (found !== undefined) return found;
    return this.table === "filled" ? this.#store(2 * code + 1, this.hSearch(code)) : 0;
  }

  #find(key: number): number | undefined {
    const found = this.#known.find(key);
    return found === NOT_FOUND ? undefined : this.#known.data[found];
  }

  #store(key: number, value: number): number {
    const at = this.#known.add(key);
    this.#known.data[at] = value;
    return value;
  }

  #bestSlide(code: number): number {
    let best = 0;
    for (const { board, score } of slidesOf(this.grid, code)) {
      best = Math.max(best, score + this.afterstate(board));
    }
    return best;
  }

  /** The slides that the value of an afterstate rests on, each with the tiles that are still known after it. */
  plan(code: number): Child[] {
    const value = this.hSearch(code);
    const step = this.#merges(code).find(
      ({ board, score }) => score + this.#after(board) === value,
    );
    return step === undefined ? [] : [step, ...this.plan(step.board)];
  }

  /** Stores the value of every board that agrees with a code in the cells before `cell`. */
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
   * Algorithm 2's HSearch: slides of the tiles that are known, each of which must merge some. What follows is
   * kept in a table that is being filled; the value of the board itself is not.
   */
  hSearch(code: number): number {
    let best = 0;
    for (const { board, score } of this.#merges(code)) {
      best = Math.max(best, score + this.#after(board));
    }
    return best;
  }

  /** What HSearch makes of a board it comes to; a table made beforehand is for whole boards alone. */
  #after(code: number): number {
    return this.table === "filled" ? this.afterstate(code) : this.hSearch(code);
  }

  /** The slides of known tiles that merge some. */
  #merges(code: number): Child[] {
    const merges: Child[] = [];
    this.grid.set(code);
    for (const move of ALL_SLIDES) {
      const score = this.grid.score(move, this.#rule);
      if (score > 0) merges.push({ board: this.grid.slide(move, this.#rule), score, move });
    }
    return merges;
  }
}

import { type Board, exponentOf, type Tiles } from "@gridlock/game";
import { CellRules, type Cells, cellsOf, ILLEGAL } from "./cells.js";

/** A side of a claim. */
export type ValueSide = "lower" | "upper";

/** The result of a search. A search expands at most as many positions as its effort. */
export interface SearchResult {
  readonly shown: boolean;
  readonly expanded: number;
}

/**
 * Searches by the rules alone for a proof of `h(board) ≥ value`, or `h(board) ≤ value`, that expands
 * at most `effort` positions, exactly as docs/certificate.md describes. A claim that is not shown may
 * still be true.
 */
export function searchFor(
  side: ValueSide,
  board: Board,
  tiles: Tiles,
  value: number,
  effort: number,
): SearchResult {
  const search = new Search(CellRules.of(board), tiles);
  const shown = search.shows(side, cellsOf(board), value, effort);
  return { shown, expanded: search.expanded };
}

/**
 * The depth-first search of docs/certificate.md. It expands at most so many positions and asks for
 * claims about the others. So it also decides whether a claim follows by one step from other claims:
 * it then expands one position.
 */
export class Search {
  /** Positions expanded so far. */
  expanded = 0;
  /** Positions expanded when the present search has spent its effort. */
  #limit = 0;
  /** By depth: the position, and its afterstate by the slide being tried. */
  readonly #positions: Cells[] = [];
  readonly #afterstates: Cells[] = [];
  /** Exponents of the tiles that the placer has. */
  readonly #placed: readonly number[];

  constructor(
    readonly rules: CellRules,
    tiles: Tiles,
    /** Returns whether a position has a claim of `h ≥ value`, or `h ≤ value`. */
    readonly isClaimed = (_isLower: boolean, _position: Cells, _value: number) => false,
  ) {
    this.#placed = tiles.map(exponentOf);
  }

  /**
   * Returns whether a search shows `h(position) ≥ value` or `h(position) ≤ value`.
   *
   * @param effort the most positions to expand
   */
  shows(side: ValueSide, position: Cells, value: number, effort: number): boolean {
    this.#limit = this.expanded + effort;
    this.#reach(0).set(position);
    return this.#isShown(side === "lower", 0, value);
  }

  /** Returns the position of a depth, to be overwritten. */
  #reach(depth: number): Cells {
    if (depth === this.#positions.length) {
      this.#positions.push(new Uint8Array(this.rules.size));
      this.#afterstates.push(new Uint8Array(this.rules.size));
    }
    return this.#positions[depth] as Cells;
  }

  /**
   * Returns whether `h ≥ value`, or `h ≤ value`, is shown of the position of a depth: the first by one
   * slide and all placements after it, the second by all slides and one placement after each.
   */
  #isShown(isLower: boolean, depth: number, value: number): boolean {
    if (isLower ? value <= 0 : value < 0) return isLower;
    const position = this.#positions[depth] as Cells;
    if (this.expanded === this.#limit) return this.isClaimed(isLower, position, value);
    this.expanded++;
    const afterstate = this.#afterstates[depth] as Cells;
    for (const lines of this.rules.directions) {
      const points = this.rules.slide(position, lines, afterstate);
      if (points === ILLEGAL) continue;
      if (this.#isShownAfter(isLower, depth, value - points) === isLower) return isLower;
    }
    return !isLower;
  }

  /** Returns whether `h ≥ value`, or `h ≤ value`, is shown of the afterstate of a depth. */
  #isShownAfter(isLower: boolean, depth: number, value: number): boolean {
    const afterstate = this.#afterstates[depth] as Cells;
    const position = this.#reach(depth + 1);
    position.set(afterstate);
    for (let cell = 0; cell < afterstate.length; cell++) {
      if (afterstate[cell] !== 0) continue;
      for (const exponent of this.#placed) {
        position[cell] = exponent;
        if (this.#isShown(isLower, depth + 1, value) !== isLower) return !isLower;
      }
      position[cell] = 0;
    }
    return isLower;
  }
}

import { type Board, exponentOf, type Tiles, UNKNOWN } from "@gridlock/game";
import { CellRules, type Cells, cellsOf, ILLEGAL } from "./cells.js";

/** A side of a claim. */
export type ValueSide = "lower" | "upper";

/** The result of a search. A search expands at most as many positions as its effort. */
export interface SearchResult {
  readonly shown: boolean;
  readonly expanded: number;
}

/** Claims about positions: h ≥ `lower` and h ≤ `upper`, 0 and Infinity where there is no claim. */
export interface Claims {
  lower(position: Cells): number;
  upper(position: Cells): number;
}

export const NO_CLAIMS: Claims = { lower: () => UNKNOWN.lo, upper: () => UNKNOWN.hi };

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
  const search = new Search(CellRules.of(board), tiles, NO_CLAIMS);
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
    readonly claims: Claims,
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
    return side === "lower" ? this.#lower(0, value) : this.#upper(0, value);
  }

  /** Returns the position of a depth, to be overwritten. */
  #reach(depth: number): Cells {
    if (depth === this.#positions.length) {
      this.#positions.push(new Uint8Array(this.rules.size));
      this.#afterstates.push(new Uint8Array(this.rules.size));
    }
    return this.#positions[depth] as Cells;
  }

  #lower(depth: number, v: number): boolean {
    if (v <= 0) return true;
    const position = this.#positions[depth] as Cells;
    if (this.expanded === this.#limit) return this.claims.lower(position) >= v;
    this.expanded++;
    const afterstate = this.#afterstates[depth] as Cells;
    for (const lines of this.rules.directions) {
      const points = this.rules.slide(position, lines, afterstate);
      if (points === ILLEGAL) continue;
      if (v <= points || this.#everyLower(depth, v - points)) return true;
    }
    return false;
  }

  #upper(depth: number, u: number): boolean {
    if (u < 0) return false;
    const position = this.#positions[depth] as Cells;
    if (this.expanded === this.#limit) return this.claims.upper(position) <= u;
    this.expanded++;
    const afterstate = this.#afterstates[depth] as Cells;
    for (const lines of this.rules.directions) {
      const points = this.rules.slide(position, lines, afterstate);
      if (points !== ILLEGAL && !this.#someUpper(depth, u - points)) return false;
    }
    return true;
  }

  /** Returns whether h ≥ v after every placement on the afterstate of a depth. */
  #everyLower(depth: number, v: number): boolean {
    const afterstate = this.#afterstates[depth] as Cells;
    const position = this.#reach(depth + 1);
    position.set(afterstate);
    for (let cell = 0; cell < afterstate.length; cell++) {
      if (afterstate[cell] !== 0) continue;
      for (const exponent of this.#placed) {
        position[cell] = exponent;
        if (!this.#lower(depth + 1, v)) return false;
      }
      position[cell] = 0;
    }
    return true;
  }

  /** Returns whether h ≤ u after some placement on the afterstate of a depth. */
  #someUpper(depth: number, u: number): boolean {
    const afterstate = this.#afterstates[depth] as Cells;
    const position = this.#reach(depth + 1);
    position.set(afterstate);
    for (let cell = 0; cell < afterstate.length; cell++) {
      if (afterstate[cell] !== 0) continue;
      for (const exponent of this.#placed) {
        position[cell] = exponent;
        if (this.#upper(depth + 1, u)) return true;
      }
      position[cell] = 0;
    }
    return false;
  }
}

import type { Board, Tiles } from "@gridlock/game";
import { lowerFollows, upperFollows } from "./follow.js";

/** The result of a search. A search expands at most as many positions as its effort. */
export interface SearchResult {
  readonly shown: boolean;
  readonly expanded: number;
}

/**
 * Searches by the rules alone for a proof of `h(board) ≥ v` that expands at most `effort`
 * positions, exactly as docs/certificate.md describes. A claim that is not shown may still be true.
 */
export function showsLower(board: Board, tiles: Tiles, v: number, effort: number): SearchResult {
  const search = new Search(tiles, effort);
  return { shown: search.lower(board, v), expanded: search.expanded };
}

/** Searches for a proof of `h(board) ≤ u`, as {@link showsLower} does for the other side. */
export function showsUpper(board: Board, tiles: Tiles, u: number, effort: number): SearchResult {
  const search = new Search(tiles, effort);
  return { shown: search.upper(board, u), expanded: search.expanded };
}

/** A depth-first search without memory. It recurses as deep as play goes, limited by the effort. */
class Search {
  expanded = 0;

  constructor(
    readonly tiles: Tiles,
    readonly effort: number,
  ) {}

  readonly lower = (position: Board, v: number): boolean => {
    if (v <= 0) return true;
    if (this.expanded === this.effort) return false;
    this.expanded++;
    return lowerFollows(position, this.tiles, v, this.lower);
  };

  readonly upper = (position: Board, u: number): boolean => {
    if (u < 0) return false;
    if (this.expanded === this.effort) return false;
    this.expanded++;
    return upperFollows(position, this.tiles, u, this.upper);
  };
}

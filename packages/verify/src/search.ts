import type { Board, Tiles } from "@gridlock/game";
import { lowerFollows, upperFollows } from "./follow.js";

/** What came of a search, and how many positions it expanded: at most the effort. */
export interface SearchResult {
  readonly shown: boolean;
  readonly expanded: number;
}

/**
 * Whether the rules alone show `h(board) ≥ v` when at most `effort` positions are expanded: the search of
 * docs/certificate.md, to the digit. Not shown does not mean false.
 */
export function showsLower(board: Board, tiles: Tiles, v: number, effort: number): SearchResult {
  const search = new Search(tiles, effort);
  return { shown: search.lower(board, v), expanded: search.expanded };
}

/** Whether the rules alone show `h(board) ≤ u`, as {@link showsLower} does for the other side. */
export function showsUpper(board: Board, tiles: Tiles, u: number, effort: number): SearchResult {
  const search = new Search(tiles, effort);
  return { shown: search.upper(board, u), expanded: search.expanded };
}

/** One search: depth first, without memory. It recurses as deep as play goes, at most the effort. */
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

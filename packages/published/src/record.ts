/**
 * Further evidence for the values of a game, apart from the run that first found them. Every kind
 * covers all starts of the game.
 */
export interface Confirmation {
  /**
   * `certificate`: a list of claims that `gridlock verify` and a second checker, in Python, accepted.
   * `proof-by-layers`: files whose every bound `gridlock verify --method layers` checked by the rules
   * alone. `second-search`: a search without static bounds and in another order. `tabulation`: the
   * values of all positions, found without search.
   */
  readonly kind: "certificate" | "proof-by-layers" | "second-search" | "tabulation";
  /** A sentence that says what was done. */
  readonly says: string;
  /** The commands that confirm the values once more. */
  readonly command: string;
  /** The file in the repository that records it. */
  readonly source: string;
  /** The day on which it was done, e.g. `2026-11-22`; `null` where the file does not say. */
  readonly date: string | null;
}

/** The origin of published values, and what confirms them. */
export interface Provenance {
  /** The file in the repository with the values. */
  readonly source: string;
  /** The commands that found and exported them. */
  readonly madeBy: string;
  /** The version of Gridlock that exported them; `null` where the file does not say. */
  readonly version: string | null;
  /** Further evidence for these values; empty for bounds that rest on one search alone. */
  readonly confirmations: readonly Confirmation[];
}

/** The values of one game as `data.ts` stores them, in the order of the game's starts. */
export interface PublishedRecord extends Provenance {
  /** Rows and columns, e.g. `2x3`. */
  readonly shape: string;
  /** The placer's tiles, `2,4` or `2`. */
  readonly tiles: string;
  /** A proven lower bound of each start, in points. */
  readonly lo: readonly number[];
  /** A proven upper bound of each start; `null` if all starts are solved, and `lo` has the values. */
  readonly hi: readonly number[] | null;
}

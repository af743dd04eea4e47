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

/** A certificate that two checkers accepted. */
export function certificate(game: string, claims: string, date: string): Confirmation {
  return {
    kind: "certificate",
    says: `gridlock verify and a second checker, in Python, accepted a certificate of ${claims} claims, from which the values of all starts follow.`,
    command: `gridlock solve ${game} && gridlock prove ${game} && gridlock verify ${game}`,
    source: "results/certificates.json",
    date,
  };
}

/** A proof by layers whose every bound was checked. */
export function proofByLayers(game: string, bounds: string, date: string): Confirmation {
  return {
    kind: "proof-by-layers",
    says: `gridlock verify checked all ${bounds} bounds of a proof by layers by the rules alone.`,
    command: `gridlock solve ${game} --method layers && gridlock verify ${game} --method layers`,
    source: "results/certificates.json",
    date,
  };
}

/** A second search with other options: `--workers 1 --memory 2G`. */
export function secondSearch(game: string, options: string, date: string): Confirmation {
  return {
    kind: "second-search",
    says: "A search without static bounds, in another order and from an empty database, found the same values.",
    command: `gridlock solve ${game} --without-bound --other-order ${options} --db confirm.db`,
    source: "results/confirmations.md",
    date,
  };
}

/** A tabulation with the same values. */
export function tabulation(source: string, positions: string, command: string): Confirmation {
  const says = `A tabulation of all ${positions} positions has the same values.`;
  return { kind: "tabulation", says, command, source, date: null };
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
  /** True if `lo` has the values; otherwise upper bounds follow from the rules alone. */
  readonly solved: boolean;
  /** A proven lower bound of each start, in points. */
  readonly lo: readonly number[];
}

import type { Published } from "@gridlock/schemas";

type Confirmation = Published["confirmations"][number];

/** A certificate that `checkers` accepted, e.g. `gridlock verify`. */
export function certificate(
  game: string,
  claims: string,
  checkers: string,
  date: string,
): Confirmation {
  return {
    kind: "certificate",
    says: `${checkers} accepted a certificate of ${claims} claims, from which the values of all starts follow.`,
    command: `gridlock solve ${game} && gridlock prove ${game} && gridlock verify ${game}`,
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

/** The values of one game as `data.ts` stores them, in the order of the game's starts. */
export interface PublishedRecord extends Published {
  /** Rows and columns, e.g. `2x3`. */
  readonly shape: string;
  /** The placer's tiles, `2,4` or `2`. */
  readonly tiles: string;
  /** True if `lo` has the values; otherwise upper bounds follow from the rules alone. */
  readonly solved: boolean;
  /** A proven lower bound of each start, in points. */
  readonly lo: readonly number[];
}

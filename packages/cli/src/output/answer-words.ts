import type { Answer, Worth } from "@gridlock/answers";
import {
  type Bound,
  formatBoard,
  formatShape,
  isExact,
  isOpenAbove,
  type Node,
} from "@gridlock/game";
import { formatBound, formatNumber, formatPercent, formatPoints } from "@gridlock/report";
import type { PlayerAnswer } from "@gridlock/schemas";

/** The note on a board that is missing from a tabulation. */
export const UNREACHABLE = "not reachable from a start, so searched";

/** The words for a value of which no more is known than the rules say. */
export const UNKNOWN_VALUE = "not known";

/** Formats a node's bound for people: `184`, `164 … 184`, `at least 164`, `not known`. */
export function boundWords(bound: Bound, { board }: Node, earned = 0): string {
  const { lo, hi } = bound;
  if (!isOpenAbove(bound, board)) return formatBound({ lo: earned + lo, hi: earned + hi });
  return lo === 0 ? UNKNOWN_VALUE : `at least ${earned + lo}`;
}

/** Formats a board's value as the headline of its answer. */
export function valueWords({ bound, ...node }: Worth): string {
  const words = boundWords(bound, node);
  if (isExact(bound)) return `value ${words}`;
  if (isOpenAbove(bound, node.board)) return bound.lo === 0 ? `value ${words}` : words;
  return `value not known yet: ${words}`;
}

const CONFIRMED = {
  certificate: "a certificate",
  "second-search": "a second search",
  tabulation: "a tabulation",
} as const;

const SOURCES = {
  tabulation: "the tabulation",
  database: "the database",
  certificate: "the certificate, which was checked",
  rules: "the rules alone",
  search: "a search just made",
} as const;

/** Names the source of an answer's bound. */
export function sourceWords({ board, bound, source, provenance }: Worth): string {
  if (source !== "published") return SOURCES[source];
  const kinds = provenance?.confirmations.map(({ kind }) => CONFIRMED[kind]) ?? [];
  // In British English there is no comma before "and".
  const listed = new Intl.ListFormat("en-GB").format(kinds);
  const confirmed = kinds.length > 0 ? `, confirmed by ${listed}` : "";
  const again = isExact(bound) ? `; gridlock solve ${formatShape(board)} proves it here` : "";
  return `published in ${provenance?.source}${confirmed}${again}`;
}

/** Quotes a bound of the literature; `undefined` without one. */
export function literatureWords({ literature }: Worth): string | undefined {
  if (literature === undefined) return undefined;
  const { bound, says, citation } = literature;
  return `${formatNumber(bound)} by the literature, not checked here: ${says} (${citation})`;
}

/** Words the verdict on a move. */
export function verdictWords({ verdict: said, bound }: Answer["moves"][number]): string {
  if (said.verdict === "as good") return isExact(bound) ? "as good" : "no better";
  if (said.verdict !== "worse") return said.verdict;
  return `worse by ${said.by}${isExact(bound) ? "" : " or more"}`;
}

/** Says how many moves are open, if any of them may be the best one. */
export function openWords({ moves, unsearched }: Answer): string | undefined {
  if (unsearched !== undefined) return undefined;
  const open = moves.filter(({ verdict }) => verdict.verdict === "open").length;
  if (open < 2) return undefined;
  return `${open} moves may be the best one: the search stopped before that was settled`;
}

/** Formats the value of a board in one line, with the end of best play if it is known. */
export function asLine(worth: Worth, end?: string): string {
  const { board, turn, bound, source, unsearched, tabulated, expected } = worth;
  const chance = expected === undefined ? UNREACHABLE : `${formatPoints(expected)} against chance`;
  const parts = [boundWords(bound, worth)];
  if (source === "published") parts.push(source);
  if (tabulated) parts.push(chance);
  if (end !== undefined) parts.push(`ends at ${end}`);
  if (unsearched !== undefined) parts.push(`not searched: ${unsearched}`);
  return `${formatBoard(board, turn)}: ${parts.join(", ")}`;
}

/** Formats a player's answer as a sentence. */
export function playerAnswerAsText({ name, choices, cost, expectedCost }: PlayerAnswer): string {
  if (choices.length === 0) return `${name}: the game is over`;
  const slides = choices.map(({ move, probability }) =>
    probability === 1 ? move : `${move} (${formatPercent(probability)})`,
  );
  const costs = [
    cost === null ? [] : [`${formatPoints(cost)} points against the placer`],
    expectedCost === null ? [] : [`${formatPoints(expectedCost)} in the ordinary game`],
  ].flat();
  const given = costs.length === 0 ? "the cost is not known" : `costs ${costs.join(", ")}`;
  return `${name} slides ${slides.join(" or ")}: ${given}`;
}

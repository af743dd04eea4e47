import { formatBoard } from "@gridlock/game";
import { formatBound, formatCount } from "@gridlock/report";
import type { Comparison } from "@gridlock/verify";

/** Contradictions in the text for people: the first is the one to look at. */
const CONTRADICTIONS_SHOWN = 1;

/**
 * Returns the comparison of the database's bounds with a proof for people: nothing if all follow.
 *
 * @param proof what was checked: "the certificate"
 */
export function comparedAsText(
  { notCovered, contradicting, contradictions }: Comparison,
  file: string,
  proof: string,
): string[] {
  const parts: string[] = [];
  for (const { board, turn, lo, hi, proven } of contradictions.slice(0, CONTRADICTIONS_SHOWN)) {
    parts.push(
      `${contradicting === 1 ? "1 bound" : `${formatCount(contradicting)} bounds`} in ${file} ${contradicting === 1 ? "contradicts" : "contradict"} ${proof}. The first: ${formatBoard(board, turn)}: the database has ${formatBound({ lo, hi })}, but ${formatBound(proven)} follows from ${proof}. Restore a copy, or solve again with another --db`,
    );
  }
  if (notCovered > 0) {
    parts.push(
      `${notCovered === 1 ? "1 bound" : `${formatCount(notCovered)} bounds`} in ${file} ${notCovered === 1 ? "is" : "are"} not covered by ${proof} and ${notCovered === 1 ? "was" : "were"} not checked; query --verified does not use ${notCovered === 1 ? "it" : "them"}`,
    );
  }
  return parts;
}

/** Returns the comparison for JSON. */
export function comparedAsJson({ contradictions, ...counts }: Comparison) {
  return {
    ...counts,
    contradictions: contradictions.map(({ board, turn, ...rest }) => ({
      board: formatBoard(board),
      turn,
      ...rest,
    })),
  };
}

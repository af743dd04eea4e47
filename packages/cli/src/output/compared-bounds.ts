import { formatBoard } from "@gridlock/game";
import { counted, formatBound } from "@gridlock/report";
import type { Comparison } from "@gridlock/verify";

/** Contradictions in the text for people: the first is the one to look at. */
const CONTRADICTIONS_SHOWN = 1;

/**
 * Returns the comparison of the database's bounds with a proof for people: nothing if all follow.
 *
 * @param compared `undefined` if the proof does not hold, so that nothing was compared
 * @param proof what was checked: "the certificate"
 */
export function comparedAsText(
  compared: Comparison | undefined,
  file: string,
  proof: string,
): string[] {
  if (compared === undefined) {
    return [`the bounds in ${file} were not compared with ${proof}, which does not hold`];
  }
  const { notCovered, contradicting, contradictions } = compared;
  const parts: string[] = [];
  for (const { board, turn, lo, hi, proven } of contradictions.slice(0, CONTRADICTIONS_SHOWN)) {
    parts.push(
      `${counted(contradicting, "bound")} in ${file} ${contradicting === 1 ? "contradicts" : "contradict"} ${proof}. The first: ${formatBoard(board, turn)}: the database has ${formatBound({ lo, hi })}, but ${formatBound(proven)} follows from ${proof}. Restore a copy, or solve again with another --db`,
    );
  }
  if (notCovered > 0) {
    parts.push(
      `${counted(notCovered, "bound")} in ${file} ${notCovered === 1 ? "is" : "are"} not covered by ${proof} and ${notCovered === 1 ? "was" : "were"} not checked; query --verified does not use ${notCovered === 1 ? "it" : "them"}`,
    );
  }
  return parts;
}

/** Returns the comparison for JSON; null if nothing was compared. */
export function comparedAsJson(compared: Comparison | undefined) {
  if (compared === undefined) return null;
  const { contradictions, ...counts } = compared;
  return {
    ...counts,
    contradictions: contradictions.map(({ board, turn, ...rest }) => ({
      board: formatBoard(board),
      turn,
      ...rest,
    })),
  };
}

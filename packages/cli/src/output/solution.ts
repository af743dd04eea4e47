import type { SolvedStart } from "@gridlock/answers";
import { formatBoard } from "@gridlock/game";
import { formatBound, formatTable } from "@gridlock/report";

/** Formats the starts as a table for people. */
export function startsAsTable(starts: readonly SolvedStart[]): string {
  return formatTable(
    ["start", "value", "end of a line of best play"],
    starts.map(({ board, bound, line }) => [
      formatBoard(board),
      formatBound(bound),
      line ? formatBoard(line.end) : "–",
    ]),
    [1],
  );
}

import type { Answer, Worth } from "@gridlock/answers";
import { drawBoard, formatBoard, isExact } from "@gridlock/game";
import { formatBound, formatPoints, formatTable } from "@gridlock/report";

/** The note on a board that is missing from a tabulation. */
const UNREACHABLE = "not reachable from a start, so searched";

/** Formats the value of a board in one line, with the end of best play if it is known. */
export function asLine({ board, turn, bound, tabulated, expected }: Worth, end?: string): string {
  const chance = expected === undefined ? UNREACHABLE : `${formatPoints(expected)} against chance`;
  const parts = [formatBound(bound)];
  if (tabulated) parts.push(chance);
  if (end !== undefined) parts.push(`ends at ${end}`);
  return `${formatBoard(board, turn)}: ${parts.join(", ")}`;
}

/** Formats an answer for people: the board, its value, its moves and a line of best play. */
export function asText({ board, turn, bound, moves, line, tabulated, expected }: Answer): string {
  const value = isExact(bound) ? `value ${bound.lo}` : `value not known yet: ${formatBound(bound)}`;
  const parts = [`${drawBoard(board)}\n\n${turn} to move, ${value}`];
  if (expected !== undefined) {
    parts.push(
      `The slider can force ${bound.lo} points; against chance ${formatPoints(expected)} are expected.`,
    );
  } else if (tabulated) parts.push(UNREACHABLE);
  if (moves.length === 0) parts.push("the game is over");
  else {
    const heads = [turn === "slider" ? "slide" : "place", "score", "then", "in all"];
    parts.push(
      formatTable(
        tabulated ? [...heads, "against chance"] : heads,
        moves.map(({ move, score, bound: of, expected: after }) => [
          move.name,
          String(score),
          formatBound(of),
          formatBound({ lo: score + of.lo, hi: score + of.hi }),
          ...(tabulated ? [after === undefined ? "–" : formatPoints(score + after)] : []),
        ]),
        [1, 2, 3, 4],
      ),
    );
  }
  if (line && line.moves.length > 0) {
    const steps = line.moves.map(({ name }) => name).join(" ");
    parts.push(`best play: ${steps}\n\n${drawBoard(line.end)}`);
  }
  return parts.join("\n\n");
}

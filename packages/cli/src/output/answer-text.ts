import type { Worth } from "@gridlock/answers";
import { formatBoard } from "@gridlock/game";
import { formatBound, formatPoints } from "@gridlock/report";
import { UNREACHABLE } from "./answer-page.js";

/** Formats the value of a board in one line, with the end of best play if it is known. */
export function asLine({ board, turn, bound, tabulated, expected }: Worth, end?: string): string {
  const chance = expected === undefined ? UNREACHABLE : `${formatPoints(expected)} against chance`;
  const parts = [formatBound(bound)];
  if (tabulated) parts.push(chance);
  if (end !== undefined) parts.push(`ends at ${end}`);
  return `${formatBoard(board, turn)}: ${parts.join(", ")}`;
}

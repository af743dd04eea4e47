import type { Worth } from "@gridlock/answers";
import { formatBoard } from "@gridlock/game";
import { formatPoints } from "@gridlock/report";
import { UNREACHABLE } from "./answer-page.js";
import { boundWords } from "./answer-words.js";

/** Formats the value of a board in one line, with the end of best play if it is known. */
export function asLine(worth: Worth, end?: string): string {
  const { board, turn, bound, source, tabulated, expected } = worth;
  const chance = expected === undefined ? UNREACHABLE : `${formatPoints(expected)} against chance`;
  const parts = [boundWords(bound, worth)];
  if (source === "published") parts.push(source);
  if (tabulated) parts.push(chance);
  if (end !== undefined) parts.push(`ends at ${end}`);
  return `${formatBoard(board, turn)}: ${parts.join(", ")}`;
}

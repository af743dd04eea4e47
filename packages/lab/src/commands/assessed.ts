import { formatPercent, formatPoints, formatTable } from "@gridlock/report";
import type { AssessOutput } from "@gridlock/schemas";
import type { MoveQuality } from "../exact/moves.js";

/** Formats an assessment of one player for people. */
export function assessedAsText({ player, expected, optimum, starts, moves }: AssessOutput): string {
  const table = formatTable(
    ["start", "value", "held to", "worst tie", "gap", "expected"],
    starts.map(({ board, value, heldTo, heldToWorstTie, atLeast, expected: fromStart }) => [
      board,
      value === null ? "–" : String(value),
      formatHeld(heldTo, atLeast),
      formatHeld(heldToWorstTie, atLeast),
      value === null || heldTo === null ? "–" : formatHeld(value - heldTo),
      pointsOf(fromStart),
    ]),
    [1, 2, 3, 4, 5],
  );
  const lines = [table];
  if (expected !== null) {
    const share =
      optimum === null
        ? ""
        : `, ${formatPercent(expected / optimum)} of the optimum of ${formatPoints(optimum)}`;
    lines.push(
      `The ordinary game, from two random tiles: ${player} expects ${formatPoints(expected)} points${share}.`,
    );
  }
  if (moves) {
    lines.push(describe("Against the placer", moves.againstPlacer));
    lines.push(describe("In the ordinary game", moves.againstChance));
  }
  return lines.join("\n\n");
}

/** Formats a score that is a whole number unless it is an average, or the least that it can be. */
function formatHeld(score: number | null, atLeast = 0): string {
  if (score === null) return `at least ${formatHeld(atLeast)}`;
  return Number.isInteger(score) ? String(score) : formatPoints(score);
}

function pointsOf(points: number | null): string {
  return points === null ? "–" : formatPoints(points);
}

function describe(where: string, { best, meanCost, maxCost, costliest }: MoveQuality): string {
  const most = costliest ? `, ${formatPoints(maxCost)} at most, in ${costliest}` : "";
  return `${where} its slide is a best one in ${formatPercent(best)} of all positions and costs ${formatPoints(meanCost)} points on average${most}.`;
}

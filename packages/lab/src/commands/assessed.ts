import { formatPercent, formatPoints, formatTable } from "@gridlock/report";
import type { AssessOutput } from "@gridlock/schemas";
import type { MoveQuality } from "../exact/moves.js";

/** Formats an assessment of one player for people. */
export function assessedAsText({ player, expected, optimum, starts, moves }: AssessOutput): string {
  const gapOf = ({ value, heldTo }: AssessOutput["starts"][number]) =>
    value === null || heldTo === null ? "–" : formatHeld(value - heldTo);
  const table = formatTable(starts, [
    ["start", ({ board }) => board],
    ["value", ({ value }) => (value === null ? "–" : String(value)), "right"],
    ["held to", ({ heldTo, atLeast }) => formatHeld(heldTo, atLeast), "right"],
    ["worst tie", ({ heldToWorstTie, atLeast }) => formatHeld(heldToWorstTie, atLeast), "right"],
    ["gap", gapOf, "right"],
    ["expected", ({ expected }) => pointsOf(expected), "right"],
  ]);
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

import { gameAsJson, provenValue } from "@gridlock/cli/command";
import { type Board, type Bound, formatBoard, type Game, isExact } from "@gridlock/game";
import { formatPercent, formatPoints, formatTable } from "@gridlock/report";
import type { AssessOutput } from "@gridlock/schemas";
import type { MoveComparison, MoveQuality } from "../exact/moves.js";

/** A player's measurements; `undefined` stands for an unknown value. */
export interface Assessed {
  readonly player: string;
  /** Expected score of the ordinary game from two random tiles, and that of perfect play. */
  readonly expected: number | undefined;
  readonly optimum: number | undefined;
  readonly starts: readonly AssessedStart[];
  readonly moves: Omit<MoveComparison, "player"> | undefined;
}

interface AssessedStart {
  readonly board: Board;
  /** Value of the game. */
  readonly value: number | undefined;
  readonly heldTo: Bound;
  readonly heldToWorstTie: Bound;
  readonly expected: number | undefined;
}

/** Returns an assessment for JSON: null for what is not known. */
export function assessedAsJson(
  game: Game,
  { player, expected, optimum, starts, moves }: Assessed,
): AssessOutput {
  return {
    player,
    ...gameAsJson(game),
    ...{ expected: expected ?? null, optimum: optimum ?? null },
    starts: starts.map((start) => ({
      board: formatBoard(start.board),
      value: start.value ?? null,
      heldTo: provenValue(start.heldTo),
      heldToWorstTie: provenValue(start.heldToWorstTie),
      ...(isExact(start.heldTo) ? {} : { atLeast: start.heldTo.lo }),
      expected: start.expected ?? null,
    })),
    ...(moves && { moves }),
  };
}

/** Formats an assessment of one player for people. */
export function assessedAsText({ player, expected, optimum, starts, moves }: Assessed): string {
  const table = formatTable(
    ["start", "value", "held to", "worst tie", "gap", "expected"],
    starts.map(({ board, value, heldTo, heldToWorstTie, expected: fromStart }) => [
      formatBoard(board),
      value === undefined ? "–" : String(value),
      formatHeld(heldTo),
      formatHeld(heldToWorstTie),
      value === undefined || !isExact(heldTo) ? "–" : formatHeld(gapOf(value, heldTo)),
      pointsOf(fromStart),
    ]),
    [1, 2, 3, 4, 5],
  );
  const lines = [table];
  if (expected !== undefined) {
    const share =
      optimum === undefined
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

/** Formats assessments of many players as one table, the highest expected score first. */
export function assessedAsRanking(all: readonly Assessed[]): string {
  const sorted = all.toSorted((a, b) => (b.expected ?? 0) - (a.expected ?? 0));
  return formatTable(
    ["player", "expected", "held to", "worst tie"],
    sorted.map(({ player, expected, starts }) => [
      player,
      pointsOf(expected),
      formatHeld(least(starts.map(({ heldTo }) => heldTo))),
      formatHeld(least(starts.map(({ heldToWorstTie }) => heldToWorstTie))),
    ]),
    [1, 2, 3],
  );
}

function least(bounds: readonly Bound[]): Bound {
  return {
    lo: Math.min(...bounds.map(({ lo }) => lo)),
    hi: Math.min(...bounds.map(({ hi }) => hi)),
  };
}

function gapOf(value: number, { lo, hi }: Bound): Bound {
  return { lo: value - hi, hi: value - lo };
}

/** Formats a score that is a whole number unless it is an average, or the least that it can be. */
function formatHeld({ lo, hi }: Bound): string {
  const text = Number.isInteger(lo) ? String(lo) : formatPoints(lo);
  return lo === hi ? text : `at least ${text}`;
}

function pointsOf(points: number | undefined): string {
  return points === undefined ? "–" : formatPoints(points);
}

function describe(where: string, { best, meanCost, maxCost, costliest }: MoveQuality): string {
  const most = costliest ? `, ${formatPoints(maxCost)} at most, in ${costliest}` : "";
  return `${where} its slide is a best one in ${formatPercent(best)} of all positions and costs ${formatPoints(meanCost)} points on average${most}.`;
}

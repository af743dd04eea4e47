import { type Board, formatBoard, type Game } from "@gridlock/game";
import type { AnalyzeBoardOutput, AnalyzeOutput } from "@gridlock/schemas";
import type { PerfectPlay, Survey, Tabulation } from "@gridlock/tablebase";
import { gameAsJson } from "./json.js";

/** Returns the counts of a survey for JSON. */
export function surveyAsJson(tabulation: Tabulation, found: Survey): AnalyzeOutput {
  const { positions, terminal, afterstates } = tabulation.counts();
  return {
    ...gameAsJson(tabulation.game),
    ...{ positions, terminal, afterstates },
    perfect: perfectAsJson(found.perfect),
    perfectFrom: found.perfectFrom.map(({ start, ...perfect }) => ({
      board: formatBoard(start),
      ...perfectAsJson(perfect),
    })),
    habits: found.habits,
    zugzwang: {
      largest: zugzwangAsJson(found.largestLoss),
      smallest: zugzwangAsJson(found.smallestZugzwang),
    },
    removals: found.removals ?? null,
    placements: { byLargest: found.byLargest, byEqual: found.byEqual },
  };
}

/** Returns perfect play from a board for JSON. */
export function perfectPlayAsJson(
  game: Game,
  board: Board,
  perfect: PerfectPlay,
): AnalyzeBoardOutput {
  return { ...gameAsJson(game), board: formatBoard(board), ...perfectAsJson(perfect) };
}

function perfectAsJson({ endsByTile, ...counts }: PerfectPlay) {
  return {
    ...counts,
    endsByTile: [...endsByTile].map(([tile, by]) => ({ tile, ...by })),
  };
}

function zugzwangAsJson(zugzwang: Survey["largestLoss"]) {
  return zugzwang === undefined ? null : { ...zugzwang, board: formatBoard(zugzwang.board) };
}

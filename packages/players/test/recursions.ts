import { type Board, DIRECTIONS, isEnd, placements, slides } from "@gridlock/game";
import { CellRules } from "../src/cell-rules.js";
import type { ExpectimaxRules } from "../src/expectimax.js";
import type { MinimaxRules } from "../src/minimax.js";
import type { Heuristic } from "./heuristics.js";

/** Plain expectimax by the rules of the game: the worth of each direction. */
export function expectimaxOf(
  board: Board,
  depth: number,
  rules: ExpectimaxRules,
  judge: Heuristic,
) {
  const cellRules = new CellRules(board);
  let visits = 1;
  const position = (at: Board, left: number): number => {
    visits++;
    const own = judge(cellRules.cells(at));
    if (left === 0 && !(rules.seesLossAtHorizon && isEnd(at))) return own;
    const worths = left === 0 ? [] : slides(at).map((slid) => worthOf(slid, left));
    if (rules.lost !== undefined) return Math.max(rules.lost, ...worths);
    return worths.length === 0 ? own : Math.max(...worths);
  };
  const worthOf = ({ board: after, score }: { board: Board; score: number }, left: number) => {
    const all = placements(after, [2, 4]);
    const chances = all.map((of) => (of.tile === 2 ? 0.9 : 0.1) * position(of.board, left - 1));
    const sum = chances.reduce((a, b) => a + b, 0);
    return (rules.addsPoints ? score : 0) + (rules.averages ? sum / (all.length / 2) : sum);
  };
  const worths = new Map(slides(board).map((slid) => [slid.direction, worthOf(slid, depth)]));
  return { worths: DIRECTIONS.map((name) => worths.get(name) ?? -Infinity), visits };
}

/** Plain minimax by the rules of the game, without pruning: the worth of each direction. */
export function minimaxOf(
  board: Board,
  plies: number,
  { lost, seesLossAtHorizon }: MinimaxRules,
  judge: Heuristic,
) {
  const cellRules = new CellRules(board);
  const position = (at: Board, left: number): number => {
    if (left > 0)
      return Math.max(lost, ...slides(at).map((slid) => afterstate(slid.board, left - 1)));
    return seesLossAtHorizon && isEnd(at) ? lost : judge(cellRules.cells(at));
  };
  const afterstate = (at: Board, left: number): number => {
    if (left === 0) return judge(cellRules.cells(at));
    return Math.min(...placements(at, [2, 4]).map((placed) => position(placed.board, left - 1)));
  };
  const worths = new Map(
    slides(board).map((of) => [of.direction, afterstate(of.board, plies - 1)]),
  );
  return DIRECTIONS.map((name) => worths.get(name) ?? -Infinity);
}

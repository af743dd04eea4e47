import { type Board, type Bound, isOpenAbove, type Node, type Verdict } from "@gridlock/game";
import type { Answer, MoveAnswer } from "../data.js";
import { applyMove, nameOf, type Step } from "./moves.js";

/** A move with what it is worth in all, and what it gives away. */
export interface GradedMove {
  readonly answer: MoveAnswer;
  readonly step: Step;
  /** Points of the move and everything after it. */
  readonly total: Bound;
  /** Points that the move gives to the other side, compared with the best one. */
  readonly cost: Bound;
  /** The verdict that the bounds of all moves give on this one. */
  readonly verdict: Verdict["verdict"];
}

/** Returns a board's bound to show: `hi` is infinite if it is only about what the rules give. */
export function boundOf({ lo, hi }: Bound, board: Board): Bound {
  return { lo, hi: isOpenAbove({ lo, hi }, board) ? Number.POSITIVE_INFINITY : hi };
}

/** Returns whether more search is useless: all values and a line are known, or it is impossible. */
export function isComplete({ value, moves, end, unsearched }: Answer): boolean {
  if (unsearched !== undefined) return true;
  return value !== null && end !== null && moves.every((move) => move.value !== null);
}

/** Adds points to a bound. */
export function shift(bound: Bound, points: number): Bound {
  return { lo: bound.lo + points, hi: bound.hi + points };
}

/**
 * Returns what a move gives away.
 *
 * @param value the worth of its node
 * @param total that of the move in all
 * @param least points that it is known to give away
 */
export function costOf(turn: Node["turn"], value: Bound, total: Bound, least = 0): Bound {
  const [more, less] = turn === "slider" ? [value, total] : [total, value];
  const lo = Math.max(least, more.lo - less.hi);
  return { lo, hi: Math.max(lo, more.hi - less.lo) };
}

/** The verdicts in their order, best first. */
const ORDER: readonly Verdict["verdict"][] = ["best", "open", "as good", "worse"];

/**
 * Grades an answer's moves: best ones first, then those that may be better, then those that give
 * points away, by how many; among equals in the answer's order.
 */
export function gradeMoves(node: Node, answer: Answer): GradedMove[] {
  const value = boundOf(answer, node.board);
  const graded = answer.moves.flatMap((move): GradedMove[] => {
    const step = applyMove(node, nameOf(move));
    if (step === undefined) return [];
    const total = shift(boundOf(move, step.after.board), move.score);
    const { verdict, by } = move;
    const cost = verdict === "best" ? { lo: 0, hi: 0 } : costOf(node.turn, value, total, by);
    return [{ answer: move, step, total, cost, verdict }];
  });
  return graded.sort(
    (a, b) =>
      ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) ||
      a.cost.lo - b.cost.lo ||
      compareStrength(node.turn, a, b),
  );
}

/** Lists the placements in a cell, a 2 before a 4. */
export function placementsIn(cell: number, moves: readonly GradedMove[]): GradedMove[] {
  return moves
    .filter(({ step }) => step.cell === cell)
    .sort((a, b) => (a.step.tile ?? 0) - (b.step.tile ?? 0));
}

/** Compares moves by what is proven: negative if the first one is stronger for its player. */
export function compareStrength(turn: Node["turn"], a: GradedMove, b: GradedMove): number {
  const byLo = a.total.lo - b.total.lo;
  // Infinite bounds have no difference.
  const byHi = a.total.hi === b.total.hi ? 0 : a.total.hi - b.total.hi;
  return turn === "slider" ? -byLo || -byHi : byHi || byLo;
}

/** The strength of a move's colour, beside words. */
export type Grade = "best" | "slight" | "costly" | "grave" | "open";

/** Returns a move's grade: its verdict or, if worse, the share of the stake that it gives away. */
export function gradeOf({ verdict, total, cost }: GradedMove): Grade {
  if (verdict === "best") return verdict;
  if (verdict !== "worse") return "open";
  const most = Number.isFinite(total.hi) ? total.hi : total.lo;
  const share = cost.lo / Math.max(most + cost.lo, 1);
  if (share <= 0.05) return "slight";
  return share <= 0.2 ? "costly" : "grave";
}

import { type Bound, type Node, type Tiles, type Turn, UNKNOWN } from "@gridlock/game";
import type { Answer } from "../data.js";
import { boundOf, type GradedMove, gradeMoves, shift } from "../logic/grade.js";
import type { Step } from "../logic/moves.js";

/** A move of a game, with what is known of it. */
export interface Ply {
  readonly before: Node;
  readonly step: Step;
  /** False if nobody has asked for the values yet: a game from an address or from storage has only its moves. */
  readonly valued: boolean;
  /** The worth of the node before the move, and that of the move in all. */
  readonly worth: Bound;
  readonly total: Bound;
  /** Points that the move gave to the other side. */
  readonly cost: Bound;
  /** The moves that were proven best. */
  readonly best: readonly Step[];
}

/** A game under way. */
export interface Game {
  readonly start: Node;
  readonly tiles: Tiles;
  readonly plies: readonly Ply[];
}

/** Returns the game with the given moves, before their values are known. */
export function replay(start: Node, tiles: Tiles, steps: readonly Step[]): Game {
  const plies = steps.map((step, i) => ({
    ...{ before: steps[i - 1]?.after ?? start, step, valued: false, best: [] },
    ...{ worth: UNKNOWN, total: shift(UNKNOWN, step.score), cost: UNKNOWN },
  }));
  return { start, tiles, plies };
}

/** Returns a game with the values of one of its moves, by the answer for the node before it. */
export function withValues(game: Game, move: number, answer: Answer): Game {
  const ply = game.plies[move];
  if (ply === undefined) return game;
  const moves = gradeMoves(ply.before, answer);
  const made = moves.find(({ step }) => step.name === ply.step.name);
  const valued: Ply = made
    ? valuedPly(ply.before, made, boundOf(answer, ply.before.board), moves)
    : { ...ply, valued: true };
  return { ...game, plies: game.plies.with(move, valued) };
}

/** Returns the node after a number of moves, by default after all. */
export function nodeAt({ start, plies }: Game, moves = plies.length): Node {
  return plies[moves - 1]?.step.after ?? start;
}

/** Returns the points earned in a number of moves, by default in all. */
export function earnedIn({ plies }: Game, moves = plies.length): number {
  return plies.slice(0, moves).reduce((sum, { step }) => sum + step.score, 0);
}

/** Adds a move, one of those that the node's answer lists. */
export function withMove(
  game: Game,
  move: GradedMove,
  worth: Bound,
  moves: readonly GradedMove[],
): Game {
  return { ...game, plies: [...game.plies, valuedPly(nodeAt(game), move, worth, moves)] };
}

function valuedPly(
  before: Node,
  { step, total, cost }: GradedMove,
  worth: Bound,
  moves: readonly GradedMove[],
): Ply {
  const best = moves.filter((each) => each.best).map((each) => each.step);
  return { before, step, valued: true, worth, total, cost, best };
}

/** Takes moves back: until one of these players moves again, or a single one if they have not moved. */
export function takeBack(game: Game, players: readonly Turn[]): Game {
  const last = game.plies.findLastIndex(({ before }) => players.includes(before.turn));
  const kept = last >= 0 ? last : Math.max(0, game.plies.length - 1);
  return { ...game, plies: game.plies.slice(0, kept) };
}

/** Returns what a player's moves have given to the other side: proven mistakes, and what else there may be. */
export function givenBy({ plies }: Game, player: Turn): Bound {
  return plies
    .filter(({ before }) => before.turn === player)
    .reduce(({ lo, hi }, { cost }) => ({ lo: lo + cost.lo, hi: hi + cost.hi }), { lo: 0, hi: 0 });
}

/** Returns what is still to come after a game's last move, `undefined` before the first. */
export function toCome({ plies }: Game): Bound | undefined {
  const last = plies.at(-1);
  return last && shift(last.total, -last.step.score);
}

/** Returns whether a move gave points away, as far as is proven. */
export function isMistake({ cost }: Ply): boolean {
  return cost.lo > 0;
}

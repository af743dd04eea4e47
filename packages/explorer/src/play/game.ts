import {
  type Bound,
  isExact,
  mergeBounds,
  type Node,
  type Tiles,
  type Turn,
  UNKNOWN,
} from "@gridlock/game";
import type { Answer } from "../data.js";
import { boundOf, costOf, type GradedMove, gradeMoves, shift } from "../logic/grade.js";
import type { Step } from "../logic/moves.js";

/** A move of a game, with what is known of it. */
export interface Ply {
  readonly before: Node;
  readonly step: Step;
  /** False if more may be found of its cost: games from addresses or storage have only moves. */
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
    before: steps[i - 1]?.after ?? start,
    step,
    valued: false,
    best: [],
    worth: UNKNOWN,
    total: shift(UNKNOWN, step.score),
    cost: UNKNOWN,
  }));
  return { start, tiles, plies };
}

/**
 * Returns a game with what an answer says of the node before a move or, after the last move, of its
 * last node: the values of the move that was made there, and the worth of the move that led there.
 *
 * @param isLast true if no better answer will follow
 */
export function withAnswer(game: Game, at: number, answer: Answer, isLast = false): Game {
  const node = nodeAt(game, at);
  const worth = boundOf(answer, node.board);
  const plies = [...game.plies];
  const [before, ply] = [plies[at - 1], plies[at]];
  if (before) plies[at - 1] = narrowed(before, before.worth, shift(worth, before.step.score));
  if (ply && !ply.valued) {
    const moves = gradeMoves(node, answer);
    const made = moves.find(({ step }) => step.name === ply.step.name);
    const known = made ? madePly(ply, made, worth, moves) : ply;
    const next = narrowed(known, ply.worth, ply.total);
    plies[at] = isLast ? { ...next, valued: true } : next;
  }
  return { ...game, plies };
}

/** Returns a move with what bounds of its node's worth and of its own add. */
function narrowed(ply: Ply, worth: Bound, total: Bound): Ply {
  const { turn } = ply.before;
  const merged = mergeBounds(ply.worth, worth);
  const known = { worth: merged, total: totalWithin(turn, merged, mergeBounds(ply.total, total)) };
  const cost = isExact(ply.cost) ? ply.cost : costOf(turn, known.worth, known.total, ply.cost.lo);
  const valued = ply.valued || isValued({ cost, best: ply.best });
  return { ...ply, ...known, cost, valued };
}

/** Bounds a move's total by the node before: a slide is worth no more, a placement no less. */
function totalWithin(turn: Turn, worth: Bound, total: Bound): Bound {
  const { lo, hi } = worth;
  return mergeBounds(total, turn === "slider" ? { lo: 0, hi } : { lo, hi: UNKNOWN.hi });
}

/** Returns whether all is known of a move: its cost and, if it has one, a better move. */
function isValued({ cost, best }: Pick<Ply, "cost" | "best">): boolean {
  return isExact(cost) && (cost.lo === 0 || best.length > 0);
}

/** Returns the node after a number of moves, by default after all. */
export function nodeAt({ start, plies }: Game, moves = plies.length): Node {
  return plies[moves - 1]?.step.after ?? start;
}

/** Returns the points earned in a number of moves, by default in all. */
export function earnedIn({ plies }: Game, moves = plies.length): number {
  return plies.slice(0, moves).reduce((sum, { step }) => sum + step.score, 0);
}

/**
 * Adds a move.
 *
 * @param worth the worth of the node before it
 * @param moves the moves of that node, as far as they are known
 */
export function withMove(
  game: Game,
  move: Pick<GradedMove, "step" | "total" | "cost">,
  worth: Bound,
  moves: readonly GradedMove[],
): Game {
  const ply = madePly({ before: nodeAt(game), step: move.step }, move, worth, moves);
  return { ...game, plies: [...game.plies, ply] };
}

function madePly(
  { before, step }: Pick<Ply, "before" | "step">,
  move: Pick<GradedMove, "total" | "cost">,
  worth: Bound,
  moves: readonly GradedMove[],
): Ply {
  const { cost } = move;
  const best = moves.filter(({ verdict }) => verdict === "best").map(({ step }) => step);
  const total = totalWithin(before.turn, worth, move.total);
  return { before, step, valued: isValued({ cost, best }), worth, total, cost, best };
}

/** Takes moves back until one of these players moves again, or one move if they have not moved. */
export function takeBack(game: Game, players: readonly Turn[]): Game {
  const last = game.plies.findLastIndex(({ before }) => players.includes(before.turn));
  const kept = last >= 0 ? last : Math.max(0, game.plies.length - 1);
  return { ...game, plies: game.plies.slice(0, kept) };
}

/** Returns what a player's moves gave to the other side: proven mistakes, and possible ones. */
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

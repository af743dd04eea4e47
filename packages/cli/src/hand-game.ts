import {
  boundOf,
  chooseMove,
  costOf,
  type Game,
  gradeMoves,
  narrowedBy,
  nodeAt,
  type Ply,
  replay,
  type Step,
  toCome,
  withAnswer,
  withMove,
} from "@gridlock/explorer/play";
import { type Board, type Bound, isEnd, type Tiles } from "@gridlock/game";
import type { BoardAnswer } from "@gridlock/gridlock";

/** A game of a person who slides against the placer, and what is known of its start. */
export interface HandGame {
  readonly game: Game;
  /** The worth of the start. Upper bounds that say nothing are infinite. */
  readonly worth: Bound;
  /** The file with the start's published value, if that is what `worth` rests on. */
  readonly published?: string;
}

/**
 * Begins a game on a position.
 *
 * @param answer what is known of it
 */
export function beginGame(
  board: Board,
  tiles: Tiles,
  { lo, hi, published }: Pick<BoardAnswer, "lo" | "hi" | "published">,
): HandGame {
  const worth = boundOf({ lo, hi }, board);
  const game = replay({ board, turn: "slider" }, tiles, []);
  return { game, worth, ...(published && { published: published.source }) };
}

/** Returns the points still to come. */
export function pointsToCome({ game, worth }: HandGame): Bound {
  return isEnd(nodeAt(game).board) ? { lo: 0, hi: 0 } : (toCome(game) ?? worth);
}

/** Returns the last slide of a game, and the placer's reply; `undefined` at the start. */
export function lastMoves({ game }: HandGame): readonly [slide: Ply, reply: Step] | undefined {
  const [slide, reply] = game.plies.slice(-2);
  return slide && reply && [slide, reply.step];
}

/** Returns whether each of the placer's replies so far is proven best. */
export function isPerfect({ game }: HandGame): boolean {
  return game.plies.every(({ before, cost }) => before.turn === "slider" || cost.hi === 0);
}

/**
 * Returns a game with what has been proven of its last position since.
 *
 * @param answer the answer for that position
 */
export function withProven({ game, worth, ...hand }: HandGame, answer: BoardAnswer): HandGame {
  const isStart = game.plies.length === 0;
  return {
    ...hand,
    game: withAnswer(game, game.plies.length, answer),
    worth: isStart ? boundOf(narrowedBy(answer, worth), nodeAt(game).board) : worth,
  };
}

/**
 * Adds a slide and the placer's reply to a game: any that is proven best or, if none is, one of the
 * strongest by what is proven.
 *
 * @param step a slide from the game's last position
 * @param answer what is known of its afterstate
 */
export function withSlide(
  hand: HandGame,
  step: Step,
  answer: BoardAnswer,
  random: () => number,
): HandGame {
  const worth = pointsToCome(hand);
  const total = { lo: step.score, hi: worth.hi };
  const cost = costOf("slider", worth, total);
  const slid = withMove(hand.game, { step, total, cost }, worth, []);
  const known = withAnswer(slid, slid.plies.length, answer);
  const after = toCome(known) ?? worth;
  const moves = gradeMoves(step.after, narrowedBy(answer, after));
  const reply = chooseMove("perfect", "placer", moves, undefined, random);
  if (reply === undefined) throw new RangeError("an answer lacks the placements of its board");
  return { ...hand, game: withMove(known, reply, after, moves) };
}

/** Returns the position after the placer's best reply on a board. */
export function afterReply(board: Board, answer: BoardAnswer, random: () => number): Board {
  const moves = gradeMoves({ board, turn: "placer" }, answer);
  const reply = chooseMove("perfect", "placer", moves, undefined, random);
  return reply?.step.after.board ?? board;
}

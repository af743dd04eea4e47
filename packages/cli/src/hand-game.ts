import {
  type Board,
  type Bound,
  formatPlacement,
  isEnd,
  isOpenAbove,
  mergeBounds,
  type Placement,
  placements,
  type Slide,
  type Tiles,
} from "@gridlock/game";
import type { BoardAnswer } from "@gridlock/gridlock";

/** A slide of a game, and the placer's reply. */
export interface HandMove {
  readonly slide: Slide;
  /** Points that the slide gave away. */
  readonly cost: Bound;
  readonly reply: Placement;
}

/** A position of a game, with the slider to move. Upper bounds that say nothing are infinite. */
export interface HandTurn {
  readonly board: Board;
  readonly earned: number;
  /** Points still to come. */
  readonly toCome: Bound;
  /** Points that the slides so far gave away. */
  readonly given: Bound;
  /** True if each of the placer's replies so far is proven best. */
  readonly isPerfect: boolean;
  /** At the start: the file with its published value, if that is what `toCome` rests on. */
  readonly published?: string;
  /** The move that led here; `undefined` at the start. */
  readonly move?: HandMove;
}

/** A game of a person who slides against the placer: its positions, from the start on. */
export type HandGame = readonly [HandTurn, ...HandTurn[]];

/** An answer's bounds for its board and for each of its named moves. */
type Answered = Pick<BoardAnswer, "lo" | "hi" | "best"> & {
  readonly moves: readonly ({ readonly lo: number; readonly hi: number } & (
    | { readonly move: string }
    | { readonly place: string }
  ))[];
};

/** A placement that the placer may choose, and what is proven of the position after it. */
interface Reply {
  readonly placement: Placement;
  readonly bound: Bound;
  readonly isBest: boolean;
}

/**
 * Begins a game on a position.
 *
 * @param answer what is known of it
 */
export function beginGame(
  board: Board,
  { lo, hi, published }: Pick<BoardAnswer, "lo" | "hi" | "published">,
): HandGame {
  const toCome = knownOf(board, { lo, hi });
  const start = { board, earned: 0, toCome, given: { lo: 0, hi: 0 }, isPerfect: true };
  return [{ ...start, ...(published && { published: published.source }) }];
}

/** Returns the position that a game has come to. */
export function turnOf(game: HandGame): HandTurn {
  return game.at(-1) as HandTurn;
}

/** Takes the last slide back, and the reply to it. */
export function takeBack(game: HandGame): HandGame {
  const [start, ...others] = game;
  return [start, ...others.slice(0, -1)];
}

/** Returns a game with what has been proven of its last position since. */
export function withProven(game: HandGame, bound: Bound): HandGame {
  const turn = turnOf(game);
  const toCome = mergeBounds(turn.toCome, knownOf(turn.board, bound));
  return game.with(-1, { ...turn, toCome }) as unknown as HandGame;
}

/**
 * Adds a slide and the placer's reply to a game.
 *
 * @param answer what is known of the afterstate of the slide
 */
export function withSlide(
  game: HandGame,
  slide: Slide,
  answer: Answered,
  tiles: Tiles,
  random: () => number,
): HandGame {
  const before = turnOf(game);
  const { placement: reply, bound, isBest } = chooseReply(slide.board, answer, tiles, random);
  // No slide is worth more than its position.
  const after = mergeBounds(knownOf(slide.board, answer), {
    lo: 0,
    hi: before.toCome.hi - slide.score,
  });
  const cost = {
    lo: Math.max(0, before.toCome.lo - slide.score - after.hi),
    hi: Math.max(0, before.toCome.hi - slide.score - after.lo),
  };
  const { board } = reply;
  const turn: HandTurn = {
    board,
    earned: before.earned + slide.score,
    toCome: isEnd(board) ? { lo: 0, hi: 0 } : { lo: Math.max(bound.lo, after.lo), hi: bound.hi },
    given: { lo: before.given.lo + cost.lo, hi: before.given.hi + cost.hi },
    isPerfect: before.isPerfect && isBest,
    move: { slide, cost, reply },
  };
  return [...game, turn];
}

/**
 * Chooses the placer's reply: any that is proven best or, if none is, any of those with the least proven upper bound and,
 * among these, the least lower one.
 */
export function chooseReply(
  after: Board,
  answer: Answered,
  tiles: Tiles,
  random: () => number,
): Reply {
  const best = new Set(answer.best);
  const replies = placements(after, tiles).map((placement): Reply => {
    const name = formatPlacement(after, placement);
    const move = answer.moves.find((each) => "place" in each && each.place === name);
    if (move === undefined) throw new RangeError(`an answer lacks the placement ${name}`);
    const bound = knownOf(placement.board, move);
    return { placement, bound, isBest: best.has(name) };
  });
  const proven = replies.filter(({ isBest }) => isBest);
  const strongest = proven.length > 0 ? proven : leastOf(replies);
  return strongest[Math.floor(random() * strongest.length)] as Reply;
}

function leastOf(replies: readonly Reply[]): readonly Reply[] {
  const hi = Math.min(...replies.map(({ bound }) => bound.hi));
  const lowest = replies.filter(({ bound }) => bound.hi === hi);
  const lo = Math.min(...lowest.map(({ bound }) => bound.lo));
  return lowest.filter(({ bound }) => bound.lo === lo);
}

/** Returns a bound whose upper end is infinite if it is no result, but about what the rules give. */
function knownOf(board: Board, { lo, hi }: Bound): Bound {
  return { lo, hi: isOpenAbove({ lo, hi }, board) ? Number.POSITIVE_INFINITY : hi };
}

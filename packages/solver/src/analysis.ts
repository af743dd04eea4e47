import {
  type Bound,
  type Game,
  isExact,
  mergeBounds,
  type Node,
  normalShape,
  opponent,
} from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel";
import type { BoundEntry } from "@gridlock/store";
import { BestLines, type Line } from "./best-lines.js";
import { type CanonicalNode, CanonicalNodes, type Child } from "./canonical-nodes.js";
import {
  type FiledBound,
  KnownBounds,
  type StoredBounds,
  type TabulatedValue,
} from "./known-bounds.js";
import { type Move, MoveNames } from "./moves.js";
import { TimedSearch } from "./timed-search.js";
import { firstGuess, guessBeside } from "./window.js";

/** A move and its proven bound. */
export interface MoveAnalysis {
  readonly move: Move;
  /** Points that the move itself earns; the move is worth `score` plus the bound. */
  readonly score: number;
  /** The node that the move leads to, in the orientation of the analysed board. */
  readonly to: Node;
  /** That node's proven bound, in points. */
  readonly bound: Bound;
}

/** The proven bounds of a board and its moves. */
export interface Analysis extends Node {
  readonly bound: Bound;
  readonly moves: readonly MoveAnalysis[];
  /** A line of best play to its end, if the value is known and there was time to find one. */
  readonly line: Line | undefined;
}

/**
 * Answers questions about boards of one game, from known bounds and otherwise by search. Newly
 * proven bounds are kept until {@link takeFresh}.
 */
export class Analyst {
  readonly #game: Game;
  readonly #nodes: CanonicalNodes;
  readonly #known: KnownBounds;
  readonly #search: TimedSearch;
  readonly #lines: BestLines;
  readonly #names: MoveNames;

  /**
   * @param kernel searches boards that are not stored; without one, answers come from stored bounds
   *   alone
   * @param tabulated values known beforehand; they are not stored, but bounds proven from them are
   * @param filed bounds known beforehand; only those on lines of best play are stored
   */
  constructor(
    game: Game,
    stored: StoredBounds,
    kernel: Kernel | undefined,
    tabulated: TabulatedValue = () => undefined,
    filed?: FiledBound,
  ) {
    this.#game = { ...game, shape: normalShape(game.shape) };
    this.#names = new MoveNames(this.#game.shape);
    this.#nodes = new CanonicalNodes(this.#game, kernel);
    this.#known = new KnownBounds(this.#nodes, stored, tabulated, filed);
    this.#search = new TimedSearch(this.#nodes, this.#known, kernel, stored);
    this.#lines = new BestLines(this.#game, this.#nodes, this.#known, this.#search, this.#names);
  }

  /**
   * Returns whether a search has run; before the first one, the stored bounds are loaded into the kernel's
   * table.
   */
  get hasSearched(): boolean {
    return this.#search.hasSearched;
  }

  /** Number of boards whose bounds or best moves are remembered. */
  get remembered(): number {
    return this.#known.remembered + this.#lines.remembered;
  }

  /** Returns the bounds proven since the last call that are not in the database yet. */
  takeFresh(): BoundEntry[] {
    return this.#known.takeFresh();
  }

  /**
   * Analyses a board of either turn: its value, each move's value and a line of best play, as far
   * as they are stored or proven within `budget` seconds.
   *
   * @param isStopped returns true to stop earlier; called several times a second
   */
  analyse(node: Node, budget: number, isStopped?: () => boolean): Analysis {
    this.#begin(budget, isStopped);
    const root = this.#nodes.of(node);
    const children = this.#nodes.children(node);
    let bound = this.#search.evaluate(root, firstGuess(this.#game));
    const line = isExact(bound) ? this.#lines.from(node, bound.lo, children) : undefined;
    const moves = this.#movesOf(node, children, (child, score) => {
      const known = this.#known.of(child);
      if (isExact(known)) return known;
      // No slide is worth more than its position, and no placement leaves less than its
      // afterstate's value.
      if (node.turn === "slider") this.#known.prove(child, { lo: 0, hi: bound.hi - score });
      else this.#known.prove(child, { lo: bound.lo, hi: Number.POSITIVE_INFINITY });
      const most = node.turn === "slider" ? bound.hi - score - 4 : bound.lo;
      return this.#search.evaluate(child, guessBeside(most));
    });
    bound = mergeBounds(bound, boundFromMoves(node, moves) ?? bound);
    this.#known.prove(root, bound);
    return { ...node, bound, moves, line };
  }

  /**
   * Analyses a board of either turn without search.
   *
   * @returns `undefined` if its value, a move's value, or a line of best play is unknown, or if
   *   finding the line would take too many look-ups
   */
  lookUp(node: Node): Analysis | undefined {
    this.#begin(0);
    const bound = this.#known.of(this.#nodes.of(node));
    if (!isExact(bound)) return undefined;
    const children = this.#nodes.children(node);
    const moves = this.#movesOf(node, children, (child) => this.#known.of(child));
    if (!moves.every((move) => isExact(move.bound))) return undefined;
    const line = this.#lines.from(node, bound.lo, children);
    return line && { ...node, bound, moves, line };
  }

  /**
   * Returns the bound of a board of either turn, stored or proven within `budget` seconds; see
   * {@link analyse}.
   */
  value(node: Node, budget: number, isStopped?: () => boolean): Bound {
    this.#begin(budget, isStopped);
    return this.#search.evaluate(this.#nodes.of(node), firstGuess(this.#game));
  }

  /** Finds a line of best play from a node whose value is known, if `budget` seconds suffice. */
  bestLine(node: Node, budget: number): Line | undefined {
    this.#begin(budget);
    const { lo, hi } = this.#known.of(this.#nodes.of(node));
    return lo === hi ? this.#lines.from(node, lo, this.#nodes.children(node)) : undefined;
  }

  /** Names the moves to a node's children, and finds the bound of each child. */
  #movesOf(
    { board, turn }: Node,
    children: readonly Child[],
    boundOf: (child: CanonicalNode, score: number) => Bound,
  ): MoveAnalysis[] {
    const names = this.#names.on(board);
    const next = opponent(turn);
    return children.map(({ move, score, board: after, canonical }) => ({
      move: names[move] as Move,
      score,
      to: { board: after, turn: next },
      bound: boundOf(canonical, score),
    }));
  }

  #begin(budget: number, isStopped?: () => boolean): void {
    this.#search.begin(budget, isStopped);
    this.#lines.begin();
    this.#known.trim();
  }
}

/** Derives a node's bound from those of its moves; `undefined` without moves. */
function boundFromMoves({ turn }: Node, moves: readonly MoveAnalysis[]): Bound | undefined {
  if (moves.length === 0) return undefined;
  const pick = turn === "slider" ? Math.max : Math.min;
  return {
    lo: pick(...moves.map(({ score, bound }) => score + bound.lo)),
    hi: pick(...moves.map(({ score, bound }) => score + bound.hi)),
  };
}

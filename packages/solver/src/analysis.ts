import {
  type Bound,
  boundByMoves,
  type Game,
  isExact,
  isOpenAbove,
  mergeBounds,
  type Node,
  opponent,
  type Turn,
  verdictsOn,
} from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel/web";
import type { BoundEntry } from "@gridlock/store";
import { BestLines, type Line } from "./best-lines.js";
import { type CanonicalNode, CanonicalNodes, type Child } from "./canonical-nodes.js";
import {
  KnownBounds,
  type Source,
  type StoredBounds,
  type TabulatedValue,
} from "./known-bounds.js";
import type { Move } from "./moves.js";
import { TimedSearch } from "./timed-search.js";
import { firstGuess, type Guess, guessBeside } from "./window.js";

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
  /** The source of the board's bound. */
  readonly source: Source;
  readonly moves: readonly MoveAnalysis[];
  /** A line of best play to its end, if the value is known and there was time to find one. */
  readonly line: Line | undefined;
}

/** A move, its bounds in all, and whether it may be better than all others. */
interface RankedMove {
  readonly child: Child;
  readonly worth: Bound;
  readonly isOpen: boolean;
}

/**
 * Answers questions about boards of one game, from known bounds and otherwise by search. Newly
 * proven bounds are kept until {@link drainFresh}.
 */
export class Analyst {
  readonly #nodes: CanonicalNodes;
  readonly #known: KnownBounds;
  readonly #search: TimedSearch;
  readonly #lines: BestLines;

  /**
   * @param kernel searches boards that are not stored; without one, answers come from stored bounds
   *   alone
   * @param tabulated values known beforehand; they are not stored, but bounds proven from them are
   */
  constructor(
    game: Game,
    stored: StoredBounds,
    kernel: Kernel | undefined,
    tabulated: TabulatedValue = () => undefined,
  ) {
    this.#nodes = new CanonicalNodes(game, kernel);
    this.#known = new KnownBounds(this.#nodes, stored, tabulated);
    this.#search = new TimedSearch(this.#known, kernel);
    this.#lines = new BestLines(this.#known, this.#search);
  }

  /**
   * Returns whether a search has run; before the first one, the stored bounds are loaded into the
   * kernel's table.
   */
  get hasSearched(): boolean {
    return this.#search.hasSearched;
  }

  /** Number of boards whose bounds or best moves are remembered. */
  get remembered(): number {
    return this.#known.remembered + this.#lines.remembered;
  }

  /** Returns the bounds proven since the last call that are not in the database yet. */
  drainFresh(): BoundEntry[] {
    return this.#known.drainFresh();
  }

  /**
   * Analyses a board of either turn: its value, each move's value and a line of best play, as far
   * as they are stored or proven within `budget` seconds.
   *
   * @param isStopped returns true to stop earlier; called several times a second
   * @param enough seconds after which the analysis ends early if the value and the verdicts on all
   *   moves are known: moves that are worse or as good may then have an interval, and the line may
   *   be missing (default: all of the budget)
   */
  analyse(node: Node, budget: number, isStopped?: () => boolean, enough = budget): Analysis {
    this.#begin(budget, isStopped);
    const root = this.#nodes.of(node);
    const children = this.#nodes.children(node);
    let bound = this.#search.evaluate(root, this.#guessOf(root));
    for (const child of children) {
      this.#search.recall(child.canonical);
      this.#infer(node.turn, root, bound, child);
    }
    this.#settle(node.turn, bound, children);
    const ranked = this.#ranked(node.turn, bound, children);
    if (isExact(bound) && !ranked.some(({ isOpen }) => isOpen)) this.#search.shorten(enough);
    const line = isExact(bound) ? this.#lines.from(node, bound.lo, children) : undefined;
    // Placements that are worse than the best one are often much worse, and alike.
    let most = bound.lo;
    for (const { child } of ranked) {
      if (node.turn === "slider") most = bound.hi - child.score - 4;
      const { lo } = this.#search.evaluate(child.canonical, guessBeside(most));
      most = Math.max(most, lo);
    }
    const moves = this.#movesOf(node.turn, children);
    bound = mergeBounds(bound, boundByMoves(node.turn, moves));
    const nodes = children.map(({ canonical }) => canonical);
    this.#known.prove(root, bound, () => this.#known.sourceOfAll([root, ...nodes]));
    return { ...node, bound, source: this.#known.sourceOf(root), moves, line };
  }

  /** Guesses a node's value: a proven upper bound, as other moves have given it, is often met. */
  #guessOf(node: CanonicalNode): Guess {
    const bound = this.#known.of(node);
    const isOpen = isOpenAbove(bound, this.#nodes.boardOf(node));
    return isOpen ? firstGuess(this.#nodes.game) : guessBeside(bound.hi - 4);
  }

  /** Infers a bound of a move's board from that of the board before it. */
  #infer(turn: Turn, root: CanonicalNode, { lo, hi }: Bound, { canonical, score }: Child): void {
    if (isExact(this.#known.of(canonical))) return;
    // No slide is worth more than its position, and no placement leaves less than its afterstate's
    // value.
    const bound =
      turn === "slider" ? { lo: 0, hi: hi - score } : { lo, hi: Number.POSITIVE_INFINITY };
    this.#known.prove(canonical, bound, () => this.#known.sourceOfAll([root, canonical]));
  }

  /** Asks questions about moves that may be the best one until that is settled or time is up. */
  #settle(turn: Turn, bound: Bound, children: readonly Child[]): void {
    for (;;) {
      const question = this.#nextQuestion(turn, bound, children);
      if (question === undefined) return;
      const answer = this.#search.ask(question.node, question.threshold);
      if (answer === undefined) return;
      this.#known.prove(question.node, answer);
    }
  }

  /**
   * Returns a question about the most promising open move: whether it is better than the best one
   * known or, if no move is known to earn as much as the board is worth, whether this one does. It
   * costs less than the move's value, and may settle all moves.
   */
  #nextQuestion(turn: Turn, bound: Bound, children: readonly Child[]) {
    const isSlide = turn === "slider";
    const ranked = this.#ranked(turn, bound, children);
    const sure = isSlide
      ? Math.max(bound.lo, ...ranked.map(({ worth }) => worth.lo))
      : Math.min(bound.hi, ...ranked.map(({ worth }) => worth.hi));
    const isSure = ({ worth }: RankedMove) => (isSlide ? worth.lo >= sure : worth.hi <= sure);
    const asked = ranked.find((move) => move.isOpen && !isSure(move));
    if (asked === undefined || !Number.isFinite(sure)) return undefined;
    const { canonical, score } = asked.child;
    return { node: canonical, threshold: sure - score + (ranked.some(isSure) === isSlide ? 4 : 0) };
  }

  /** Lists the moves, first the open ones, and of these the most promising first. */
  #ranked(turn: Turn, bound: Bound, children: readonly Child[]): RankedMove[] {
    const moves = children.map(({ score, canonical }) => {
      return { score, bound: this.#known.of(canonical) };
    });
    const verdicts = verdictsOn(turn, bound, moves);
    const ranked = children.map((child, i): RankedMove => {
      const { score, bound } = moves[i] as (typeof moves)[number];
      const worth = { lo: score + bound.lo, hi: score + bound.hi };
      return { child, worth, isOpen: verdicts[i]?.verdict === "open" };
    });
    const promise = ({ worth }: RankedMove) => (turn === "slider" ? -worth.hi : worth.lo);
    return ranked.sort((a, b) => Number(b.isOpen) - Number(a.isOpen) || promise(a) - promise(b));
  }

  /**
   * Analyses a board of either turn without search.
   *
   * @returns `undefined` if its value, a move's value, or a line of best play is unknown, or if
   *   finding the line would take too many look-ups
   */
  lookUp(node: Node): Analysis | undefined {
    this.#begin(0);
    const root = this.#nodes.of(node);
    const bound = this.#known.of(root);
    if (!isExact(bound)) return undefined;
    const children = this.#nodes.children(node);
    const moves = this.#movesOf(node.turn, children);
    if (!moves.every((move) => isExact(move.bound))) return undefined;
    const line = this.#lines.from(node, bound.lo, children);
    return line && { ...node, bound, source: this.#known.sourceOf(root), moves, line };
  }

  /**
   * Returns the bound of a board of either turn, stored or proven within `budget` seconds; see
   * {@link analyse}.
   */
  value(node: Node, budget: number, isStopped?: () => boolean): Bound {
    this.#begin(budget, isStopped);
    return this.#search.evaluate(this.#nodes.of(node), firstGuess(this.#nodes.game));
  }

  /** Returns the source of a node's bound. */
  sourceOf(node: Node): Source {
    return this.#known.sourceOf(this.#nodes.of(node));
  }

  /** Finds a line of best play from a node whose value is known, if `budget` seconds suffice. */
  bestLine(node: Node, budget: number): Line | undefined {
    this.#begin(budget);
    const { lo, hi } = this.#known.of(this.#nodes.of(node));
    return lo === hi ? this.#lines.from(node, lo, this.#nodes.children(node)) : undefined;
  }

  /** Returns the moves to a node's children, and the known bound of each child. */
  #movesOf(turn: Turn, children: readonly Child[]): MoveAnalysis[] {
    return children.map(({ move, score, board, canonical }) => ({
      move,
      score,
      to: { board, turn: opponent(turn) },
      bound: this.#known.of(canonical),
    }));
  }

  #begin(budget: number, isStopped?: () => boolean): void {
    this.#search.begin(budget, isStopped);
    this.#lines.begin();
    this.#known.trim();
  }
}

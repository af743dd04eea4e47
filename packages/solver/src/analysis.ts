import {
  applySymmetry,
  type Board,
  type Bound,
  boundByRules,
  canonical,
  type Game,
  isExact,
  mergeBounds,
  mostPointsToCome,
  type Node,
  normalShape,
  type PackedBoard,
  type PackedNode,
  packBoard,
  placements,
  SYMMETRIES,
  type Symmetry,
  slides,
  symmetriesToNormal,
  symmetryToCanonical,
  unpackBoard,
} from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel";
import type { BoundEntry, BoundTable } from "@gridlock/store";
import {
  COMPOSED,
  INVERSE,
  type Move,
  moveImages,
  movesOf,
  placementNumber,
  slideNumber,
  symmetryNumber,
} from "./moves.js";
import { type NodeKey, NodeKeys } from "./node-keys.js";
import { loadBounds } from "./table-bounds.js";
import { firstGuess, type Guess, guessBeside, nextThreshold } from "./window.js";

/** A move and what is proven of the board it leads to, in points. */
export interface MoveAnalysis {
  readonly move: Move;
  /** Points the move itself earns; what it is worth in all is `score` plus the bound. */
  readonly score: number;
  readonly bound: Bound;
}

/** All that can be said of a board. */
export interface Analysis extends Node {
  readonly bound: Bound;
  readonly moves: readonly MoveAnalysis[];
  /** A line of best play to its end, when the value is known. */
  readonly line: { readonly moves: readonly Move[]; readonly end: Board } | undefined;
}

/** A node by its canonical board. */
interface Canonical extends PackedNode {
  readonly key: NodeKey;
}

/** A board that a move (by number, see `moves.ts`) leads to. */
interface Child {
  readonly move: number;
  readonly score: number;
  readonly board: Board;
  readonly canonical: Canonical;
}

/** A best move from a canonical board, and where a line of best play goes on. */
interface Step {
  /** The move's number. */
  readonly move: number;
  /** The number of a symmetry that leads from the board the move gives to the next canonical board. */
  readonly symmetry: number;
  readonly to: Canonical;
  /** The step from there, once it is known; at an end there is none. */
  next: Step | undefined;
}

/** A board on the trail of a line, and which of its best moves is being tried. */
interface Visit {
  readonly node: Canonical;
  readonly candidates: Generator<Child, void>;
  tried: Child | undefined;
}

/** Nodes searched between two looks at the clock: some 50 ms. */
const SLICE = 50_000;
/** The part of a budget that, where the value cannot be had, goes into a better lower bound. */
const CLIMBING_PART = 1 / 4;
/** Bounds and steps remembered before the memory starts afresh. */
const MOST_REMEMBERED = 4_000_000;

/** Tells the value of a node that has been tabulated, in points; `undefined` for others. */
export type TabulatedValue = (node: Node) => number | undefined;

/**
 * Answers for boards of one game: from what the database holds, and where that does not say enough,
 * by search. What is newly proven is kept until {@link takeFresh}.
 */
export class Analyst {
  readonly #game: Game;
  readonly #stored: BoundTable;
  readonly #kernel: Kernel | undefined;
  readonly #tabulated: TabulatedValue;
  readonly #known = new Map<NodeKey, Bound>();
  readonly #steps = new Map<NodeKey, Step>();
  /** Boards from which no line is known in the time of the present call. */
  readonly #deadEnds = new Set<NodeKey>();
  readonly #images: readonly (readonly number[])[];
  /** The moves of the normal shape and of its transpose. */
  readonly #moves: readonly (readonly Move[])[];
  readonly #fresh = new Map<NodeKey, BoundEntry>();
  readonly #keys: NodeKeys;
  #allLoaded = false;
  /** Bounds looked up one by one, and after how many it pays to load all. */
  #lookups = 0;
  #loadAfter = Number.POSITIVE_INFINITY;
  #deadline = 0;
  #searching = false;

  /**
   * @param kernel searches what is not stored; without one, only what is stored is answered
   * @param tabulated what is known of some nodes beforehand; it is not stored, but what is proven from it is
   */
  constructor(
    game: Game,
    stored: BoundTable,
    kernel: Kernel | undefined,
    tabulated: TabulatedValue = () => undefined,
  ) {
    this.#game = { ...game, shape: normalShape(game.shape) };
    const { rows, cols } = this.#game.shape;
    this.#keys = new NodeKeys(this.#game.shape);
    this.#images = moveImages(this.#game.shape);
    this.#moves = [movesOf({ rows, cols }), movesOf({ rows: cols, cols: rows })];
    this.#stored = stored;
    this.#kernel = kernel;
    this.#tabulated = tabulated;
  }

  /** Loads all stored bounds at once, which is faster than one by one when many boards are asked for. */
  #loadAll(): void {
    this.#loadAfter = Number.POSITIVE_INFINITY; // once is enough, whether all finds room or not
    for (const { turn, board, lo, hi } of this.#stored.all()) {
      if (this.#known.size >= MOST_REMEMBERED) return;
      const key = this.#keys.of({ turn, board });
      if (!this.#known.has(key)) this.#known.set(key, { lo, hi });
    }
    this.#allLoaded = true;
  }

  /** Whether anything has been searched. What is stored is given to the kernel before the first search. */
  get hasSearched(): boolean {
    return this.#searching;
  }

  /** What has been proven since the last call and is not in the database yet. */
  takeFresh(): BoundEntry[] {
    const entries = [...this.#fresh.values()];
    this.#fresh.clear();
    return entries;
  }

  /**
   * Analyses a board of either turn: its value, each move's value and a line of best play, as far as
   * they are stored or proven within `budget` seconds.
   */
  analyse(node: Node, budget: number): Analysis {
    this.#begin(budget);
    const root = this.#canonical(node);
    const children = this.#children(node);
    let bound = this.#evaluate(root, firstGuess(this.#game));
    const line = isExact(bound) ? this.#line(node, bound.lo, children) : undefined;
    const names = this.#movesOn(node.board);
    const moves = children.map(({ move: number, score, canonical }) => {
      const move = names[number] as Move;
      const known = this.#bound(canonical);
      if (isExact(known)) return { move, score, bound: known };
      // A slide is worth no more than the position; a placement leaves no less than the afterstate has.
      if (node.turn === "slider") this.#prove(canonical, { lo: 0, hi: bound.hi - score });
      else this.#prove(canonical, { lo: bound.lo, hi: Number.POSITIVE_INFINITY });
      const most = node.turn === "slider" ? bound.hi - score - 4 : bound.lo;
      return { move, score, bound: this.#evaluate(canonical, guessBeside(most)) };
    });
    bound = mergeBounds(bound, this.#boundFromMoves(node, moves) ?? bound);
    this.#prove(root, bound);
    return { ...node, bound, moves, line };
  }

  /** What a board of either turn is worth, as far as that is stored or proven within `budget` seconds. */
  value(node: Node, budget: number): Bound {
    this.#begin(budget);
    return this.#evaluate(this.#canonical(node), firstGuess(this.#game));
  }

  /** A line of best play from a node whose value is known, if every step can be proven in `budget` seconds. */
  bestLine(node: Node, budget: number): Analysis["line"] {
    this.#begin(budget);
    const { lo, hi } = this.#bound(this.#canonical(node));
    return lo === hi ? this.#line(node, lo, this.#children(node)) : undefined;
  }

  /** What the moves' bounds say of the node they start from. */
  #boundFromMoves(node: Node, moves: readonly MoveAnalysis[]): Bound | undefined {
    if (moves.length === 0) return undefined;
    const pick = node.turn === "slider" ? Math.max : Math.min;
    return {
      lo: pick(...moves.map(({ score, bound }) => score + bound.lo)),
      hi: pick(...moves.map(({ score, bound }) => score + bound.hi)),
    };
  }

  #children({ board, turn }: Node): Child[] {
    if (turn === "slider") {
      return slides(board).map(({ direction, score, board: after }) => ({
        move: slideNumber(direction),
        score,
        board: after,
        canonical: this.#canonical({ board: after, turn: "placer" }),
      }));
    }
    return placements(board, this.#game.tiles).map(({ tile, cell, board: next }) => ({
      move: placementNumber(tile, cell),
      score: 0,
      board: next,
      canonical: this.#canonical({ board: next, turn: "slider" }),
    }));
  }

  #canonical({ board, turn }: Node): Canonical {
    let packed: PackedBoard;
    if (this.#kernel === undefined) packed = packBoard(canonical(board));
    else {
      const [toNormal] = symmetriesToNormal(board);
      const normal = toNormal?.transpose ? applySymmetry(board, toNormal) : board;
      packed = this.#kernel.canonical(packBoard(normal));
    }
    return { turn, board: packed, key: this.#keys.of({ turn, board: packed }) };
  }

  #board({ board }: Canonical): Board {
    return unpackBoard(this.#game.shape, board);
  }

  /** What is known of a node without searching. */
  #bound(node: Canonical): Bound {
    let bound = this.#known.get(node.key);
    if (bound === undefined) {
      const plain = { board: this.#board(node), turn: node.turn };
      const value = this.#tabulated(plain);
      bound =
        value === undefined
          ? (this.#lookUp(node) ?? boundByRules(plain))
          : { lo: value, hi: value };
      this.#known.set(node.key, bound);
    }
    return bound;
  }

  /** What the database holds of a node. After many look-ups, each as dear as loading three rows, all is loaded. */
  #lookUp(node: Canonical): Bound | undefined {
    if (this.#allLoaded) return undefined;
    this.#lookups++;
    if (this.#lookups === 1000) this.#loadAfter = 1000 + this.#stored.count().bounds / 16;
    if (this.#lookups > this.#loadAfter) {
      this.#loadAll();
      const loaded = this.#known.get(node.key);
      if (loaded || this.#allLoaded) return loaded;
    }
    return this.#stored.get(node);
  }

  /** Takes note of a proven bound; returns all that is now known of the node. */
  #prove(node: Canonical, proven: Bound): Bound {
    const before = this.#bound(node);
    const bound = mergeBounds(before, proven);
    if (bound.lo === before.lo && bound.hi === before.hi) return before;
    if (bound.lo > bound.hi) {
      throw new Error(
        `contradictory bounds of one board (${bound.lo} ≤ h ≤ ${bound.hi}): the database or the search is wrong`,
      );
    }
    this.#known.set(node.key, bound);
    this.#fresh.set(node.key, { turn: node.turn, board: node.board, ...bound });
    return bound;
  }

  /** Searches until the value is known or the time is up. */
  #evaluate(node: Canonical, guess: Guess): Bound {
    let bound = this.#bound(node);
    if (isExact(bound) || this.#kernel === undefined) return bound;
    const ceiling = mostPointsToCome(this.#board(node));
    const now = performance.now();
    const until = now + (1 - CLIMBING_PART) * (this.#deadline - now);
    for (;;) {
      const threshold = nextThreshold(bound, ceiling, guess);
      if (threshold === undefined) return bound;
      const answer = this.#ask(node, threshold, until);
      if (answer === undefined) return this.#climb(node);
      bound = this.#prove(node, answer);
    }
  }

  /** Raises the lower bound, by thresholds that are easy to prove, for as long as there is time. */
  #climb(node: Canonical): Bound {
    let bound = this.#bound(node);
    for (;;) {
      if (isExact(bound)) return bound;
      const threshold = Math.min(bound.lo + Math.max(8, 4 * Math.ceil(bound.lo / 16)), bound.hi);
      const answer = this.#ask(node, threshold);
      if (answer === undefined) return bound;
      bound = this.#prove(node, answer);
    }
  }

  /** Asks the kernel, a slice at a time, until there is an answer or it is too late. */
  #ask(node: Canonical, threshold: number, until = this.#deadline): Bound | undefined {
    const kernel = this.#kernel;
    if (kernel === undefined || threshold > kernel.highestThreshold) return undefined;
    if (!this.#searching) {
      loadBounds(kernel, this.#stored);
      this.#searching = true;
    }
    // A slice that is cut off starts again at the top, so slices grow, as far as time allows.
    let slice = SLICE;
    for (;;) {
      const began = performance.now();
      if (began >= until) return undefined;
      const answer = kernel.ask(node, threshold, slice);
      if (answer !== undefined) return answer;
      const now = performance.now();
      const possible = (slice * (until - now)) / Math.max(now - began, 1);
      slice = Math.max(1, Math.min(1.5 * slice, possible));
    }
  }

  #movesOn({ rows, cols }: Board): readonly Move[] {
    return this.#moves[rows <= cols ? 0 : 1] as readonly Move[];
  }

  /** A line of best play from a node of this value with these children. */
  #line({ board, turn }: Node, value: number, children: readonly Child[]): Analysis["line"] {
    if (children.length === 0) return { moves: [], end: board };
    let first: Child | undefined;
    for (const child of this.#bestChildren(turn, value, children)) {
      if (this.#goesOn(child.canonical)) {
        first = child;
        break;
      }
    }
    if (first === undefined) return undefined;
    const names = this.#movesOn(board);
    const moves = [names[first.move] as Move];
    let at = first.canonical;
    let symmetry = symmetryNumber(symmetryToCanonical(first.board, at.board));
    let step = this.#steps.get(at.key);
    while (step !== undefined) {
      const back = this.#images[INVERSE[symmetry] as number] as readonly number[];
      moves.push(names[back[step.move] as number] as Move);
      symmetry = (COMPOSED[symmetry] as readonly number[])[step.symmetry] as number;
      at = step.to;
      step.next ??= this.#steps.get(at.key);
      step = step.next;
    }
    const back = SYMMETRIES[INVERSE[symmetry] as number] as Symmetry;
    return { moves, end: applySymmetry(this.#board(at), back) };
  }

  /**
   * Whether a line of best play can be told from a canonical board to its end, in the time there is;
   * if so its steps are remembered. A search of its own, depth first, with a trail on the heap, since a
   * game can be longer than a stack is deep.
   */
  #goesOn(from: Canonical): boolean {
    const trail: Visit[] = [];
    let goesOn = this.#visit(from, trail);
    for (let visit = trail.at(-1); visit !== undefined; visit = trail.at(-1)) {
      if (goesOn && visit.tried) {
        this.#remember(visit.node, visit.tried);
        trail.pop();
        continue;
      }
      const next = visit.candidates.next();
      if (next.done) {
        this.#deadEnds.add(visit.node.key);
        trail.pop();
        goesOn = false;
      } else {
        visit.tried = next.value;
        goesOn = this.#visit(next.value.canonical, trail);
      }
    }
    return goesOn === true;
  }

  /** Whether a line goes on from here, or `undefined` when it has become the head of the trail to be seen. */
  #visit(node: Canonical, trail: Visit[]): boolean | undefined {
    if (this.#steps.has(node.key)) return true;
    if (this.#deadEnds.has(node.key)) return false;
    const children = this.#children({ board: this.#board(node), turn: node.turn });
    if (children.length === 0) return true;
    const { lo: value } = this.#bound(node);
    const candidates = this.#bestChildren(node.turn, value, children);
    trail.push({ node, candidates, tried: undefined });
    return undefined;
  }

  #remember(from: Canonical, { move, board, canonical: to }: Child): void {
    const symmetry = symmetryNumber(symmetryToCanonical(board, to.board));
    this.#steps.set(from.key, { move, symmetry, to, next: undefined });
  }

  /** The children that keep the value: those that are known to first, then those that can be proven to. */
  *#bestChildren(
    turn: Node["turn"],
    value: number,
    children: readonly Child[],
  ): Generator<Child, void> {
    const rest: Child[] = [];
    for (const child of children) {
      const { lo, hi } = this.#bound(child.canonical);
      if (lo < hi) rest.push(child);
      else if (child.score + lo === value) yield child;
    }
    for (const child of rest) {
      if (this.#isWorth(child.canonical, value - child.score, turn)) yield child;
    }
  }

  /**
   * Whether a child's value is `worth`, the most a slide can leave or the least a placement can: one
   * question settles it.
   */
  #isWorth(child: Canonical, worth: number, turn: Node["turn"]): boolean {
    const known = this.#bound(child);
    if (turn === "slider") {
      if (known.hi < worth) return false;
      const answer = known.lo >= worth ? known : this.#ask(child, worth);
      if (answer === undefined) return false;
      const bound = this.#prove(child, answer.lo >= worth ? { lo: worth, hi: worth } : answer);
      return bound.lo === worth;
    }
    if (known.lo > worth) return false;
    const answer = known.hi <= worth ? known : this.#ask(child, worth + 4);
    if (answer === undefined) return false;
    const bound = this.#prove(child, answer.hi <= worth ? { lo: worth, hi: worth } : answer);
    return bound.hi === worth;
  }

  /** Begins a call: sets the time it has, and forgets what may now have changed, or is too much. */
  #begin(budget: number): void {
    this.#deadline = performance.now() + 1000 * budget;
    this.#deadEnds.clear();
    if (this.#steps.size > MOST_REMEMBERED) this.#steps.clear();
    if (this.#known.size > 2 * MOST_REMEMBERED) {
      this.#known.clear();
      this.#allLoaded = false;
    }
  }
}

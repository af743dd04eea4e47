import {
  applySymmetry,
  type Board,
  composeSymmetries,
  inverseSymmetry,
  type Node,
  type Symmetry,
  symmetryToCanonical,
} from "@gridlock/game";
import type { CanonicalNode, Child } from "./canonical-nodes.js";
import type { KnownBounds } from "./known-bounds.js";
import { type Move, mapMove } from "./moves.js";
import type { NodeKey } from "./node-keys.js";
import type { TimedSearch } from "./timed-search.js";

/** A line of best play to the end of the game, in the orientation of its first board. */
export interface Line {
  readonly moves: readonly Move[];
  readonly end: Board;
}

/** A best move from a canonical board. */
interface BestMove {
  readonly move: Move;
  /** A symmetry from the board after the move to the next canonical board. */
  readonly symmetry: Symmetry;
  readonly to: CanonicalNode;
}

/** A board on the trail of a line, and the best move being tried. */
interface TrailNode {
  readonly node: CanonicalNode;
  readonly candidates: Generator<Child, void>;
  tried: Child | undefined;
}

/** Most boards to visit once time is up: without search, most ways end where no bound is known. */
const MOST_LATE_VISITS = 2000;
/** Seconds of a brief search, which suffices if a proof has stored all but its last steps. */
const BRIEF_SECONDS = 0.05;
/** Most steps to remember; beyond, all are forgotten. */
const MOST_REMEMBERED = 4_000_000;

/**
 * Finds lines of best play by known bounds and, within the time of a {@link TimedSearch}, by
 * search. It remembers steps from canonical boards, so that lines that meet are found only once.
 */
export class BestLines {
  readonly #known: KnownBounds;
  readonly #search: TimedSearch;
  readonly #steps = new Map<NodeKey, BestMove>();
  /** Boards from which no line was found in the time of the current call. */
  readonly #deadEnds = new Set<NodeKey>();
  #visitsLeft = 0;

  constructor(known: KnownBounds, search: TimedSearch) {
    this.#known = known;
    this.#search = search;
  }

  /** Number of remembered steps. */
  get remembered(): number {
    return this.#steps.size;
  }

  /**
   * Begins a call: forgets dead ends, which more time may change, and all steps if they take too
   * much memory.
   */
  begin(): void {
    this.#deadEnds.clear();
    if (this.#steps.size > MOST_REMEMBERED) this.#steps.clear();
  }

  /**
   * Finds a line from a node of this value with these children; `undefined` if the time is too
   * short.
   */
  from({ board, turn }: Node, value: number, children: readonly Child[]): Line | undefined {
    if (children.length === 0) return { moves: [], end: board };
    this.#visitsLeft = MOST_LATE_VISITS;
    for (const child of this.#bestChildren(turn, value, children)) {
      if (this.#hasLine(child.canonical)) return this.#lineFrom(child);
    }
    return undefined;
  }

  /** Returns the line of the steps that are remembered from a child on. */
  #lineFrom(first: Child): Line {
    const { nodes } = this.#known;
    const moves = [first.move];
    let at = first.canonical;
    let symmetry = symmetryToCanonical(first.board, at.board);
    for (let step = this.#steps.get(at.key); step; step = this.#steps.get(at.key)) {
      moves.push(mapMove(step.move, nodes.game.shape, inverseSymmetry(symmetry)));
      symmetry = composeSymmetries(symmetry, step.symmetry);
      at = step.to;
    }
    return { moves, end: applySymmetry(nodes.boardOf(at), inverseSymmetry(symmetry)) };
  }

  /**
   * Finds and remembers the steps of a line from a canonical board to its end; returns whether
   * there was enough time. This is a depth-first search with its trail on the heap, since a game
   * can be too long for the stack.
   */
  #hasLine(from: CanonicalNode): boolean {
    const trail: TrailNode[] = [];
    let hasLine = this.#visit(from, trail);
    for (let visit = trail.at(-1); visit !== undefined; visit = trail.at(-1)) {
      if (this.#search.isTimeUp && this.#visitsLeft-- <= 0) return false;
      if (hasLine && visit.tried) {
        this.#remember(visit.node, visit.tried);
        trail.pop();
        continue;
      }
      const next = visit.candidates.next();
      if (next.done) {
        this.#deadEnds.add(visit.node.key);
        trail.pop();
        hasLine = false;
      } else {
        visit.tried = next.value;
        hasLine = this.#visit(next.value.canonical, trail);
      }
    }
    return hasLine === true;
  }

  /**
   * Returns whether there is a line from here; if that is open, puts the node on the trail and
   * returns `undefined`.
   */
  #visit(node: CanonicalNode, trail: TrailNode[]): boolean | undefined {
    if (this.#steps.has(node.key)) return true;
    if (this.#deadEnds.has(node.key)) return false;
    const { nodes } = this.#known;
    const children = nodes.children(nodes.plain(node));
    if (children.length === 0) return true;
    const { lo: value } = this.#known.of(node);
    const candidates = this.#bestChildren(node.turn, value, children);
    trail.push({ node, candidates, tried: undefined });
    return undefined;
  }

  #remember(from: CanonicalNode, { move, board, canonical: to }: Child): void {
    const symmetry = symmetryToCanonical(board, to.board);
    this.#steps.set(from.key, { move, symmetry, to });
  }

  /**
   * Yields the children that keep the value: first those known to keep it, then those proven to,
   * by brief searches if possible.
   */
  *#bestChildren(
    turn: Node["turn"],
    value: number,
    children: readonly Child[],
  ): Generator<Child, void> {
    let open = children;
    for (const seconds of [0, BRIEF_SECONDS, Number.POSITIVE_INFINITY]) {
      const stillOpen: Child[] = [];
      for (const child of open) {
        const isBest = this.#isWorth(child.canonical, value - child.score, turn, seconds);
        if (isBest) yield child;
        else if (isBest === undefined) stillOpen.push(child);
      }
      open = stillOpen;
    }
  }

  /**
   * Returns whether a child's value is `worth`, the most that a slide can leave or the least that a
   * placement can: one bound decides. Searches up to some seconds; `undefined` if it remains open.
   */
  #isWorth(
    child: CanonicalNode,
    worth: number,
    turn: Node["turn"],
    seconds: number,
  ): boolean | undefined {
    const isSlide = turn === "slider";
    const until = performance.now() + 1000 * seconds;
    for (let bound = this.#known.of(child); ; ) {
      if (isSlide ? bound.hi < worth : bound.lo > worth) return false;
      if (isSlide ? bound.lo >= worth : bound.hi <= worth) {
        this.#known.prove(child, { lo: worth, hi: worth });
        return true;
      }
      if (seconds === 0) return undefined;
      const answer = this.#search.ask(child, isSlide ? worth : worth + 4, until);
      if (answer === undefined) return undefined;
      bound = this.#known.prove(child, answer);
    }
  }
}

import { Grid } from "@gridlock/enumeration";
import { type Board, DIRECTIONS, type Game, type Node, type Turn } from "@gridlock/game";
import {
  type Child,
  type CodePlacement,
  placementOrder,
  placementsOf,
  slidesOf,
} from "./children.js";
import { Lbhsv } from "./lbhsv.js";
import { type MoveOrder, PAPER_ORDER } from "./move-order.js";
import type { Techniques } from "./techniques.js";
import { type Flag, TranspositionTable } from "./transposition-table.js";

const INFINITY = Number.POSITIVE_INFINITY;

/** How often a rest of moves was not searched, and why. */
export interface Prunings {
  /** By alpha-beta alone. */
  alphaBeta: number;
  /** The paper's Figure 3: a placement is as bad as the afterstate's own lower bound, so none is worse. */
  immediate: number;
  /** Figure 4: the lower bound is no less than what the parent has already been held to. */
  shallow: number;
  /** Figure 5: the same, by an ancestor beyond the parent. */
  deep: number;
  /** The table's value was enough. */
  table: number;
}

/** What a search found, and what it took. */
export interface SearchResult {
  /** The backed-up value f_d, which is *h* if the search was complete; undefined if it gave up. */
  readonly value: number | undefined;
  /** Boards generated: those met once more count again. */
  readonly nodes: { readonly positions: number; readonly afterstates: number };
  readonly prunings: Readonly<Prunings>;
  /** The most moves from the root to any board that was generated. */
  readonly deepest: number;
  /** Entries of the transposition table at the end. */
  readonly entries: number;
  /** Whether no leaf was cut off by the depth, so that the value is that of the whole game. */
  readonly complete: boolean;
  readonly seconds: number;
}

/** How a search is run. */
export interface RunOptions {
  readonly keepTable?: boolean;
  readonly mostNodes?: number;
}

/** Thrown when a search has generated as many nodes as it may. */
class OutOfNodes extends Error {}

/**
 * The paper's Algorithm 1. As printed it cannot be run; what was put right, in the order of the lines:
 *
 * - 13: an exact value of a shallower search is of *h*, so the score so far is added before it is compared with α.
 * - 14: the same for the value that is returned.
 * - 22, 28: a MAX node starts from −∞ and a MIN node from +∞; they are printed the other way round.
 * - 23, 29: no line leaves the loop once β ≤ α; without one each remaining child is still entered, to return at
 *   line 17. It is left here, and those children are neither generated nor counted.
 * - 35, 37, 39: the key is the board, not `bound`.
 */
export class PaperSearch {
  readonly grid: Grid;
  readonly lbhsv: Lbhsv | undefined;
  readonly #slides: readonly number[];
  readonly #placements: readonly CodePlacement[];
  #table: TranspositionTable | undefined;
  #nodes = { positions: 0, afterstates: 0 };
  #prunings: Prunings = { alphaBeta: 0, immediate: 0, shallow: 0, deep: 0, table: 0 };
  /** Whether no leaf was cut off by the depth, in the run or in the node that is being searched. */
  #complete = true;
  #nodesLeft = INFINITY;
  #deepest = 0;

  constructor(
    readonly game: Game,
    readonly techniques: Techniques,
    readonly order: MoveOrder = PAPER_ORDER,
  ) {
    this.grid = new Grid(game.shape);
    if (techniques.value !== "score") {
      this.lbhsv = new Lbhsv(this.grid, techniques.value, techniques.lbhsvTable);
    }
    this.#slides = order.slides.map((direction) => DIRECTIONS.indexOf(direction));
    this.#placements = placementOrder(this.grid, game.tiles, order);
  }

  /**
   * Searches a node to a depth.
   *
   * @param depth how many moves of both players to look ahead; infinite for the whole game
   * @param options `keepTable` goes on with the transposition table of the run before; `mostNodes` gives
   *   up once more nodes than that have been generated
   */
  run({ board, turn }: Node, depth: number, options: RunOptions = {}): SearchResult {
    const began = performance.now();
    const { table } = this.techniques;
    if (this.#table === undefined || !options.keepTable) {
      this.#table = table === "none" ? undefined : new TranspositionTable(this.grid, table);
    }
    this.#nodes = { positions: 0, afterstates: 0 };
    this.#prunings = { alphaBeta: 0, immediate: 0, shallow: 0, deep: 0, table: 0 };
    this.#nodesLeft = options.mostNodes ?? INFINITY;
    this.#deepest = 0;
    const code = this.grid.encode(board);
    let value: number | undefined;
    try {
      for (const d of this.techniques.ordering === "deepening" ? deepening(depth) : [depth]) {
        this.#complete = true;
        value = this.#search(code, turn, 0, -INFINITY, INFINITY, d, 0, -1);
        if (this.#complete) break;
      }
    } catch (error) {
      if (!(error instanceof OutOfNodes)) throw error;
      value = undefined;
    }
    return {
      value,
      nodes: { ...this.#nodes },
      prunings: { ...this.#prunings },
      deepest: this.#deepest,
      entries: this.#table?.size ?? 0,
      complete: value !== undefined && this.#complete,
      seconds: (performance.now() - began) / 1000,
    };
  }

  /**
   * The end state of a line of best play to the end of the game, each move the first of the best in the
   * order of the search. Searches with the table as {@link run} left it.
   */
  endState({ board, turn }: Node): Board {
    this.#nodesLeft = INFINITY;
    let code = this.grid.encode(board);
    let mover = turn;
    for (;;) {
      const next = opponent(mover);
      const children = this.#children(code, mover).map((child) => ({
        ...child,
        worth: child.score + this.#full(child.board, next),
      }));
      if (children.length === 0) return this.grid.decode(code);
      code = children.reduce((best, child) =>
        (mover === "slider" ? child.worth > best.worth : child.worth < best.worth) ? child : best,
      ).board;
      mover = next;
    }
  }

  #full(board: number, turn: Turn): number {
    return this.#search(board, turn, 0, -INFINITY, INFINITY, INFINITY, 0, -1);
  }

  /**
   * Algorithm 1.
   *
   * @param g the score so far
   * @param d how many moves are left to look ahead
   * @param ply how many moves led here
   * @param betaPly the ply of the node that β comes from, by which shallow and deep pruning are told apart
   * @returns the backed-up value: itself if it lies between α and β, else a bound of it on the same side
   */
  #search(
    board: number,
    turn: Turn,
    g: number,
    alpha: number,
    beta: number,
    d: number,
    ply: number,
    betaPly: number,
  ): number {
    const max = turn === "slider";
    if (max) this.#nodes.positions++;
    else this.#nodes.afterstates++;
    if (ply > this.#deepest) this.#deepest = ply;
    if (--this.#nodesLeft < 0) throw new OutOfNodes();

    const entry = this.#table?.find(board, turn);
    if (entry !== undefined) {
      board = entry.board;
      const value = entry.value + g;
      if (entry.depth >= d) {
        if (!entry.complete) this.#complete = false;
        if (entry.flag === "exact") return this.#prunedBy("table", value);
        if (entry.flag === "lower") alpha = Math.max(alpha, value);
        if (entry.flag === "upper" && value < beta) {
          beta = value;
          betaPly = ply;
        }
      } else if (entry.flag === "exact" && this.techniques.footnote && this.#prunes) {
        // The paper's footnote 1: looking further ahead can only find more points.
        alpha = Math.max(alpha, value);
      }
      if (beta <= alpha) return this.#prunedBy("table", value);
    }

    const inherited = alpha;
    if (this.techniques.lowerBound && this.#prunes) {
      const bound = g + this.#staticValue(board, turn);
      alpha = Math.max(alpha, bound);
      if (beta <= alpha) return this.#prunedBy(betaPly >= ply - 1 ? "shallow" : "deep", bound);
    }
    const children = this.#children(board, turn);
    if (children.length === 0) return g; // an end state
    if (d <= 0) {
      this.#complete = false;
      return g + this.#staticValue(board, turn);
    }

    const completeSoFar = this.#complete;
    this.#complete = true;
    const alphaOrig = alpha;
    const betaOrig = beta;
    let best = max ? -INFINITY : INFINITY;
    let bestChild = 0;
    for (const child of this.#ordered(children, turn, board, entry?.best)) {
      const value = this.#search(
        child.board,
        opponent(turn),
        g + child.score,
        alpha,
        beta,
        d - 1,
        ply + 1,
        betaPly,
      );
      if (max ? value > best : value < best) {
        best = value;
        bestChild = child.board;
      }
      if (!this.#prunes) continue;
      if (max) {
        alpha = Math.max(alpha, best);
      } else if (best < beta) {
        beta = best;
        betaPly = ply;
      }
      if (beta <= alpha) {
        this.#prunings[alpha > inherited && !max ? "immediate" : "alphaBeta"]++;
        break;
      }
    }

    if (this.#table !== undefined) {
      let flag: Flag = "exact";
      if (best <= alphaOrig) flag = "upper";
      else if (best >= betaOrig) flag = "lower";
      const complete = this.#complete;
      this.#table.store(turn, {
        board,
        flag,
        value: best - g,
        depth: d,
        complete,
        best: bestChild,
      });
    }
    this.#complete &&= completeSoFar;
    return best;
  }

  get #prunes(): boolean {
    return this.techniques.pruning === "alpha-beta";
  }

  #prunedBy(reason: keyof Prunings, value: number): number {
    this.#prunings[reason]++;
    return value;
  }

  /** The static value of the score to come, f_lo − g. */
  #staticValue(board: number, turn: Turn): number {
    if (this.lbhsv === undefined) return 0;
    return turn === "slider" ? this.lbhsv.position(board) : this.lbhsv.afterstate(board);
  }

  /** The children of a node in the fixed order: 4s before 2s. */
  #children(board: number, turn: Turn): Child[] {
    return turn === "slider"
      ? slidesOf(this.grid, board, this.#slides)
      : placementsOf(this.grid, board, this.#placements);
  }

  /** The children in the order of the technique. */
  #ordered(
    children: Child[],
    turn: Turn,
    board: number,
    tableMove: number | undefined,
  ): readonly Child[] {
    const { ordering } = this.techniques;
    const max = turn === "slider";
    const next = opponent(turn);
    const sorted = (worth: (child: Child) => number) => {
      const keyed = children.map((child) => ({ child, key: child.score + worth(child) }));
      keyed.sort((a, b) => (max ? b.key - a.key : a.key - b.key));
      return keyed.map(({ child }) => child);
    };
    const first = (isFirst: (child: Child) => boolean) => [
      ...children.filter(isFirst),
      ...children.filter((child) => !isFirst(child)),
    ];
    switch (ordering) {
      case "fixed":
        return children;
      case "heuristic":
        return sorted((child) => this.#staticValue(child.board, next));
      case "mixed":
        return max ? sorted((child) => this.#staticValue(child.board, next)) : children;
      case "deepening":
        return sorted(
          (child) =>
            this.#table?.find(child.board, next)?.value ?? this.#staticValue(child.board, next),
        );
      case "table-move": {
        if (tableMove === undefined) return children;
        // The entry may come from an image of this board.
        const canonicalMove = this.grid.canonical(tableMove);
        return first((child) => this.grid.canonical(child.board) === canonicalMove);
      }
      case "lbhsv-move": {
        if (!max) return children;
        const bound = this.#staticValue(board, turn);
        return first((child) => child.score + this.#staticValue(child.board, next) === bound);
      }
    }
  }
}

function opponent(turn: Turn): Turn {
  return turn === "slider" ? "placer" : "slider";
}

/** The depths of iterative deepening: every second one, so that each ends on the same player's move. */
function deepening(depth: number): number[] {
  const depths: number[] = [];
  for (let d = 2; d < Math.min(depth, DEEPEST_ITERATION); d += 2) depths.push(d);
  return [...depths, depth];
}

/** From here on, iterative deepening goes to the end of the game. */
const DEEPEST_ITERATION = 30;

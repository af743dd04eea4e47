import { type Board, DIRECTIONS, type Game, type Node, opponent, type Turn } from "@gridlock/game";
import type { PaperSearchResult } from "@gridlock/schemas";
import { Grid } from "../enumeration/grid.js";
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

/**
 * Counts of nodes whose remaining moves were skipped, by reason.
 *
 * - `alphaBeta`: by alpha-beta alone.
 * - `immediate`: the paper's Figure 3: a placement is as bad as the afterstate's own lower bound,
 *   so no other is worse.
 * - `shallow`: Figure 4: the lower bound is at least the value to which the parent is limited.
 * - `deep`: Figure 5: the same, by an ancestor beyond the parent.
 * - `table`: the value in the table sufficed.
 */
type Prunings = Record<keyof PaperSearchResult["prunings"], number>;

function noCounts() {
  const prunings: Prunings = { alphaBeta: 0, immediate: 0, shallow: 0, deep: 0, table: 0 };
  return { nodes: { positions: 0, afterstates: 0 }, prunings, deepest: 0 };
}

/** Options of a search. */
export interface RunOptions {
  /** Continue with the transposition table of the previous run; default: false. */
  readonly keepTable?: boolean;
  /** Stop once more nodes than this have been generated; default: no limit. */
  readonly mostNodes?: number | undefined;
}

/** Thrown when a search exceeds its limit of nodes. */
class OutOfNodes extends Error {}

/**
 * The paper's Algorithm 1. As printed it cannot be run; these lines are corrected:
 *
 * - 13: an exact value of a shallower search is a value of *h*, so the score so far is added before
 *   comparing it with α.
 * - 14: the same holds for the value that is returned.
 * - 22, 28: a MAX node starts from −∞ and a MIN node from +∞; they are printed the other way round.
 * - 23, 29: no line leaves the loop once β ≤ α, so each remaining child would be entered and return
 *   at line 17. Here the loop is left, and those children are neither generated nor counted.
 * - 35, 37, 39: the key is the board, not `bound`.
 */
export class PaperSearch {
  readonly grid: Grid;
  readonly lbhsv: Lbhsv | undefined;
  readonly #slides: readonly number[];
  readonly #placements: readonly CodePlacement[];
  #table: TranspositionTable | undefined;
  #counts = noCounts();
  /** True if the depth has cut off no leaf, of the run or of the node being searched. */
  #complete = true;
  #nodesLeft = Infinity;

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
   * @param depth moves of both players to look ahead; infinite for the whole game
   */
  run({ board, turn }: Node, depth: number, options: RunOptions = {}): PaperSearchResult {
    const began = performance.now();
    const { table } = this.techniques;
    if (this.#table === undefined || !options.keepTable) {
      this.#table = table === "none" ? undefined : new TranspositionTable(this.grid, table);
    }
    this.#counts = noCounts();
    this.#nodesLeft = options.mostNodes ?? Infinity;
    const code = this.grid.encode(board);
    let value: number | undefined;
    try {
      for (const d of this.techniques.ordering === "deepening" ? deepening(depth) : [depth]) {
        this.#complete = true;
        value = this.#full(code, turn, d);
        if (this.#complete) break;
      }
    } catch (error) {
      if (!(error instanceof OutOfNodes)) throw error;
      value = undefined;
    }
    return {
      value,
      ...this.#counts,
      entries: this.#table?.size ?? 0,
      complete: value !== undefined && this.#complete,
      seconds: (performance.now() - began) / 1000,
    };
  }

  /**
   * Returns the end state of a line of best play, in which each move is the first of the best ones
   * in the order of the search. Searches with the table that {@link run} left.
   */
  endState({ board, turn }: Node): Board {
    this.#counts = noCounts();
    this.#nodesLeft = Infinity;
    let code = this.grid.encode(board);
    let mover = turn;
    for (;;) {
      const next = opponent(mover);
      const children = this.#children(code, mover).map((child) => ({
        ...child,
        worth: child.score + this.#full(child.board, next, Infinity),
      }));
      if (children.length === 0) return this.grid.decode(code);
      code = children.reduce((best, child) =>
        (mover === "slider" ? child.worth > best.worth : child.worth < best.worth) ? child : best,
      ).board;
      mover = next;
    }
  }

  /** Searches a node to a depth with an open window. */
  #full(board: number, turn: Turn, depth: number): number {
    return this.#search(board, turn, 0, -Infinity, Infinity, depth, 0, -1);
  }

  /**
   * Searches a node by Algorithm 1.
   *
   * @param g the score so far
   * @param d moves left to look ahead
   * @param ply moves from the root
   * @param betaPly the ply of the node that β comes from, which distinguishes shallow from deep
   *   pruning
   * @returns the backed-up value if it lies between α and β, else a bound of it on the same side
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
    const { nodes, prunings } = this.#counts;
    if (max) nodes.positions++;
    else nodes.afterstates++;
    if (ply > this.#counts.deepest) this.#counts.deepest = ply;
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
        // The paper's footnote 1: a deeper search finds no fewer points.
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
    let best = max ? -Infinity : Infinity;
    let bestChild = 0;
    for (const child of this.#ordered(children, board, turn, entry?.best)) {
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
        prunings[alpha > inherited && !max ? "immediate" : "alphaBeta"]++;
        break;
      }
    }

    if (this.#table !== undefined) {
      let flag: Flag = "exact";
      if (best <= alphaOrig) flag = "upper";
      else if (best >= betaOrig) flag = "lower";
      const complete = this.#complete;
      const value = best - g;
      this.#table.store(turn, { board, flag, value, depth: d, complete, best: bestChild });
    }
    this.#complete &&= completeSoFar;
    return best;
  }

  /**
   * Orders the children of a node. Those that the ordering does not tell apart stay in their order.
   *
   * @param tableMove the board after the best move by the node's entry in the table
   */
  #ordered(
    children: readonly Child[],
    board: number,
    turn: Turn,
    tableMove: number | undefined,
  ): readonly Child[] {
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
    const ownValue = (child: Child) => this.#staticValue(child.board, next);
    switch (this.techniques.ordering) {
      case "fixed":
        return children;
      case "heuristic":
        return sorted(ownValue);
      case "mixed":
        return max ? sorted(ownValue) : children;
      case "deepening":
        return sorted((child) => this.#table?.find(child.board, next)?.value ?? ownValue(child));
      case "table-move": {
        if (tableMove === undefined) return children;
        // The entry may come from an image of this board.
        const canonicalMove = this.grid.canonical(tableMove);
        return first((child) => this.grid.canonical(child.board) === canonicalMove);
      }
      case "lbhsv-move": {
        if (!max) return children;
        const bound = this.#staticValue(board, turn);
        return first((child) => child.score + ownValue(child) === bound);
      }
    }
  }

  get #prunes(): boolean {
    return this.techniques.pruning === "alpha-beta";
  }

  #prunedBy(reason: keyof Prunings, value: number): number {
    this.#counts.prunings[reason]++;
    return value;
  }

  /** Returns the static value of the score to come, f_lo − g. */
  #staticValue(board: number, turn: Turn): number {
    if (this.lbhsv === undefined) return 0;
    return turn === "slider" ? this.lbhsv.position(board) : this.lbhsv.afterstate(board);
  }

  /** Returns the children of a node in the fixed order: 4s before 2s. */
  #children(board: number, turn: Turn): Child[] {
    return turn === "slider"
      ? slidesOf(this.grid, board, this.#slides)
      : placementsOf(this.grid, board, this.#placements);
  }
}

/**
 * Returns the depths of iterative deepening: every second one, so that each ends on the same
 * player's move.
 */
function deepening(depth: number): number[] {
  const depths: number[] = [];
  for (let d = 2; d < Math.min(depth, DEEPEST_ITERATION); d += 2) depths.push(d);
  return [...depths, depth];
}

/** From this depth on, iterative deepening searches to the end of the game. */
const DEEPEST_ITERATION = 30;

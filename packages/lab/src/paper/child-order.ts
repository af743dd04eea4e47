import type { Grid } from "@gridlock/enumeration";
import { opponent, type Turn } from "@gridlock/game";
import type { Child } from "./children.js";
import type { Ordering } from "./techniques.js";
import type { TranspositionTable } from "./transposition-table.js";

/** Orders the children of a node by a technique. */
export class ChildOrder {
  readonly #grid: Grid;
  readonly #ordering: Ordering;
  readonly #staticValue: (board: number, turn: Turn) => number;

  /** @param staticValue returns the static value of the score to come */
  constructor(grid: Grid, ordering: Ordering, staticValue: (board: number, turn: Turn) => number) {
    this.#grid = grid;
    this.#ordering = ordering;
    this.#staticValue = staticValue;
  }

  /**
   * Returns the children of a node in order. Those that the technique does not tell apart stay in
   * theirs.
   *
   * @param table the table of the search, if it has one
   * @param tableMove the board after the best move by the node's entry in the table
   */
  order(
    children: Child[],
    board: number,
    turn: Turn,
    table: TranspositionTable | undefined,
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
    switch (this.#ordering) {
      case "fixed":
        return children;
      case "heuristic":
        return sorted((child) => this.#staticValue(child.board, next));
      case "mixed":
        return max ? sorted((child) => this.#staticValue(child.board, next)) : children;
      case "deepening":
        return sorted(
          (child) => table?.find(child.board, next)?.value ?? this.#staticValue(child.board, next),
        );
      case "table-move": {
        if (tableMove === undefined) return children;
        // The entry may come from an image of this board.
        const canonicalMove = this.#grid.canonical(tableMove);
        return first((child) => this.#grid.canonical(child.board) === canonicalMove);
      }
      case "lbhsv-move": {
        if (!max) return children;
        const bound = this.#staticValue(board, turn);
        return first((child) => child.score + this.#staticValue(child.board, next) === bound);
      }
    }
  }
}

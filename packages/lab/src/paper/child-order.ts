import type { Grid } from "@gridlock/enumeration";
import { opponent, type Turn } from "@gridlock/game";
import type { Child } from "./children.js";
import type { Ordering } from "./techniques.js";
import type { TranspositionTable } from "./transposition-table.js";

/**
 * Returns a function that orders the children of a node. Those that the ordering does not tell apart
 * stay in their order.
 *
 * @param staticValue returns the static value of the score to come
 */
export function childOrder(
  ordering: Ordering,
  grid: Grid,
  staticValue: (board: number, turn: Turn) => number,
) {
  /**
   * @param table the table of the search, if it has one
   * @param tableMove the board after the best move by the node's entry in the table
   */
  return (
    children: Child[],
    board: number,
    turn: Turn,
    table: TranspositionTable | undefined,
    tableMove: number | undefined,
  ): readonly Child[] => {
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
    const ownValue = (child: Child) => staticValue(child.board, next);
    switch (ordering) {
      case "fixed":
        return children;
      case "heuristic":
        return sorted(ownValue);
      case "mixed":
        return max ? sorted(ownValue) : children;
      case "deepening":
        return sorted((child) => table?.find(child.board, next)?.value ?? ownValue(child));
      case "table-move": {
        if (tableMove === undefined) return children;
        // The entry may come from an image of this board.
        const canonicalMove = grid.canonical(tableMove);
        return first((child) => grid.canonical(child.board) === canonicalMove);
      }
      case "lbhsv-move": {
        if (!max) return children;
        const bound = staticValue(board, turn);
        return first((child) => child.score + ownValue(child) === bound);
      }
    }
  };
}

import {
  applySymmetry,
  type Board,
  formatBoard,
  type Game,
  isExact,
  type Symmetry,
} from "@gridlock/game";
import { Analyst, type Line, type StartBound } from "@gridlock/solver";
import type { Database } from "@gridlock/store";

/** A start with its bound and, if it is solved, a line of best play. */
export interface SolvedStart extends StartBound {
  readonly line: Line | undefined;
}

const TRANSPOSE: Symmetry = { transpose: true, flipRows: false, flipCols: false };

/** Transposes a board of normal shape if the user asked for that: 3×2 and 2×3 are one game. */
export function asAsked(game: Game, board: Board): Board {
  return game.shape.rows > game.shape.cols ? applySymmetry(board, TRANSPOSE) : board;
}

/**
 * Returns the starts of a game, in the orientation that the user asked for, with their lines of
 * best play as far as the bounds of a database give them.
 */
export function solvedStarts(
  game: Game,
  starts: readonly StartBound[],
  database: Database,
): SolvedStart[] {
  const analyst = new Analyst(game, database.bounds(game), undefined);
  return starts.map(({ board, bound }) => {
    const asked = asAsked(game, board);
    const node = { board: asked, turn: "slider" } as const;
    const line = isExact(bound) ? analyst.bestLine(node, 0) : undefined;
    return { board: asked, bound, line };
  });
}

/** Returns the starts for JSON. */
export function startsAsJson(starts: readonly SolvedStart[]) {
  return starts.map(({ board, bound, line }) => ({
    board: formatBoard(board),
    value: isExact(bound) ? bound.lo : null,
    ...bound,
    line: line?.moves.map(({ name }) => name) ?? [],
    end: line ? formatBoard(line.end) : null,
  }));
}

import {
  type Board,
  formatBoard,
  type Node,
  placements,
  slides,
  type Verdict,
  verdictsOn,
} from "@gridlock/game";
import fc from "fast-check";
import type { Answer } from "../src/data.js";

/** Boards of up to 16 cells, with tiles up to 256. */
export const anyBoard: fc.Arbitrary<Board> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 4 }))
  .chain(([rows, cols]) =>
    fc
      .array(
        fc.nat(8).map((k) => (k === 0 ? 0 : 2 ** k)),
        { minLength: rows * cols, maxLength: rows * cols },
      )
      .map((cells) => ({ rows, cols, cells })),
  );

/** Returns an answer for a node whose moves lead to boards with the given bounds. */
export function answerFor(
  node: Node,
  boundOf: (after: Board) => readonly [number, number],
): Answer {
  const moves =
    node.turn === "slider"
      ? slides(node.board).map(({ direction, score, board }) => ({ move: direction, score, board }))
      : placements(node.board, [2, 4]).map(({ tile, cell, board }) => ({
          place: `${tile}@${Math.floor(cell / board.cols) + 1},${(cell % board.cols) + 1}`,
          score: 0,
          board,
        }));
  const answered = moves.map(({ board, ...move }) => {
    const [lo, hi] = boundOf(board);
    return { ...move, lo, hi, value: lo === hi ? lo : null };
  });
  const best = node.turn === "slider" ? Math.max : Math.min;
  const ends = moves.length === 0;
  const lo = ends ? 0 : best(...answered.map((move) => move.score + move.lo));
  const hi = ends ? 0 : best(...answered.map((move) => move.score + move.hi));
  const value = lo === hi ? lo : null;
  const { board, turn } = node;
  const verdicts = verdictsOn(
    turn,
    { lo, hi },
    answered.map((move) => ({ score: move.score, bound: move })),
  );
  const judged = answered.map((move, i) => ({ ...move, ...(verdicts[i] as Verdict) }));
  const rest = { source: "database", moves: judged, line: [], end: null };
  // The moves are those of the player to move.
  return { board: formatBoard(board), turn, lo, hi, value, ...rest } as Answer;
}

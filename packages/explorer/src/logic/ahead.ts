import {
  type Bound,
  formatBoard,
  formatPlacement,
  isExact,
  mergeBounds,
  placements,
  slides,
  UNKNOWN,
} from "@gridlock/game";
import type { Answer } from "../data.js";
import type { Spot } from "./address.js";
import type { GradedMove } from "./grade.js";
import type { Step } from "./moves.js";

/**
 * Knowledge of a board before its own answer arrives: proven bounds, and possibly a line of best
 * play.
 */
export interface Ahead extends Bound {
  readonly line?: readonly string[];
}

/** Returns the knowledge that a board's answer gives of the board after one of its moves. */
export function afterMove({ line }: Answer, { answer, step }: GradedMove): Ahead {
  const { lo, hi } = answer;
  const [first, ...rest] = line;
  const isOnLine = first === step.name && isExact(answer);
  return { lo, hi, line: isOnLine ? rest : [] };
}

/**
 * Returns what a board's answer says of a board on its line of best play; `undefined` if the value
 * is not known.
 */
export function alongLine(answer: Answer, made: readonly Step[]): Ahead | undefined {
  if (!isExact(answer)) return undefined;
  const rest = answer.lo - made.reduce((sum, { score }) => sum + score, 0);
  return { lo: rest, hi: rest, line: answer.line.slice(made.length) };
}

/**
 * Returns an answer to show until a board's own arrives. It lists all moves, and nothing is known
 * of any value.
 */
export function expectedAnswer({ node, tiles }: Spot, ahead?: Ahead): Answer {
  const { board, turn } = node;
  const unknown = { ...UNKNOWN, value: null, verdict: "open" } as const;
  const known = {
    board: formatBoard(board),
    ...UNKNOWN,
    value: null,
    source: "search" as const,
    line: [...(ahead?.line ?? [])],
    end: null,
  };
  if (turn === "slider") {
    const moves = slides(board).map(({ direction, score }) => {
      return { ...unknown, move: direction, score };
    });
    return { ...known, turn, moves };
  }
  const moves = placements(board, tiles).map((placement) => {
    return { ...unknown, place: formatPlacement(board, placement), score: 0 };
  });
  return { ...known, turn, moves };
}

/** Returns an answer with the bounds of its value narrowed by others that hold as well. */
export function narrowedBy(answer: Answer, bound: Bound | undefined): Answer {
  if (bound === undefined) return answer;
  const { lo, hi } = mergeBounds(answer, bound);
  return { ...answer, lo, hi, value: lo === hi ? lo : null };
}

import {
  type Board,
  type Bound,
  canBeEnded,
  canonical,
  type Game,
  type PackedBoard,
  packBoard,
  slides,
  starts,
  UNKNOWN,
} from "@gridlock/game";
import type { Expected, StartReport } from "@gridlock/verify";
import type { ProvenNode } from "./block-check.js";

/** Returns the afterstates of the slides of all starts. */
export function afterstatesOfStarts({ shape }: Game): PackedBoard[] {
  const found = starts(shape).flatMap((start) => slides(start).map(({ board }) => keyOf(board)));
  return [...new Set(found)];
}

function keyOf(board: Board): PackedBoard {
  return packBoard(canonical(board));
}

/**
 * Reports the bounds of all starts that follow from claims about the afterstates of their slides.
 *
 * @param expected bounds of starts from another source
 */
export function reportLayeredStarts(
  game: Game,
  known: readonly ProvenNode[],
  expected: Expected,
): StartReport[] {
  const claims = new Map(known.map((claim) => [claim.board, claim]));
  return starts(game.shape).map((board) => {
    const bound = boundOf(game, board, claims);
    const why = whyNot(bound, expected.get(packBoard(board)));
    const value = bound.lo === bound.hi ? bound.lo : null;
    const report = { board, ...bound, value, follows: why === undefined };
    return why === undefined ? report : { ...report, why };
  });
}

/** Returns the bound of a position that follows in one step. */
function boundOf(game: Game, board: Board, claims: ReadonlyMap<PackedBoard, Bound>): Bound {
  let [lo, hi] = [0, 0];
  for (const { board: after, score } of slides(board)) {
    const claim = claims.get(keyOf(after)) ?? UNKNOWN;
    lo = Math.max(lo, score + claim.lo);
    hi = Math.max(hi, score + (canBeEnded(after, game.tiles) ? 0 : claim.hi));
  }
  return { lo, hi };
}

function whyNot({ lo, hi }: Bound, expected: Bound | undefined): string | undefined {
  if (lo > hi) return `h ≥ ${lo} and h ≤ ${hi} contradict each other`;
  if (lo < hi) {
    return Number.isFinite(hi)
      ? `h ≥ ${lo} and h ≤ ${hi} leave its value open`
      : `there is only h ≥ ${lo}`;
  }
  if (expected === undefined || (expected.lo <= lo && lo <= expected.hi)) return undefined;
  return expected.lo === expected.hi
    ? `its value is ${lo} by the layers; expected ${expected.lo}`
    : `its value is ${lo} by the layers; expected ${expected.lo} to ${expected.hi}`;
}

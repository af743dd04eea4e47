import {
  type Board,
  type Bound,
  formatBoard,
  type PackedBoard,
  packBoard,
  starts,
} from "@gridlock/game";
import type { Checker } from "./check.js";

/**
 * What the values of starts are said to be elsewhere, by packed canonical board; each must follow. Boards
 * that are no starts are not looked at.
 */
export type Expected = ReadonlyMap<PackedBoard, Bound>;

/** What a certificate says of a start. It proves as much only if all of its claims follow. */
export interface StartReport {
  readonly board: Board;
  /** The claim in points: lo 0 and hi Infinity where there is none. */
  readonly lo: number;
  readonly hi: number;
  /** The value, if both sides meet. */
  readonly value: number | null;
  /** Whether there is a value, its own claims follow, and what was expected follows from it. */
  readonly follows: boolean;
  /** Why not. */
  readonly why?: string;
}

/** What the certificate says of every start. */
export function reportStarts(checker: Checker, expected: Expected | undefined): StartReport[] {
  return starts(checker.game.shape).map((board) => {
    const { lo, hi } = checker.claimed(board);
    const why =
      whyNoValue(lo, hi) ??
      whyOtherValue(lo, expected?.get(packBoard(board))) ??
      whyUnproven(checker, board);
    const report = { board, lo, hi, value: lo === hi ? lo : null, follows: why === undefined };
    return why === undefined ? report : { ...report, why };
  });
}

function whyNoValue(lo: number, hi: number): string | undefined {
  if (lo === hi) return undefined;
  if (hi < lo) return `its claims h ≥ ${lo} and h ≤ ${hi} contradict each other`;
  if (hi < Number.POSITIVE_INFINITY) {
    return `a claim is missing: h ≥ ${lo} and h ≤ ${hi} leave its value open`;
  }
  return lo > 0
    ? `its upper claim is missing: there is only h ≥ ${lo}`
    : "its claim is missing: the certificate says nothing of it";
}

function whyOtherValue(value: number, expected: Bound | undefined): string | undefined {
  if (expected === undefined || (expected.lo <= value && value <= expected.hi)) return undefined;
  return expected.lo === expected.hi
    ? `its value is claimed to be ${value}; expected ${expected.lo}`
    : `its value is claimed to be ${value}; expected ${expected.lo} to ${expected.hi}`;
}

function whyUnproven(checker: Checker, board: Board): string | undefined {
  const index = checker.certificate.claims.find(packBoard(board));
  if (index < 0 || checker.check(index).wrong.length === 0) return undefined;
  return `the claim of ${formatBoard(board)} does not follow`;
}

import {
  type Board,
  type Bound,
  formatBoard,
  type PackedBoard,
  packBoard,
  starts,
} from "@gridlock/game";
import type { CertificateFile, ClaimIndex } from "./file.js";

/**
 * The values of starts from another source, by canonical board. Each must follow from the
 * certificate. Boards that are not starts are ignored.
 */
export type Expected = ReadonlyMap<PackedBoard, Bound>;

/**
 * A proof's claim about a start, in points; a missing side is lo 0 or hi Infinity. It proves
 * something only if all claims follow.
 */
export interface StartReport extends Bound {
  readonly board: Board;
  /** The value; null unless both sides meet. */
  readonly value: number | null;
  /**
   * True if there is a value, the start's own claims follow, and the expected value follows from
   * it.
   */
  readonly follows: boolean;
  /** The reason if it does not. */
  readonly why?: string;
}

/**
 * Reports the certificate's claim about every start.
 *
 * @param wrong the indices of the claims about starts that do not follow
 */
export function reportStarts(
  file: CertificateFile,
  expected: Expected | undefined,
  wrong: readonly ClaimIndex[],
): StartReport[] {
  return starts(file.game.shape).map((board) => {
    const { lo, hi } = file.claimed(board);
    const why =
      whyNoValue(lo, hi) ??
      whyOtherValue(lo, expected?.get(packBoard(board))) ??
      (isAmong(wrong, file.find(board))
        ? `the claim of ${formatBoard(board)} does not follow`
        : undefined);
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

function isAmong(indices: readonly ClaimIndex[], claim: ClaimIndex | undefined): boolean {
  return indices.some(({ block, index }) => block === claim?.block && index === claim.index);
}

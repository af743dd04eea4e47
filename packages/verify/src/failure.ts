import {
  type Board,
  canonical,
  drawBoard,
  findFault,
  formatBoard,
  packBoard,
  type Shape,
  tileSum,
  unpackBoard,
} from "@gridlock/game";
import { describeStep, formatClaim } from "./describe.js";
import type { CertificateFile, Claim } from "./file.js";
import type { Fault, Side } from "./work.js";

/**
 * The kind of a fault: `unfounded` if the claim does not follow from the others; `malformed` if it
 * is not a claim about a canonical position of the shape, or contradicts itself.
 */
export type FailureKind = "unfounded" | "malformed";

/** A claim that does not follow. */
export interface Failure {
  readonly board: Board;
  readonly side: Side;
  /** The points claimed; null if the board is wrong. */
  readonly value: number | null;
  readonly kind: FailureKind;
  /** Several lines: the board, the claim, and the arithmetic that shows why it does not follow. */
  readonly text: string;
}

/** Explains why a claim does not follow. */
export function explainFault(file: CertificateFile, fault: Fault): Failure {
  const { side } = fault;
  const { shape } = file.game;
  const claim = file.at(fault);
  const board = unpackBoard(shape, claim.board);
  if (side === "board") {
    const reason =
      malformation(shape, claim, file.index.tileSum(fault.block)) ??
      `${formatClaim("lower", claim.lo)} and ${formatClaim("upper", claim.hi)} are both claimed, which cannot be`;
    const text = `${drawBoard(board)}\n${reason}`;
    return { board, side, value: null, kind: "malformed", text };
  }
  const value = side === "lower" ? claim.lo : claim.hi;
  const text = [
    drawBoard(board),
    `${formatClaim(side, value)} does not follow:`,
    ...describeStep(file, board, side, value).map((line) => `  ${line}`),
  ].join("\n");
  return { board, side, value, kind: "unfounded", text };
}

/** Explains why a claim is not for a canonical board of the shape and sum; `undefined` if it is. */
function malformation(shape: Shape, claim: Claim, sum: number): string | undefined {
  const board = unpackBoard(shape, claim.board);
  const impossible = findFault(board, "slider");
  if (impossible !== undefined) return `${formatBoard(board)}: ${impossible.message}`;
  if (tileSum(board) !== sum) {
    return `its tiles sum to ${tileSum(board)}, but its block is of the tile sum ${sum}`;
  }
  const form = canonical(board);
  if (packBoard(form) !== claim.board) {
    return `${formatBoard(board)} is not the canonical form of its images, which is ${formatBoard(form)}`;
  }
  if (claim.lo === 0 && claim.hi === Number.POSITIVE_INFINITY) {
    return "nothing is claimed; expected a lower claim, an upper claim or both";
  }
  return undefined;
}

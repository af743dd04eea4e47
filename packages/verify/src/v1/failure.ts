import {
  type Board,
  canonical,
  cellCount,
  drawBoard,
  formatBoard,
  formatShape,
  GameError,
  packBoard,
  parseBoard,
  type Shape,
  unpackBoard,
} from "@gridlock/game";
import type { Checker, Side } from "./check.js";
import type { Claim } from "./claims.js";
import { describeNeed, describeStep, formatClaim } from "./describe.js";
import { findMissing, type Need } from "./missing.js";
import type { ValueSide } from "./search.js";
import type { Fault } from "./work.js";

/**
 * The kind of a fault: `missing` if the claim would follow from other claims that can be proven but
 * are not in the certificate; `unfounded` if no support was found; `malformed` if it is not a claim
 * about a canonical position of the shape, or contradicts itself.
 */
export type FailureKind = "missing" | "unfounded" | "malformed";

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

/** The most missing claims to name. */
const NEEDS_TOLD = 3;

/** Explains why a claim does not follow. */
export function explainFault(checker: Checker, { index, side }: Fault): Failure {
  const { claims, effort } = checker.certificate;
  const board = checker.board(index);
  const claim = claims.at(index);
  if (side === "board") {
    const fault =
      malformation(checker.game.shape, claim) ??
      `${formatClaim("lower", claim.lo)} and ${formatClaim("upper", claim.hi)} are both claimed, which cannot be`;
    const text = `${drawBoard(board)}\n${fault}`;
    return { board, side, value: null, kind: "malformed", text };
  }
  const value = side === "lower" ? claim.lo : claim.hi;
  const needs = findMissing(checker, board, side, value);
  const text = [
    drawBoard(board),
    `${formatClaim(side, value)} does not follow:`,
    ...describeStep(checker, board, side, value).map((line) => `  ${line}`),
    ...(effort > 0 ? [`nor is it shown by a search that expands ${effort} positions`] : []),
    ...(needs === undefined
      ? ["nothing was found in the certificate that supports it"]
      : describeNeeds(checker, needs, side)),
  ].join("\n");
  return { board, side, value, kind: needs === undefined ? "unfounded" : "missing", text };
}

function describeNeeds(checker: Checker, needs: readonly Need[], side: ValueSide): string[] {
  const lines = new Set(needs.map((need) => `  ${describeNeed(checker, need, side)}`));
  const more = lines.size - NEEDS_TOLD;
  return [
    "a part of the proof is missing; it would follow if these were claimed:",
    ...[...lines].slice(0, NEEDS_TOLD),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** Explains why a claim is not about a canonical board of the shape; `undefined` if it is. */
function malformation(shape: Shape, claim: Claim): string | undefined {
  const cells = cellCount(shape);
  if (claim.board >> BigInt(4 * cells) !== 0n) {
    return `0x${claim.board.toString(16)} is not a board of ${formatShape(shape)}, which has ${cells} cells of four bits`;
  }
  const board = unpackBoard(shape, claim.board);
  const impossible = impossibility(board);
  if (impossible !== undefined) return impossible;
  const form = canonical(board);
  if (packBoard(form) !== claim.board) {
    return `${formatBoard(board)} is not the canonical form of its images, which is ${formatBoard(form)}`;
  }
  if (claim.lo === 0 && claim.hi === Number.POSITIVE_INFINITY) {
    return "nothing is claimed; expected a lower claim, an upper claim or both";
  }
  return undefined;
}

/** Explains why a board is unreachable, if its tiles show it: the notation rejects it. */
function impossibility(board: Board): string | undefined {
  try {
    parseBoard(formatBoard(board));
    return undefined;
  } catch (error) {
    if (error instanceof GameError) return error.message;
    throw error;
  }
}

import { type Board, drawBoard } from "@gridlock/game";
import type { Checker, Side, ValueSide } from "./check.js";
import { describeNeed, describeStep, formatClaim } from "./describe.js";
import { malformation } from "./malformed.js";
import { findMissing, type Need } from "./missing.js";
import type { Fault } from "./work.js";

/**
 * What kind of a fault it is: `missing`, the claim would follow if the certificate made other claims that
 * can be shown; `unfounded`, nothing that was found supports it; `malformed`, it is no claim about a
 * canonical position of the shape, or it contradicts itself.
 */
export type FailureKind = "missing" | "unfounded" | "malformed";

/** A claim that does not follow. */
export interface Failure {
  readonly board: Board;
  readonly side: Side;
  /** The points claimed; null when it is the board that is wrong. */
  readonly value: number | null;
  readonly kind: FailureKind;
  /** The board drawn, the claim, and the arithmetic by which it does not follow: some lines. */
  readonly text: string;
}

/** Missing claims that are named. */
const NEEDS_TOLD = 3;

/** Finds out why a claim does not follow, and says so. */
export function explainFault(checker: Checker, { index, side }: Fault): Failure {
  const { claims } = checker.certificate;
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
    ...describeEffort(checker),
    ...(needs === undefined
      ? ["nothing was found in the certificate that supports it"]
      : describeNeeds(checker, needs, side)),
  ].join("\n");
  return { board, side, value, kind: needs === undefined ? "unfounded" : "missing", text };
}

function describeEffort({ certificate: { effort } }: Checker): string[] {
  return effort === 0 ? [] : [`nor is it shown by a search that expands ${effort} positions`];
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

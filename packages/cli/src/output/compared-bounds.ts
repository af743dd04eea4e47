import { describeGame, formatBoard, type Game, isExact } from "@gridlock/game";
import { counted, formatBound, formatCount } from "@gridlock/report";
import type { VerifyOutput } from "@gridlock/schemas";
import type { StartBound } from "@gridlock/solver";
import type { Comparison, Report, StartReport } from "@gridlock/verify";
import { EXIT } from "../exit.js";
import { commandOf } from "../options/game.js";
import { gameAsJson } from "./print.js";

/** The result of a check: what is printed, and the exit code. */
export interface Checked {
  readonly output: VerifyOutput;
  readonly text: string;
  readonly code: number;
}

/**
 * Returns the comparison of the database's bounds with the certificate for people: nothing if all
 * follow.
 *
 * @param compared `undefined` if the certificate does not hold, so that nothing was compared
 */
export function comparedAsText(compared: Comparison | undefined, file: string): string[] {
  if (compared === undefined) {
    return [`the bounds in ${file} were not compared with the certificate, which does not hold`];
  }
  const { notCovered, contradicting, contradictions } = compared;
  const parts: string[] = [];
  const [first] = contradictions;
  if (first) {
    const { board, turn, lo, hi, proven } = first;
    parts.push(
      `${counted(contradicting, "bound")} in ${file} ${contradicting === 1 ? "contradicts" : "contradict"} the certificate. The first: ${formatBoard(board, turn)}: the database has ${formatBound({ lo, hi })}, but ${formatBound(proven)} follows from the certificate. Restore a copy, or solve again with another --db`,
    );
  }
  if (notCovered > 0) {
    parts.push(
      `${counted(notCovered, "bound")} in ${file} ${notCovered === 1 ? "is" : "are"} not covered by the certificate and ${notCovered === 1 ? "was" : "were"} not checked; query --verified does not use ${notCovered === 1 ? "it" : "them"}`,
    );
  }
  return parts;
}

/**
 * Returns for JSON what is proven of the starts, with null for an upper bound that is not known,
 * and the comparison; null if nothing was compared.
 */
export function provenAsJson(starts: readonly StartReport[], compared: Comparison | undefined) {
  const { contradictions = [], ...counts } = compared ?? {};
  return {
    starts: starts.map(({ board, lo, hi, ...rest }) => ({
      board: formatBoard(board),
      lo,
      hi: Number.isFinite(hi) ? hi : null,
      ...rest,
    })),
    database: compared
      ? {
          ...(counts as Omit<Comparison, "contradictions">),
          contradictions: contradictions.map(({ board, turn, ...rest }) => ({
            board: formatBoard(board),
            turn,
            ...rest,
          })),
        }
      : null,
  };
}

/**
 * Returns whether a certificate proves what it is for: the values of all starts or, without upper
 * claims, a lower bound of each.
 */
export function isProven({ complete, upper, lowerBound }: Report): boolean {
  return complete || (upper === 0 && lowerBound > 0);
}

/** Says whether a certificate proves what it is for, or why a first start is unproven. */
export function verdictAsText(name: string, report: Report): string[] {
  const { starts, complete, lowerBound } = report;
  if (complete) return [`${name}: the values of all ${starts.length} starts follow`];
  if (isProven(report)) {
    return [
      `${name}: each of the ${starts.length} starts is worth at least ${formatCount(lowerBound)} points; there are no upper claims`,
    ];
  }
  const unproven = starts.filter(({ follows }) => !follows);
  const reasons = unproven.map(
    ({ board, why }) =>
      `${unproven.length} of ${starts.length} starts are not proven. The first: ${formatBoard(board)}: ${why}`,
  );
  return [...reasons.slice(0, 1), `${name}: NOT proven`];
}

/**
 * Returns the result for a game that has no certificate to check.
 *
 * @param starts the starts and their bounds in the database
 * @param file where the certificate would be
 */
export function noCertificate(game: Game, starts: readonly StartBound[], file: string): Checked {
  const solved = starts.filter(({ bound }) => isExact(bound)).length;
  const found = `${solved} values and no certificate`;
  return {
    output: { ...gameAsJson(game), complete: false, found },
    text: `${describeGame(game)}: ${found}: there is no ${file}; run gridlock ${commandOf("prove", game)} to make it`,
    code: EXIT.failed,
  };
}

import { type Game, isExact } from "@gridlock/game";
import { type LayersStatus, type VisitPort, VisitRecorder } from "@gridlock/layers";
import { formatRough } from "@gridlock/report";
import type { StartBound } from "@gridlock/solver";
import { UsageError } from "../exit.js";
import { tell } from "./display.js";

/** Tells what a proof by layers resumes from, if it was begun before. */
export function tellResumed(
  flags: { readonly quiet?: true },
  { round, expanded }: LayersStatus,
): void {
  if (round > 0) tell(flags, `resuming after ${formatRough(expanded)} nodes, in round ${round}`);
}

/** Returns what tells of a damaged file of a proof. */
export function damageTeller(flags: { readonly quiet?: true }): (file: string) => void {
  return (file) => tell(flags, `${file} is missing or damaged; what it had will be proven again`);
}

/** Returns the progress of a proof by layers, for the display. */
export function progressOf(
  starts: readonly StartBound[],
  { live, expanded, round }: LayersStatus,
): { done: number; total: number; text: string } {
  return {
    done: starts.filter(({ bound }) => isExact(bound)).length,
    total: starts.length,
    text: `round ${round}, ${formatRough(expanded)} nodes, ${formatRough(live)} open`,
  };
}

/** Begins the record of a run if one is asked for. */
export function recorderFor(
  game: Game,
  port: VisitPort,
  { record, guess }: { readonly record?: string; readonly guess?: number },
): VisitRecorder | undefined {
  if (record === undefined) return undefined;
  try {
    return new VisitRecorder(port, record, game, guess);
  } catch (error) {
    throw new UsageError(`--record ${record} cannot be written (${(error as Error).message})`);
  }
}

import { hostname } from "node:os";
import { formatShape, formatTiles, type Game, normalShape } from "@gridlock/game";
import type { Run, RunOutcome } from "@gridlock/store";

/** The process of a run, as its options record it. */
interface RunProcess {
  readonly host: string;
  readonly pid: number;
}

/** Milliseconds without a record of its cost after which a run counts as ended; it records it every second. */
const SILENT_MS = 15_000;

/** Returns this process, for the options of a run. */
export function thisProcess(): RunProcess {
  return { host: hostname(), pid: process.pid };
}

/** Returns the outcome of a run, or `running` while its process is alive. */
export function stateOfRun(
  { outcome, started, seconds, options }: Run,
  now = Date.now(),
): RunOutcome | "running" {
  if (outcome !== "unfinished") return outcome;
  const isSilent = Date.parse(started) + 1000 * seconds < now - SILENT_MS;
  const { process: by } = options as { readonly process?: Partial<RunProcess> };
  const isHere = by?.host === hostname() && typeof by.pid === "number";
  return isSilent || (isHere && !exists(by.pid as number)) ? "unfinished" : "running";
}

/** Returns whether a process of this machine exists, be it another user's. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Returns whether a run was of a game, be it of the transposed shape. */
export function isRunOf({ shape, tiles }: Game, { game }: Run): boolean {
  return (
    formatTiles(game.tiles) === formatTiles(tiles) &&
    formatShape(normalShape(game.shape)) === formatShape(normalShape(shape))
  );
}

import { hostname } from "node:os";
import { formatShape, formatTiles, type Game, normalShape } from "@gridlock/game";
import type { Run, RunOutcome } from "./runs.js";

/** The process of a run, as its options record it. */
interface RunProcess {
  readonly host: string;
  readonly pid: number;
}

/** Milliseconds without a cost record after which a run counts as ended; it writes one a second. */
const SILENT_MS = 15_000;
/**
 * The same for a run whose process exists on this machine. It is longer, since the process may be
 * busy or wait for a disk, and not endless, since another process may have got its number.
 */
const SILENT_HERE_MS = 10 * 60_000;

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
  const { process: by } = options as { readonly process?: Partial<RunProcess> };
  const isHere = by?.host === hostname() && typeof by.pid === "number";
  if (isHere && !exists(by.pid as number)) return "unfinished";
  const silence = now - (Date.parse(started) + 1000 * seconds);
  return silence > (isHere ? SILENT_HERE_MS : SILENT_MS) ? "unfinished" : "running";
}

/** Names the process of a run for people, as the run's options have it. */
export function nameProcess({ options }: Run): string {
  const { process: { host, pid } = {} } = options as { readonly process?: Partial<RunProcess> };
  if (typeof pid !== "number") return "another process";
  return `process ${pid}${host === hostname() ? "" : ` of ${String(host)}`}`;
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

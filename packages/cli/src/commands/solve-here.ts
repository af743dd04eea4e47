import { describeGame, type Game, isExact, mostPointsToCome } from "@gridlock/game";
import { counted, formatAge, formatBytes, formatCount } from "@gridlock/report";
import {
  isQuick,
  keepEntries,
  LocalPool,
  LoggedRun,
  proveLines,
  proveOpenings,
  type StartBound,
  solveAndSave,
  warmTable,
} from "@gridlock/solver";
import { type Database, MEMORY, snapshotFileOf } from "@gridlock/store";
import { tooDeep } from "../exit.js";
import { waitingUntil, watchInterrupts } from "../interrupt.js";
import { runLabel } from "../machine.js";
import type { ServiceFlags } from "../options/cluster.js";
import { showWork } from "../output/display.js";
import { printError, tell } from "../output/print.js";
import { searchStanding, warmingStanding } from "../output/standings.js";
import { type SolveFlags, type SolveResult, STOPPING } from "./solve-flags.js";

/** Says what is missing if a solve could not store the costliest entries of its table. */
const NOT_KEPT =
  "all values are saved, but not the table entries that make searches for other boards shorter";

/** Options of a search on this machine. */
interface LocalSolveFlags extends Omit<SolveFlags, keyof ServiceFlags | "tiles"> {
  /** Bytes of the table that all workers share. */
  readonly tableBytes: number;
}

/**
 * Solves the open starts with threads of this machine until all are solved, the time is up or Ctrl-C: resumes from what
 * is stored, and saves what is learned on the way.
 */
export async function solveHere(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  flags: LocalSolveFlags,
): Promise<SolveResult> {
  const { workers, tableBytes, memory = tableBytes, db, only, quiet } = flags;
  const { withoutBound, otherOrder, lowerBounds, fresh, seed, guess } = flags;
  const options = { workers, memory, withoutBound, otherOrder, lowerBounds, fresh, seed, guess };
  const search = { withoutBound: withoutBound === true, otherOrder: otherOrder === true };
  await using pool = new LocalPool(game, { workers, memory: tableBytes, search });
  using run = new LoggedRun(game, database, pool, runLabel(options));
  tell(
    flags,
    `${describeGame(game)}: ${counted(known.length, "start")}, ${counted(workers, "thread")}, ${formatBytes(tableBytes)} of table, ${db}`,
  );
  using watch = watchInterrupts(STOPPING, flags.for);
  const { signal } = watch;
  const waiting = waitingUntil(watch);
  signal.addEventListener("abort", () => pool.stop());
  await loadResults(game, known, database, pool, flags, signal);
  const standing = searchStanding(game, known, pool, run.before);
  using display = showWork(describeGame(game), "starts", standing.look, { signal, quiet });
  const { state, saved } = await solveAndSave(game, database, pool, {
    ...{ every: flags.snapshotEvery, effort: flags.snapshotEffort },
    ...{ signal, waiting, seed, guess, lowerBounds: lowerBounds === true },
    ...(only && { only: [only] }),
    onProgress: standing.update,
    onSearched: () => {
      run.stop();
      display.stop();
    },
  });
  const isDone = isSolved(state);
  const spent = await run.end(isDone && only === undefined ? "solved" : "stopped", waiting);
  const interrupted = watch.isInterrupted();
  if (isDone) {
    watch[Symbol.dispose](); // all is saved: from here on Ctrl-C simply ends the process
    await proveLines(game, state, database, pool.kernel, { onWait: printError });
    await proveOpenings(game, state, database, pool.kernel, { onWait: printError });
    if (!only && !isQuick(game.shape)) {
      const error = await keepEntries(game, database, pool.kernel, { onWait: printError });
      if (error)
        printError(
          NOT_KEPT + (error.code === "full" ? ": the disk is full" : `: ${error.message}`),
        );
    }
  } else {
    if (!signal.aborted) throw tooDeep();
    const missed =
      saved.missed > 0 ? `; the disk was too slow to save ${formatCount(saved.missed)} more` : "";
    if (db !== MEMORY) {
      tell(
        flags,
        `saved ${formatCount(saved.bounds)} bounds and ${formatCount(saved.entries)} entries${missed}; run the same command to resume`,
      );
    }
  }
  return { state, spent, interrupted };
}

/** Returns whether the values of all starts are known. */
export function isSolved(state: readonly StartBound[]): boolean {
  return state.every(({ bound }) => isExact(bound));
}

/** Makes a pool's table, loads the results of earlier runs into it, and prints what they are. */
async function loadResults(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  pool: LocalPool,
  flags: LocalSolveFlags,
  signal: AbortSignal,
): Promise<void> {
  const shown = { signal, quiet: flags.quiet };
  using display = showWork(describeGame(game), "entries", warmingStanding(undefined), shown);
  const { bounds, summary } = await warmTable(pool, game, database, (progress) =>
    display.show(warmingStanding(progress)),
  );
  display.stop();
  if (bounds === 0 && summary === undefined) return;
  const solved = known.filter(({ bound }) => isExact(bound)).length;
  const narrowed = known.filter(
    ({ board, bound: { lo, hi } }) => lo < hi && (lo > 0 || hi < mostPointsToCome(board)),
  ).length;
  const windows = narrowed > 0 ? `${counted(narrowed, "narrowed window")}, ` : "";
  const snapshot = summary
    ? `; ${formatCount(summary.entries)} entries (${formatBytes(summary.bytes)}) in ${snapshotFileOf(flags.db, game)}, saved ${formatAge(summary.written)}`
    : "";
  tell(
    flags,
    `resuming from ${solved} values, ${windows}${formatCount(bounds)} bounds in ${database.file}${snapshot}`,
  );
}

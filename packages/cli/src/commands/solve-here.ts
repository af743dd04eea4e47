import { describeGame, formatBoard, type Game, isExact, mostPointsToCome } from "@gridlock/game";
import {
  counted,
  formatAge,
  formatBytes,
  formatCount,
  formatLeft,
  formatRough,
} from "@gridlock/report";
import {
  isReached,
  type LowerPlan,
  type StartBound,
  solveHere as solve,
  type Warmed,
} from "@gridlock/solver";
import { type Database, MEMORY, snapshotFileOf } from "@gridlock/store";
import { waitingUntil, watchInterrupts } from "../interrupt.js";
import { runLabel } from "../machine.js";
import { type Display, showWork } from "../output/display.js";
import { printError, tell } from "../output/print.js";
import { searchStanding, warmingStanding } from "../output/standings.js";
import { type SolveFlags, type SolveResult, STOPPING } from "./solve-flags.js";

/** Says what is missing if a solve could not store the costliest entries of its table. */
const NOT_KEPT =
  "all values are saved, but not the table entries that make searches for other boards shorter";

/** Bytes of an entry of the table. */
const ENTRY_BYTES = 8;

/** Options of a search on this machine. */
interface LocalSolveFlags extends SolveFlags {
  /** Bytes of the table that all workers share. */
  readonly tableBytes: number;
}

/**
 * Solves the open starts with threads of this machine until all are solved, the time is up or
 * Ctrl-C, and shows the progress.
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
  const name = describeGame(game);
  using watch = watchInterrupts(STOPPING, flags.for);
  const { signal } = watch;
  const shown = { signal, quiet };
  let display: Display | undefined;
  using _display = { [Symbol.dispose]: () => display?.stop() };
  const show = (next: Display) => {
    display?.stop();
    display = next;
  };
  const threshold = guess === undefined ? undefined : 4 * Math.ceil(guess / 4);
  let standing: ReturnType<typeof searchStanding> | undefined;
  const { state, spent, saved, notKept } = await solve(game, database, {
    pool: {
      workers,
      memory: tableBytes,
      search: { withoutBound: withoutBound === true, otherOrder: otherOrder === true },
    },
    label: runLabel(options),
    every: flags.snapshotEvery,
    signal,
    waiting: waitingUntil(watch),
    seed,
    guess,
    ...(lowerBounds && {
      lowerBounds: {
        threshold,
        until: watch.until,
        onPlan(plan: LowerPlan) {
          standing?.plan(plan);
          const sentence = describePlan(plan, known.length);
          if (sentence !== undefined) tell(flags, sentence);
        },
      },
    }),
    only,
    events: {
      onBegin(pool, before) {
        tell(
          flags,
          `${name}: ${counted(known.length, "start")}, ${counted(workers, "thread")}, ${formatBytes(tableBytes)} of table, ${db}`,
        );
        standing = searchStanding(game, known, pool, before);
        show(showWork(name, "entries", warmingStanding(undefined), shown));
      },
      onWarming: (progress) => display?.show(warmingStanding(progress)),
      onWarmed(warmed) {
        display?.stop();
        tellOfResults(game, known, database, warmed, flags);
        if (standing) show(showWork(name, "starts", standing.look, shown));
      },
      onProgress: (starts) => standing?.update(starts),
      onSearched: () => display?.stop(),
      onSolved: () => watch[Symbol.dispose](), // from here on Ctrl-C simply ends the process
    },
  });
  if (notKept) {
    const why = notKept.code === "full" ? "the disk is full" : notKept.message;
    printError(`${NOT_KEPT}: ${why}`);
  }
  if (!isSolved(state) && db !== MEMORY) {
    const missed =
      saved.missed > 0 ? `; the disk was too slow to save ${formatCount(saved.missed)} more` : "";
    const isAnswered = lowerBounds && isReached(state, threshold);
    const advice = isAnswered ? "" : "; run the same command to resume";
    tell(
      flags,
      `saved ${formatCount(saved.bounds)} bounds and ${formatCount(saved.entries)} entries${missed}${advice}`,
    );
  }
  return { state, spent, interrupted: watch.isInterrupted() };
}

/**
 * Says what a search for lower bounds asks next, what that takes, and what a larger table would
 * reach; `undefined` for what is shown as progress alone.
 */
function describePlan(plan: LowerPlan, starts: number): string | undefined {
  const { board, threshold, kind, nodes, spent, seconds, exponent = 0, further } = plan;
  if (kind !== "high") return undefined;
  const facts: string[] = [];
  if (nodes !== undefined) facts.push(`some ${formatRough(nodes)} nodes`);
  if (spent > 0) facts.push(`${formatRough(spent)} of them done`);
  if (seconds !== undefined) facts.push(formatLeft(seconds));
  if (nodes !== undefined) {
    facts.push(`since nodes grow with the power ${exponent.toFixed(1)} of the threshold`);
  }
  const cost = facts.length > 0 ? `: ${facts.join(", ")}` : "";
  const others = starts > 1 ? `; then the ${counted(starts - 1, "other start")}` : "";
  const more = further
    ? `. With a table of ${formatBytes(ENTRY_BYTES * further.entries)} it could be ${further.threshold} in the same time`
    : nodes === undefined
      ? ""
      : ". More memory would not reach further";
  return `asking whether ${formatBoard(board)} is worth at least ${threshold} points${cost}${others}${more}`;
}

/** Returns whether the values of all starts are known. */
export function isSolved(state: readonly StartBound[]): boolean {
  return state.every(({ bound }) => isExact(bound));
}

/** Prints the results of earlier runs that have been loaded. */
function tellOfResults(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  { bounds, summary }: Warmed,
  flags: LocalSolveFlags,
): void {
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

import { addAbortListener } from "node:events";
import { readFileSync } from "node:fs";
import { solvedStarts, startsAsJson } from "@gridlock/answers";
import { formatShape, type Game, isExact } from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import {
  defaultMemory,
  isQuick,
  keepEntries,
  LocalPool,
  LoggedRun,
  leastMemory,
  openStarts,
  poolThreads,
  proveLines,
  proveOpenings,
  removeSnapshot,
  SNAPSHOT_EFFORT,
  SNAPSHOT_EVERY,
  type StartBound,
  solveAndSave,
  warmTable,
  whyNoKernel,
} from "@gridlock/solver";
import { type Database, patiently, type Waiting } from "@gridlock/store";
import { SolverError } from "./errors.js";
import type { SolveOutput } from "./json.js";
import type { SolveProgress } from "./solver.js";

/** The version of this package, or in the repository that of its root. */
const VERSION: string = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
).version;

/** Milliseconds between two reports of progress. */
const REPORT_MS = 200;

/** The resources of a solve, and who is told of it. */
interface SolveContext {
  readonly database: Database;
  readonly threads: number;
  readonly memory: number | undefined;
  readonly signal: AbortSignal;
  onProgress(progress: SolveProgress): void;
  onWait(sentence: string): void;
}

/**
 * Solves all starts of a game with threads of this machine, and resumes what an earlier solve with the same database
 * has left. Saves everything proven, however it ends.
 *
 * @throws the signal's reason, if it aborts before all is solved
 */
export async function solveGame(game: Game, context: SolveContext): Promise<SolveOutput> {
  const { database, signal } = context;
  const reason = whyNoKernel(game);
  if (reason) throw new SolverError("not-searchable", reason);
  const began = performance.now();
  const waiting = { isStopped: () => signal.aborted, onWait: context.onWait };
  const known = await patiently(database.file, () => openStarts(game, database), waiting);
  let nodes = { positions: 0, afterstates: 0 };
  let starts = solvedStarts(game, known, database);
  // Lines are missing if the run that solved the game was killed before it found them.
  if (known.some(({ bound }) => !isExact(bound)) || starts.some(({ line }) => !line)) {
    const searched = await search(game, known, context, waiting);
    nodes = searched.nodes;
    starts = solvedStarts(game, searched.state, database);
  }
  const seconds = (performance.now() - began) / 1000;
  return {
    ...{ shape: formatShape(game.shape), tiles: [...game.tiles] as [2, 4] | [2] },
    ...{ starts: startsAsJson(starts), nodes, seconds },
  };
}

async function search(
  game: Game,
  known: readonly StartBound[],
  { database, threads, signal, onProgress, ...given }: SolveContext,
  waiting: Waiting,
): Promise<Pick<SolveOutput, "nodes"> & { readonly state: readonly StartBound[] }> {
  const memory = tableMemory(game, threads, given.memory);
  await using pool = new LocalPool(game, { workers: threads, memory });
  const machine = `Node ${process.versions.node} on ${process.platform}`;
  const label = { version: VERSION, machine, options: { workers: threads, memory } };
  using run = new LoggedRun(game, database, pool, label);
  using _stop = addAbortListener(signal, () => pool.stop());
  const began = performance.now();
  let phase: SolveProgress["phase"] = "loading";
  let state = known;
  const solved = () => state.filter(({ bound }) => isExact(bound)).length;
  const report = () =>
    onProgress({
      ...{ phase, starts: state.length, solved: solved(), ...pool.counts() },
      seconds: (performance.now() - began) / 1000,
    });
  using _timer = setInterval(report, REPORT_MS);
  report();
  await warmTable(pool, game, database);
  phase = "searching";
  ({ state } = await solveAndSave(game, database, pool, {
    ...{ every: SNAPSHOT_EVERY, effort: SNAPSHOT_EFFORT, signal, waiting },
    onProgress: (starts) => {
      state = starts;
      report();
    },
    onSearched: () => run.stop(),
  }));
  const isSolved = solved() === state.length;
  await run.end(isSolved ? "solved" : "stopped", waiting);
  if (!isSolved) {
    signal.throwIfAborted();
    throw new SolverError("failed", "the search went deeper than the stack of a thread allows");
  }
  phase = "lines";
  report();
  await proveLines(game, state, database, pool.kernel, waiting);
  await proveOpenings(game, state, database, pool.kernel, waiting);
  if (!isQuick(game.shape)) await keepEntries(game, database, pool.kernel, waiting);
  removeSnapshot(game, database); // last: a run that is killed before finds the lines by it
  return { state, nodes: pool.counts() };
}

function tableMemory(game: Game, threads: number, asked: number | undefined): number {
  if (!Number.isInteger(threads) || threads < 1) {
    throw new SolverError("bad-option", `${threads} threads; expected 1 or more`);
  }
  const room = poolThreads(threads);
  if (asked === undefined) return defaultMemory(game, room, process.availableMemory());
  const least = leastMemory(game, room);
  // Also false for NaN.
  if (asked >= least) return Math.min(asked, tableLimits(game, room).most);
  throw new SolverError("bad-option", `${asked} bytes of memory; expected at least ${least}`);
}

import { readFileSync } from "node:fs";
import { formatShape, type Game, isExact } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import type { SolveOutput } from "@gridlock/schemas";
import {
  type LocalPool,
  openStarts,
  removeSnapshot,
  SNAPSHOT_EVERY,
  type StartBound,
  solveHere,
} from "@gridlock/solver";
import { type Database, patiently } from "@gridlock/store";
import { solvedStarts, startsAsJson } from "./solved-starts.js";

/** The version of the installed package, or in the repository that of its root. */
const VERSION: string = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
).version;

/** Milliseconds between two reports of progress. */
const REPORT_MS = 200;

/** The progress of a solve. */
export interface SolveProgress extends NodeCounts {
  /** The part under way: loading earlier results, searching, or proving lines of best play. */
  readonly phase: "loading" | "searching" | "lines";
  /** Number of starts, and of those whose value is known. */
  readonly starts: number;
  readonly solved: number;
  readonly seconds: number;
}

/** The threads of a solve, and the bytes of their table. */
export interface SolveResources {
  readonly workers: number;
  readonly memory: number;
}

/**
 * Solves all starts of a game with threads of this machine, and resumes what an earlier solve with
 * the same database has left. Saves everything proven, however it ends.
 *
 * @param isStopped asked at each report of progress, several times a second
 * @returns `undefined` if it was stopped
 */
export async function solveGame(
  game: Game,
  database: Database,
  pool: SolveResources,
  isStopped: () => boolean,
  onProgress: (progress: SolveProgress) => void,
  onWait: (sentence: string) => void,
): Promise<SolveOutput | undefined> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const waiting = { isStopped, onWait };
  const known = await patiently(database.file, () => openStarts(game, database), waiting);
  let nodes: NodeCounts = { positions: 0, afterstates: 0 };
  let starts = solvedStarts(game, known, database);
  // Lines are missing if the run that solved the game was killed before it found them.
  if (starts.some(({ bound, line }) => !isExact(bound) || !line)) {
    const stop = new AbortController();
    let phase: SolveProgress["phase"] = "loading";
    let state: readonly StartBound[] = known;
    let port: LocalPool | undefined;
    const report = () => {
      if (isStopped()) stop.abort();
      const solved = state.filter(({ bound }) => isExact(bound)).length;
      const counts = port?.counts() ?? nodes;
      onProgress({ phase, starts: state.length, solved, ...counts, seconds: seconds() });
    };
    using _timer = setInterval(report, REPORT_MS);
    const enter = (next: typeof phase) => {
      phase = next;
      report();
    };
    const machine = `Node ${process.versions.node} on ${process.platform}`;
    const solved = await solveHere(game, database, {
      pool,
      label: { version: VERSION, machine, options: { ...pool } },
      every: SNAPSHOT_EVERY,
      signal: stop.signal,
      waiting,
      events: {
        onBegin(pool) {
          port = pool;
          report();
        },
        onWarmed: () => enter("searching"),
        onProgress(starts) {
          state = starts;
          report();
        },
        onSolved: () => enter("lines"),
      },
    });
    nodes = port?.counts() ?? nodes;
    if (solved.state.some(({ bound }) => !isExact(bound))) return undefined;
    removeSnapshot(game, database); // last: a run that is killed before finds the lines by it
    starts = solvedStarts(game, solved.state, database);
  }
  const { shape, tiles } = game;
  return {
    shape: formatShape(shape),
    tiles: [...tiles] as [2, 4] | [2],
    starts: startsAsJson(starts),
    nodes,
    seconds: seconds(),
  };
}

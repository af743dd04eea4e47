import { describeGame, type Game, isExact } from "@gridlock/game";
import { LayeredProof, layersFolderOf, solveByLayers, VisitCrew } from "@gridlock/layers";
import { formatBytes, formatRough } from "@gridlock/report";
import { openStarts, type StartBound } from "@gridlock/solver";
import type { Database } from "@gridlock/store";
import { UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { LoggedRun } from "../logged-run.js";
import { showWork, tell } from "../output/display.js";
import type { LocalSolve } from "./solve-here.js";

export interface LayersFlags {
  readonly db: string;
  readonly workers: number;
  /** Bytes of the process, as given by the user. */
  readonly memory?: number;
  readonly guess?: number;
  /** Seconds after which the solve stops. */
  readonly for?: number;
  readonly quiet?: true;
}

/** Bytes of Node.js and the program beside the tables, and of each thread. */
const PROCESS_BYTES = 160 * 2 ** 20;
const THREAD_BYTES = 24 * 2 ** 20;
/** Fewest bytes for the tables of a thread. */
const LEAST_BYTES = 32 * 2 ** 20;
/** Most bytes of tables by default: the operating system needs the rest to keep files in memory. */
const DEFAULT_SHARE = 1 / 4;

/** Solves the open starts layer by layer with threads of this machine, until all are solved, the time is up or Ctrl-C. */
export async function solveByLayersHere(
  game: Game,
  database: Database,
  flags: LayersFlags,
): Promise<LocalSolve> {
  const { workers } = flags;
  const bytes = memoryOfTables(flags.memory, workers);
  const folder = layersFolderOf(flags.db, game);
  const known = openStarts(game, database);
  using watch = watchInterrupts("stopping after saving what is proven; Ctrl-C again stops at once");
  const stop = new AbortController();
  watch.signal.addEventListener("abort", () => stop.abort());
  using _timer =
    flags.for === undefined ? undefined : setTimeout(() => stop.abort(), 1000 * flags.for);
  using proof = LayeredProof.open(game, folder, (file) =>
    tell(flags, `${file} is missing or damaged; what it had will be proven again`),
  );
  await using crew = new VisitCrew(game, folder, { threads: workers, bytes });
  const before = proof.status;
  const counts = () => ({ positions: 0, afterstates: proof.status.expanded - before.expanded });
  const options = { workers, memory: flags.memory ?? bytes, method: "layers" };
  using run = new LoggedRun(game, database, { counts }, options);
  const threads = `${workers} thread${workers === 1 ? "" : "s"}`;
  tell(
    flags,
    `${describeGame(game)}: ${known.length} starts, layer by layer, ${threads}, ${formatBytes(bytes)} of tables, ${folder}`,
  );
  if (before.round > 0) {
    tell(flags, `resuming after ${formatRough(before.expanded)} nodes, in round ${before.round}`);
  }
  let latest: readonly StartBound[] = known;
  const look = () => {
    const { live, expanded, round } = proof.status;
    return {
      done: latest.filter(({ bound }) => isExact(bound)).length,
      total: latest.length,
      text: `round ${round}, ${formatRough(expanded)} nodes, ${formatRough(live)} open`,
    };
  };
  using display = flags.quiet
    ? undefined
    : showWork(describeGame(game), "starts", look, { signal: stop.signal });
  const state = await solveByLayers(game, database, proof, crew, {
    ...(flags.guess === undefined ? {} : { guess: flags.guess }),
    signal: stop.signal,
    onProgress: (starts) => {
      latest = starts;
    },
  });
  display?.stop();
  const isSolved = state.every(({ bound }) => isExact(bound));
  const spent = run.end(isSolved ? "solved" : "stopped");
  if (!isSolved) tell(flags, "saved all proven bounds; run the same command to resume");
  return { state, spent, interrupted: watch.signal.aborted };
}

/** Returns the bytes for the tables of all threads. */
function memoryOfTables(asked: number | undefined, threads: number): number {
  const own = PROCESS_BYTES + threads * THREAD_BYTES;
  if (asked === undefined) {
    return Math.max(threads * LEAST_BYTES, DEFAULT_SHARE * process.availableMemory());
  }
  const least = own + threads * LEAST_BYTES;
  if (asked < least) {
    throw new UsageError(
      `--memory of ${formatBytes(asked)} is too little for ${threads} threads; expected at least ${formatBytes(least)}`,
    );
  }
  return asked - own;
}

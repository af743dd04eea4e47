import { freemem } from "node:os";
import { describeGame, formatShape, type Game, isExact, type Tiles } from "@gridlock/game";
import { type NodeCounts, tableLimits } from "@gridlock/kernel";
import {
  Analyst,
  defaultMemory,
  estimate,
  LocalPool,
  leastMemory,
  loadBounds,
  openStarts,
  type StartBound,
  saveCostlyBounds,
  solve,
  whyNoKernel,
} from "@gridlock/solver";
import { Database, type RunCost } from "@gridlock/store";
import { Command } from "commander";
import { EXIT, UsageError } from "./exit.js";
import { formatBytes, formatCount, formatRough, formatSeconds } from "./format.js";
import { watchInterrupts } from "./interrupt.js";
import { describeMachine } from "./machine.js";
import {
  dbOption,
  gameOf,
  jsonOption,
  memoryOption,
  seedOption,
  tilesOption,
  tooLittleMemory,
  workersOption,
} from "./options.js";
import { showProgress } from "./progress.js";
import { type SolvedStart, solvedStarts, startsAsJson, startsAsTable } from "./solution.js";
import { VERSION } from "./version.js";

interface SolveFlags {
  readonly tiles: Tiles;
  readonly db: string;
  readonly workers: number;
  readonly memory?: number;
  readonly seed?: number;
  readonly force?: true;
  readonly json?: true;
  readonly quiet?: true;
}

/** A solve that is expected to need more table than this asks for `--force`. */
const LARGE_TABLE_BYTES = 16 * 2 ** 30;
/** Seconds that proving lines of best play may take once all is solved; mostly they are in the table. */
const LINES_SECONDS = 10;

export function solveCommand(): Command {
  return new Command("solve")
    .description("find the value of every start of a shape")
    .argument("<shape>", "rows x columns, such as 3x3")
    .addOption(tilesOption())
    .addOption(dbOption())
    .addOption(workersOption())
    .addOption(memoryOption("memory for the table that all workers share"))
    .addOption(seedOption())
    .option("--force", "solve even what is expected to be out of reach")
    .option("--quiet", "show no progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
What is proven is saved as it is found. Ctrl-C stops after saving, Ctrl-C twice at once; the same
command goes on from there, and answers from the database when all is solved.

Examples:
  $ gridlock solve 3x3                     all 28 starts of 3x3
  $ gridlock solve 2x3 --tiles 2           the placer has only 2s
  $ gridlock solve 3x4 --memory 4G         some minutes
  $ gridlock solve 3x3 --json | jq '.starts[0].value'`,
    )
    .action(async (shape: string, flags: SolveFlags) => {
      process.exitCode = await runSolve(gameOf(shape, flags.tiles), flags);
    });
}

/** What a run has done, besides the values. */
interface Effort {
  readonly nodes: NodeCounts;
  readonly seconds: number;
}

async function runSolve(game: Game, flags: SolveFlags): Promise<number> {
  refuseWhatIsOutOfReach(game, flags.force === true);
  const memory = memoryFor(game, flags);
  const database = Database.open(flags.db);
  try {
    const known = openStarts(game, database);
    if (known.every(({ bound }) => isExact(bound))) {
      const analyst = new Analyst(game, database.bounds(game), undefined);
      const starts = solvedStarts(game, known, analyst, 0);
      if (starts.every(({ line }) => line !== undefined)) {
        log(flags, `all ${known.length} values of ${describeGame(game)} were in ${flags.db}`);
        print(game, starts, { nodes: { positions: 0, afterstates: 0 }, seconds: 0 }, flags);
        return EXIT.ok;
      }
    }
    return await search(game, known, database, { ...flags, memory });
  } finally {
    database.close();
  }
}

/** Says what a shape would take that is out of reach, unless the user insists. */
function refuseWhatIsOutOfReach(game: Game, force: boolean): void {
  const { nodes, tableBytes, seconds } = estimate(game.shape);
  const reason = whyNoKernel(game);
  if (tableBytes > LARGE_TABLE_BYTES && !force) {
    throw new UsageError(
      `${describeGame(game)} would take some ${formatRough(nodes)} positions and afterstates (an extrapolation): about ${formatSeconds(seconds)} on one thread and ${formatBytes(tableBytes)} of table. It needs --force${reason ? `, and more than this version has: ${reason}` : ""}`,
    );
  }
  if (reason) throw new UsageError(reason);
}

/** The memory for the table: as asked, or chosen for the shape and the machine. */
function memoryFor(game: Game, { memory, workers }: SolveFlags): number {
  const threads = workers + 1;
  if (memory === undefined) return defaultMemory(game, threads, freemem());
  const least = leastMemory(game, threads);
  if (memory < least) throw new UsageError(tooLittleMemory(memory, least));
  return Math.min(memory, tableLimits(game, threads).most);
}

/** Solves what is open, saves what it proves, and prints what is then known. */
async function search(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  flags: SolveFlags & { readonly memory: number },
): Promise<number> {
  const began = performance.now();
  const { workers, memory, seed } = flags;
  const bounds = database.bounds(game);
  const pool = new LocalPool(game, { workers, memory });
  const effort = (): Effort => ({
    nodes: pool.counts(),
    seconds: (performance.now() - began) / 1000,
  });
  const order = seed === undefined ? {} : { seed };
  const machine = describeMachine();
  const options = { workers, memory, ...order };
  const run = database.runs.begin({ game, version: VERSION, machine, options });
  const watch = watchInterrupts(() => {
    display?.stop();
    pool.stop();
  }, "stopping after saving what is proven; Ctrl-C again stops at once");
  announce(game, known, flags, loadBounds(pool.kernel, bounds));
  const display = flags.quiet ? undefined : showProgress(describeGame(game), known, pool);
  try {
    const state = await solve(game, database, pool, {
      ...order,
      onProgress: (progress) => display?.update(progress),
    });
    const spent = effort();
    display?.stop();
    if (watch.interrupted) {
      const saved = saveCostlyBounds(pool.kernel, game, bounds);
      log(flags, `saved ${formatCount(saved)} bounds; the same command goes on from here`);
    } else {
      watch.end(); // all values are saved; from here Ctrl-C simply ends the process
      const analyst = new Analyst(game, bounds, pool.kernel);
      solvedStarts(game, state, analyst, LINES_SECONDS);
      bounds.merge(analyst.takeFresh());
    }
    const done = state.every(({ bound }) => isExact(bound));
    database.runs.update(run, done ? "solved" : "stopped", costOf(spent));
    // Told from the database alone, so that the same command tells the same lines again.
    const starts = solvedStarts(game, state, new Analyst(game, bounds, undefined), 0);
    if (done || flags.json) print(game, starts, spent, flags);
    return done ? EXIT.ok : EXIT.interrupted;
  } catch (error) {
    const spent = effort();
    try {
      database.runs.update(run, "failed", costOf(spent));
    } catch {
      // The database is what failed; the first error says so.
    }
    throw error;
  } finally {
    display?.stop();
    watch.end();
    await pool.close();
  }
}

/** An effort as the log of runs has it. */
function costOf({ nodes, seconds }: Effort): RunCost {
  return { ...nodes, seconds };
}

/** Says what will be done, and what it goes on from. */
function announce(
  game: Game,
  known: readonly StartBound[],
  flags: SolveFlags & { readonly memory: number },
  loaded: number,
): void {
  const { workers, memory, db } = flags;
  const threads = `${workers} thread${workers === 1 ? "" : "s"}`;
  log(
    flags,
    `${describeGame(game)}: ${known.length} starts, ${threads}, ${formatBytes(memory)} of table, ${db}`,
  );
  if (loaded > 0) {
    const solved = known.filter(({ bound }) => isExact(bound)).length;
    log(flags, `going on from ${solved} values and ${formatCount(loaded)} bounds in ${db}`);
  }
}

function log(flags: SolveFlags, line: string): void {
  if (!flags.quiet) console.error(line);
}

function print(
  game: Game,
  starts: readonly SolvedStart[],
  { nodes, seconds }: Effort,
  flags: SolveFlags,
): void {
  if (flags.json) {
    const result = {
      shape: formatShape(game.shape),
      tiles: game.tiles,
      starts: startsAsJson(starts),
      nodes,
      seconds,
    };
    console.log(JSON.stringify(result));
    return;
  }
  console.log(startsAsTable(starts));
  if (nodes.positions + nodes.afterstates > 0) {
    const count = starts.filter(({ bound }) => isExact(bound)).length;
    log(
      flags,
      `\n${count} of ${starts.length} starts solved: ${formatCount(nodes.positions)} positions and ${formatCount(nodes.afterstates)} afterstates in ${formatSeconds(seconds)}`,
    );
  }
}

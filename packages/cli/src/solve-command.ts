import { existsSync } from "node:fs";
import { describeGame, type Game, isExact, type Tiles } from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel";
import {
  Analyst,
  estimate,
  LocalPool,
  openStarts,
  poolThreads,
  type SavedWork,
  type SnapshotOptions,
  type StartBound,
  solve,
  whyNoKernel,
} from "@gridlock/solver";
import { type BoundTable, Database, snapshotFileOf } from "@gridlock/store";
import { Command, Option } from "commander";
import {
  auditOption,
  budgetOption,
  shareOption,
  sharingOf,
  withRedis,
  withService,
} from "./cluster-options.js";
import { type ClusterSolveFlags, kernelHere, solveOnCluster } from "./cluster-solve.js";
import { EXIT, tooDeep, UsageError } from "./exit.js";
import { formatBytes, formatCount, formatRough, formatSeconds, gameAsJson } from "./format.js";
import { startOver } from "./fresh.js";
import { solveGoal } from "./goal.js";
import { watchInterrupts } from "./interrupt.js";
import { beginRun, type Effort } from "./logged-run.js";
import {
  dbOption,
  gameOf,
  jsonOption,
  memoryOption,
  parseGoal,
  parseTime,
  seedOption,
  snapshotEffortOption,
  snapshotEveryOption,
  tableMemory,
  tilesOption,
  workersOption,
} from "./options.js";
import { type ProgressDisplay, showProgress } from "./progress.js";
import { resume } from "./resume.js";
import { type SolvedStart, solvedStarts, startsAsJson, startsAsTable } from "./solution.js";

interface SolveFlags extends Omit<ClusterSolveFlags, "redis"> {
  readonly tiles: Tiles;
  readonly db: string;
  readonly redis?: string;
  readonly snapshotEvery: number;
  readonly snapshotEffort: number;
  readonly fresh?: true;
  readonly yes?: true;
  readonly force?: true;
  readonly for?: number;
  readonly lowerBounds?: true;
  readonly goal?: number;
  readonly withoutBound?: true;
  readonly otherOrder?: true;
  readonly json?: true;
}

/** A solve that is expected to need more table than this asks for `--force`. */
const LARGE_TABLE_BYTES = 16 * 2 ** 30;
/** Seconds that proving lines of best play may take once all is solved; mostly they are in the table. */
const LINES_SECONDS = 10;

export function solveCommand(): Command {
  const command = new Command("solve")
    .description("find the value of every start of a shape")
    .argument("<shape>", "rows x columns, such as 3x3")
    .addOption(tilesOption())
    .addOption(dbOption())
    .addOption(workersOption())
    .addOption(memoryOption("memory for the table that all workers share"))
    .addOption(seedOption("take the starts in an order of chance that the seed determines"))
    .addOption(snapshotEveryOption())
    .addOption(snapshotEffortOption())
    .option("--fresh", "forget what is known of the shape and start over; asks first")
    .option("--yes", "with --fresh: do not ask")
    .option("--force", "solve even what is expected to be out of reach")
    .addOption(
      new Option(
        "--for <time>",
        "stop after so long, such as 30m, and print what is proven",
      ).argParser(parseTime),
    )
    .option("--lower-bounds", "only raise the lower bounds of all starts: for boards out of reach")
    .addOption(
      new Option("--goal <goal>", "ask whether a tile can be forced, such as tile:64").argParser(
        parseGoal,
      ),
    )
    .option(
      "--without-bound",
      "do without the search's lower bound: for a confirmation in a database of its own",
    )
    .option("--other-order", "search in another order: likewise")
    .option("--quiet", "show no progress")
    .addOption(jsonOption());
  withRedis(command, "have the workers of this Redis server search, not this machine");
  return withService(command, "warn")
    .addOption(shareOption())
    .addOption(budgetOption())
    .addOption(auditOption())
    .addHelpText(
      "after",
      `
What is proven is saved as it is found: the starts' windows and the bounds that cost most in the
database, what the table has learned in a snapshot beside it. A run that ends in any way, Ctrl-C or
kill -9 or a power cut, goes on from there when the same command is given again, and answers from
the database when all is solved. Ctrl-C stops after saving all, Ctrl-C twice at once.

Examples:
  $ gridlock solve 3x3                     all 28 starts of 3x3
  $ gridlock solve 2x3 --tiles 2           the placer has only 2s
  $ gridlock solve 3x4 --memory 4G         some minutes
  $ gridlock solve 3x5 --lower-bounds --for 1h --memory 10G
  $ gridlock solve 2x6 --goal tile:64      can a 64 be forced from each start?
  $ gridlock solve 3x4 --redis redis://:secret@10.0.0.1:6379/0
  $ gridlock solve 3x3 --json | jq '.starts[0].value'`,
    )
    .action(async (shape: string, flags: SolveFlags) => {
      process.exitCode = await runSolve(gameOf(shape, flags.tiles), flags);
    });
}

async function runSolve(game: Game, flags: SolveFlags): Promise<number> {
  refuseWhatDoesNotGoTogether(flags);
  refuseWhatIsOutOfReach(game, flags.force === true || flags.lowerBounds === true);
  const isHere = flags.redis === undefined;
  const memory = isHere ? tableMemory(game, poolThreads(flags.workers), flags.memory) : 0;
  if (flags.goal !== undefined) return await solveGoal(game, flags.goal, { ...flags, memory });
  const database = Database.open(flags.db);
  try {
    if (flags.fresh && !(await startOver(game, database, flags.yes === true))) {
      console.error("nothing was changed");
      return EXIT.failed;
    }
    const known = openStarts(game, database);
    if (flags.withoutBound || flags.otherOrder) refuseWhatConfirmsNothing(game, known, flags.db);
    if (known.every(({ bound }) => isExact(bound))) {
      const analyst = new Analyst(game, database.bounds(game), undefined);
      const starts = solvedStarts(game, known, analyst, 0);
      if (starts.every(({ line }) => line !== undefined)) {
        tell(flags, `all ${known.length} values of ${describeGame(game)} were in ${flags.db}`);
        print(game, starts, { nodes: { positions: 0, afterstates: 0 }, seconds: 0 }, flags);
        return EXIT.ok;
      }
    }
    if (flags.redis !== undefined) {
      return await searchElsewhere(game, database, { ...flags, redis: flags.redis });
    }
    return await search(game, known, database, { ...flags, memory });
  } finally {
    database.close();
  }
}

/** Some options are for the search of this machine, and a goal leaves nothing in a database. */
function refuseWhatDoesNotGoTogether(flags: SolveFlags): void {
  const { for: time, lowerBounds, goal, withoutBound, otherOrder } = flags;
  const local = { "--for": time, "--lower-bounds": lowerBounds, "--goal": goal };
  const confirming = { "--without-bound": withoutBound, "--other-order": otherOrder };
  const given = (options: object) =>
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const [first] = given({ ...local, ...confirming });
  if (flags.redis !== undefined && first) {
    throw new UsageError(
      `${first} is for a search of this machine alone; expected no --redis and no GRIDLOCK_REDIS`,
    );
  }
  const others = { "--fresh": flags.fresh, "--seed": flags.seed };
  const [other] = given({ ...local, "--goal": undefined, ...confirming, ...others });
  if (goal !== undefined && other) throw new UsageError(`--goal does not go with ${other}`);
}

/** A search that goes on from what was found in the usual way is no confirmation of it. */
function refuseWhatConfirmsNothing(game: Game, known: readonly StartBound[], db: string): void {
  const isKnown = known.some(({ bound }) => bound.lo > 0 || isExact(bound));
  if (!(isKnown || existsSync(snapshotFileOf(db, game)))) return;
  throw new UsageError(
    `${db} knows something of ${describeGame(game)} already, so nothing would be confirmed; expected another --db, or --fresh`,
  );
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

/** Solves what is open with the workers of a Redis server, and prints what is then known. */
async function searchElsewhere(
  game: Game,
  database: Database,
  flags: SolveFlags & { readonly redis: string },
): Promise<number> {
  const sharing = sharingOf(flags.share);
  const { state, spent } = await solveOnCluster(game, database, sharing, flags);
  const done = state.every(({ bound }) => isExact(bound));
  const bounds = database.bounds(game);
  if (done) proveLines(game, state, bounds, kernelHere(game, database));
  else tell(flags, "saved what is proven; the same command goes on from here");
  const starts = solvedStarts(game, state, new Analyst(game, bounds, undefined), 0);
  if (done || flags.json) print(game, starts, spent, flags);
  return done ? EXIT.ok : EXIT.interrupted;
}

/** Solves what is open, saves what it proves, and prints what is then known. */
async function search(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  flags: SolveFlags & { readonly memory: number },
): Promise<number> {
  const { workers, memory, seed } = flags;
  const { withoutBound, otherOrder, lowerBounds } = flags;
  const how = { ...(withoutBound && { withoutBound }), ...(otherOrder && { otherOrder }) };
  const pool = new LocalPool(game, { workers, memory, search: how });
  const options = {
    ...{ workers, memory, ...how },
    ...(lowerBounds && { lowerBounds }),
    ...(seed === undefined ? {} : { seed }),
  };
  const run = beginRun(game, database, pool, options);
  let display: ProgressDisplay | undefined;
  const show = () => {
    if (!flags.quiet) display = showProgress(describeGame(game), known, pool);
    return display;
  };
  const watch = watchInterrupts(() => {
    display?.stop();
    pool.stop();
  }, "stopping after saving what is proven; Ctrl-C again stops at once");
  let isTimeUp = false;
  const timer =
    flags.for === undefined
      ? undefined
      : setTimeout(() => {
          isTimeUp = true;
          display?.stop();
          pool.stop();
        }, 1000 * flags.for);
  try {
    announce(game, known, flags);
    const { state, saved } = await solveAndSave(game, known, database, pool, flags, {
      begin: show,
      end: () => run.stop(),
    });
    const done = state.every(({ bound }) => isExact(bound));
    const spent = run.end(done ? "solved" : "stopped");
    if (!done && !watch.interrupted && !isTimeUp) throw tooDeep();
    if (!done) {
      const missed = saved.missed > 0 ? ` (${formatCount(saved.missed)} came too fast)` : "";
      tell(
        flags,
        `saved ${formatCount(saved.bounds)} bounds and ${formatCount(saved.entries)} entries${missed}; the same command goes on from here`,
      );
    }
    watch.end(); // all is saved; from here Ctrl-C simply ends the process
    const bounds = database.bounds(game);
    if (done) proveLines(game, state, bounds, pool.kernel);
    // Told from the database alone, so that the same command tells the same lines again.
    const starts = solvedStarts(game, state, new Analyst(game, bounds, undefined), 0);
    if (done || isTimeUp || flags.json) print(game, starts, spent, flags);
    return done || !watch.interrupted ? EXIT.ok : EXIT.interrupted;
  } catch (error) {
    run.fail();
    throw error;
  } finally {
    clearTimeout(timer);
    run.stop();
    watch.end();
    await pool.close();
  }
}

/**
 * Goes on from what there is until all is solved or the pool is stopped; saves what is learned on the way.
 *
 * @param search is told when the search itself begins, with all loaded, and when it ends
 */
async function solveAndSave(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  pool: LocalPool,
  flags: SolveFlags,
  search: { begin(): ProgressDisplay | undefined; end(): void },
): Promise<{ state: readonly StartBound[]; saved: SavedWork }> {
  const keeping = snapshotOptions(game, flags);
  const found = await resume(game, known, pool, database, keeping.snapshotFile);
  if (found.description) tell(flags, `going on from ${found.description}`);
  const snapshots = pool.keep(found.batches, keeping);
  const display = search.begin();
  try {
    const state = await solve(game, database, pool, {
      ...(flags.seed === undefined ? {} : { seed: flags.seed }),
      lowerBounds: flags.lowerBounds === true,
      onProgress: (progress) => display?.update(progress),
    });
    search.end();
    display?.stop();
    const done = state.every(({ bound }) => isExact(bound));
    return { state, saved: await snapshots.finish({ skipNew: done }) };
  } catch (error) {
    await snapshots.finish({ skipNew: false }).catch(() => {}); // the first error says more
    throw error;
  } finally {
    display?.stop();
  }
}

/** Proves a line of best play from each start, as far as a little time allows. */
function proveLines(
  game: Game,
  state: readonly StartBound[],
  bounds: BoundTable,
  kernel: Kernel,
): void {
  const analyst = new Analyst(game, bounds, kernel);
  solvedStarts(game, state, analyst, LINES_SECONDS);
  bounds.merge(analyst.takeFresh());
}

/** What is to be saved while the run goes on, and where. */
function snapshotOptions(game: Game, flags: SolveFlags): SnapshotOptions {
  return {
    databaseFile: flags.db,
    snapshotFile: snapshotFileOf(flags.db, game),
    every: flags.snapshotEvery,
    effort: flags.snapshotEffort,
  };
}

/** Says what will be done. */
function announce(
  game: Game,
  known: readonly StartBound[],
  flags: SolveFlags & { readonly memory: number },
): void {
  const { workers, memory, db } = flags;
  const threads = `${workers} thread${workers === 1 ? "" : "s"}`;
  tell(
    flags,
    `${describeGame(game)}: ${known.length} starts, ${threads}, ${formatBytes(memory)} of table, ${db}`,
  );
}

function tell(flags: SolveFlags, line: string): void {
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
      ...gameAsJson(game),
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
    tell(
      flags,
      `\n${count} of ${starts.length} starts solved: ${formatCount(nodes.positions)} positions and ${formatCount(nodes.afterstates)} afterstates in ${formatSeconds(seconds)}`,
    );
  }
}

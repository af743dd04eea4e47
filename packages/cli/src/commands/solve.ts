import { existsSync } from "node:fs";
import { describeGame, type Game, isExact, type Tiles } from "@gridlock/game";
import {
  formatBytes,
  formatCount,
  formatEstimate,
  formatRough,
  formatSeconds,
} from "@gridlock/report";
import {
  Analyst,
  estimate,
  openStarts,
  poolThreads,
  type StartBound,
  whyNoKernel,
} from "@gridlock/solver";
import { Database, snapshotFileOf } from "@gridlock/store";
import { Command, Option } from "commander";
import { EXIT, UsageError } from "../exit.js";
import type { Effort } from "../logged-run.js";
import {
  auditOption,
  budgetOption,
  shareOption,
  sharingOf,
  withRedis,
  withService,
} from "../options/cluster.js";
import {
  dbOption,
  gameOf,
  jsonOption,
  memoryOption,
  parseGoal,
  parseScore,
  parseTime,
  seedOption,
  snapshotEffortOption,
  snapshotEveryOption,
  tableMemory,
  tilesOption,
  workersOption,
} from "../options/options.js";
import { tell } from "../output/display.js";
import { gameAsJson } from "../output/json.js";
import { type SolvedStart, solvedStarts, startsAsJson, startsAsTable } from "../output/solution.js";
import { printLine } from "../output/stdout.js";
import { startOver } from "./solve-fresh.js";
import { solveGoal } from "./solve-goal.js";
import { type LocalSolveFlags, proveLines, solveHere } from "./solve-here.js";
import type { ClusterSolve, ClusterSolveFlags } from "./solve-on-cluster.js";

interface SolveFlags extends Omit<ClusterSolveFlags, "redis">, Omit<LocalSolveFlags, "tableBytes"> {
  readonly tiles: Tiles;
  readonly redis?: string;
  readonly fresh?: true;
  readonly yes?: true;
  readonly force?: true;
  readonly goal?: number;
  readonly json?: true;
}

/** A solve that is expected to need more table than this asks for `--force`. */
const LARGE_TABLE_BYTES = 32 * 2 ** 30;

export function solveCommand(): Command {
  const command = new Command("solve")
    .description("find the value of every start of a shape")
    .argument("<shape>", "rows x columns, such as 3x3")
    .addOption(tilesOption())
    .addOption(dbOption())
    .addOption(workersOption())
    .addOption(memoryOption("memory to take, nearly all for the table that all workers share"))
    .addOption(seedOption("take the starts in an order of chance that the seed determines"))
    .addOption(
      new Option(
        "--guess <points>",
        "the first score to ask about; best a little above the value, and only the time depends on it",
      ).argParser(parseScore),
    )
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
      "do without the bounds that the search knows by themselves: for a confirmation in a database of its own",
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
  const tableBytes = isHere ? tableMemory(game, poolThreads(flags.workers), flags.memory) : 0;
  if (flags.goal !== undefined) return await solveGoal(game, flags.goal, { ...flags, tableBytes });
  using database = Database.open(flags.db);
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
  return await search(game, known, database, flags, tableBytes);
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
  const others = { "--fresh": flags.fresh, "--seed": flags.seed, "--guess": flags.guess };
  const [other] = given({ ...local, "--goal": undefined, ...confirming, ...others });
  if (goal !== undefined && other) throw new UsageError(`--goal does not go with ${other}`);
  if (lowerBounds && flags.guess !== undefined) {
    throw new UsageError("--lower-bounds does not go with --guess: it goes up from what is proven");
  }
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
      `${describeGame(game)} would take some ${formatRough(nodes)} positions and afterstates (an extrapolation): about ${formatEstimate(seconds)} on one thread and ${formatBytes(tableBytes)} of table. It needs --force${reason ? `, and more than this version has: ${reason}` : ""}`,
    );
  }
  if (reason) throw new UsageError(reason);
}

/**
 * Solves what is open, here or on the workers of a Redis server, and prints what is then known.
 *
 * @param tableBytes bytes of the table of a search here
 */
async function search(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  flags: SolveFlags,
  tableBytes: number,
): Promise<number> {
  const { redis } = flags;
  const { state, spent, interrupted } =
    redis === undefined
      ? await solveHere(game, known, database, { ...flags, tableBytes })
      : await searchElsewhere(game, database, { ...flags, redis });
  const done = state.every(({ bound }) => isExact(bound));
  const bounds = database.bounds(game);
  // Told from the database alone, so that the same command tells the same lines again.
  const starts = solvedStarts(game, state, new Analyst(game, bounds, undefined), 0);
  if (done || !interrupted || flags.json) print(game, starts, spent, flags);
  return done || !interrupted ? EXIT.ok : EXIT.interrupted;
}

async function searchElsewhere(
  game: Game,
  database: Database,
  flags: SolveFlags & { readonly redis: string },
): Promise<ClusterSolve> {
  // What a cluster needs takes a third of a second to load.
  const { kernelHere, solveOnCluster } = await import("./solve-on-cluster.js");
  const found = await solveOnCluster(game, database, sharingOf(flags.share), flags);
  if (found.state.every(({ bound }) => isExact(bound))) {
    proveLines(game, found.state, database.bounds(game), kernelHere(game));
  } else tell(flags, "saved what is proven; run the same command to resume");
  return found;
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
    printLine(JSON.stringify(result));
    return;
  }
  printLine(startsAsTable(starts));
  if (nodes.positions + nodes.afterstates > 0) {
    const count = starts.filter(({ bound }) => isExact(bound)).length;
    tell(
      flags,
      `\n${count} of ${starts.length} starts solved: ${formatCount(nodes.positions)} positions and ${formatCount(nodes.afterstates)} afterstates in ${formatSeconds(seconds)}`,
    );
  }
}

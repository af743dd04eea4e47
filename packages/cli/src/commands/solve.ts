import { existsSync, rmSync } from "node:fs";
import { type SolvedStart, solvedStarts, startsAsJson } from "@gridlock/answers";
import type { RedisOptions } from "@gridlock/cluster";
import {
  canonical,
  describeGame,
  formatBoard,
  type Game,
  isExact,
  sameBoard,
} from "@gridlock/game";
import { formatBound, formatCount, formatSeconds, formatTable } from "@gridlock/report";
import type { SolveOutput } from "@gridlock/schemas";
import {
  certificateFileOf,
  type Effort,
  isReached,
  lockRuns,
  openStarts,
  poolThreads,
  removeSnapshot,
  type StartBound,
} from "@gridlock/solver";
import { Database, MEMORY, removeSqlite, snapshotFileOf } from "@gridlock/store";
import type { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { redisOf, withRedis, withService } from "../options/cluster.js";
import { commandIn, gameOf, howToFindLines } from "../options/game.js";
import { checkMemory, tableMemory } from "../options/memory.js";
import {
  gameCommand,
  jsonOption,
  memoryOption,
  seedOption,
  snapshotEveryOption,
  workersOption,
} from "../options/options.js";
import { parseGoal, parseScore, parseTime } from "../options/parse.js";
import { ask, canAsk } from "../output/ask.js";
import { gameAsJson, printError, printJson, printLine, tell } from "../output/print.js";
import {
  adviseTabulation,
  onlyStart,
  refuseWhatConfirmsNothing,
  refuseWhatIsOutOfReach,
  type SolveFlags,
} from "./solve-flags.js";
import { solveGoal } from "./solve-goal.js";
import { isSolved, solveHere } from "./solve-here.js";

/** Makes the command `gridlock solve`. */
export function solveCommand(): Command {
  const command = gameCommand("solve", "find the value of every start of a shape")
    .addOption(workersOption())
    .addOption(
      memoryOption(
        "memory of the process, most of it for the transposition table",
        "by shape and free memory",
      ),
    )
    .addOption(seedOption("process the starts in random order, using this seed"))
    .option(
      "--guess <points>",
      "score to ask about first, ideally a little above the value; with --lower-bounds, to ask of all starts",
      parseScore,
    )
    .option("--start <board>", 'solve only this start, e.g. "2 2 0/0 0 0/0 0 0"')
    .addOption(snapshotEveryOption())
    .option("--fresh", "delete everything known of the shape and start over; asks first")
    .option("--yes", "do not ask before --fresh deletes")
    .option("--force", "start even if the shape seems out of reach")
    .option(
      "--for <time>",
      "stop after this time, e.g. 90s, 30m or 2h, and print what is proven",
      parseTime,
    )
    .option(
      "--lower-bounds",
      "only raise the lower bounds of the starts, for boards out of reach, as far as --for and --memory allow",
    )
    .option("--goal <goal>", "find which starts can force a tile instead, e.g. tile:64", parseGoal)
    .option(
      "--without-bound",
      "disable static bounds (for an independent confirmation; use a separate --db)",
    )
    .option("--other-order", "search moves in another order (for an independent confirmation)")
    .option("--quiet", "hide progress")
    .addOption(jsonOption());
  command.optionsGroup("Options for many machines:");
  withRedis(command, "search on the workers of this Redis server, e.g. redis://10.0.0.1:6379/0");
  return withService(command, "warn")
    .option("--verify", "make and check the certificate before the values are printed")
    .addHelpText(
      "after",
      `
A start is a board with two tiles. Its value is the score that the slider can force, whatever tiles the
placer places.

The search saves as it goes: bounds in the database, and the transposition table in a snapshot beside it. Stop
it however you like, even with kill -9 or a power cut, and run the same command to resume. Ctrl-C stops after
saving; a second Ctrl-C stops at once. When all starts are solved, the snapshot is removed, and the same command
answers from the database.

With --redis, whoever can write to this Redis server is trusted: its workers, and all who know its password.
gridlock prove and gridlock verify check a result against anybody, on this machine alone; with --verify, solve does so
before it prints the values.

--lower-bounds asks small scores first, which show how the cost grows; then one of the first start that should
take half of the time of --for; then the same one of the other starts. Without --for it goes on until it is
stopped, with scores that take ever longer. With --guess it asks that score alone.

Exit codes: 0 all starts are solved or, with --lower-bounds --guess, known to be worth that score or less;
3 the time of --for was up first; 130 stopped by Ctrl-C.

Examples:
  $ gridlock solve 3x3                     all 28 starts of 3x3
  $ gridlock solve 3x3 --start "2 2 0/0 0 0/0 0 0"
  $ gridlock solve 2x3 --tiles 2           the placer has only 2s
  $ gridlock solve 3x4 --memory 4G         some minutes
  $ gridlock solve 3x5 --lower-bounds --for 1h --memory 10G
  $ gridlock solve 2x6 --goal tile:64      can a 64 be forced from each start?
  $ gridlock solve 3x4 --redis redis://10.0.0.1:6379/0 --redis-password-file redis-password
  $ gridlock solve 3x3 --json | jq '.starts[0].value'`,
    )
    .action(async (shape: string, flags: SolveFlags) => {
      process.exitCode = await runSolve(gameOf(shape, flags.tiles), flags);
    });
}

async function runSolve(game: Game, given: SolveFlags): Promise<number> {
  const redis = redisOf(given);
  refuseWhatIsOutOfReach(game, given.force === true || given.lowerBounds === true);
  adviseTabulation(game, given);
  const only = onlyStart(game, given.start);
  const flags = { ...given, ...(only && { only }) };
  const tableBytes =
    redis === undefined ? tableMemory(game, poolThreads(flags.workers), flags.memory) : 0;
  if (flags.goal !== undefined) return await solveGoal(game, flags.goal, tableBytes, flags);
  if (flags.db === MEMORY) printError(`--db ${MEMORY} is not a file: nothing is saved`);
  using database = Database.open(flags.db);
  if (flags.fresh && !(await startOver(game, database, flags.yes === true))) {
    printError("nothing was changed");
    return EXIT.failed;
  }
  const all = openStarts(game, database);
  const known = only ? all.filter(({ board }) => sameBoard(canonical(board), only)) : all;
  if (flags.withoutBound || flags.otherOrder) refuseWhatConfirmsNothing(game, known, flags.db);
  if (isSolved(known)) {
    const starts = solvedStarts(game, known, database);
    const values = only ? "this value" : `all ${known.length} values`;
    tell(flags, `${values} of ${describeGame(game)} ${only ? "is" : "are"} already in ${flags.db}`);
    if (flags.verify && !(await isProven(game, database, flags))) return EXIT.failed;
    // The run that solved it may have been killed before it found the lines; prove finds them fast
    // by its snapshot.
    const isComplete = starts.every(({ line }) => line !== undefined);
    if (isComplete && !only) removeSnapshot(game, database);
    print(game, starts, { nodes: { positions: 0, afterstates: 0 }, seconds: 0 }, flags);
    tellOfLines(game, starts, database, flags);
    return EXIT.ok;
  }
  return await search(game, known, database, flags, redis ?? tableBytes);
}

/**
 * Deletes a game's bounds, certificate and snapshot after asking the user. Asks nothing if nothing
 * is stored.
 *
 * @param agreed whether the user has agreed beforehand
 * @returns whether the user has agreed
 * @throws {UsageError} when the user cannot be asked
 */
async function startOver(game: Game, database: Database, agreed: boolean): Promise<boolean> {
  const snapshotFile = snapshotFileOf(database.file, game);
  const { bounds } = database.bounds(game).count();
  const certificate = certificateFileOf(database.file, game);
  const losses: string[] = [];
  if (bounds > 0) losses.push(`${formatCount(bounds)} bounds`);
  if (existsSync(certificate)) losses.push(`the certificate ${certificate}`);
  if (existsSync(snapshotFile)) losses.push(`the snapshot ${snapshotFile}`);
  if (losses.length === 0) return true;
  using _lock = lockRuns(game, database);
  const sentence = `--fresh deletes ${losses.join(", ")} of ${describeGame(game)}`;
  if (!agreed && !canAsk()) {
    throw new UsageError(`${sentence}; there is no terminal to ask on, so add --yes`);
  }
  if (!agreed && !(await ask(`${sentence}. Continue? [y/N] `))) return false;
  removeSqlite(snapshotFile); // first: as long as there are bounds, the game counts as begun
  rmSync(certificate, { force: true });
  database.forget(game);
  return true;
}

/**
 * Solves the open starts, here or on the workers of a Redis server, and prints the results.
 *
 * @param place the server, or the bytes of the transposition table of a search here
 */
async function search(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  flags: SolveFlags,
  place: RedisOptions | number,
): Promise<number> {
  const isHere = typeof place === "number";
  // The modules of a cluster take a third of a second to load.
  const { state, spent, interrupted } = !isHere
    ? await (await import("./solve-on-cluster.js")).solveOnCluster(game, database, place, flags)
    : await solveHere(game, known, database, { ...flags, tableBytes: place });
  const done = isSolved(state);
  if (!isHere) {
    if (!done) tell(flags, "saved all proven bounds; run the same command to resume");
    else if (!flags.verify) tell(flags, howToCheck(game, flags));
    else if (!(await isProven(game, database, flags))) return EXIT.failed;
  }
  database.expectInPlace();
  if (done && !flags.only) removeSnapshot(game, database);
  // From the database alone, so that the same command prints the same lines again.
  const starts = solvedStarts(game, state, database);
  if (done || !interrupted || flags.json) print(game, starts, spent, flags);
  if (done) {
    tellOfLines(game, starts, database, flags);
    return EXIT.ok;
  }
  if (flags.lowerBounds && isReached(state, flags.guess)) return EXIT.ok;
  return interrupted ? EXIT.interrupted : EXIT.partial;
}

/** Makes and checks a certificate of values that workers found; returns whether it proves them. */
async function isProven(game: Game, database: Database, flags: SolveFlags): Promise<boolean> {
  const [{ proofAsText, prove }, { checkGame }] = await Promise.all([
    import("./prove.js"),
    import("./verify.js"),
  ]);
  tell(flags, proofAsText(game, await prove(game, flags)));
  const { text, code } = await checkGame(game, flags, checkMemory(flags.memory), database);
  if (code === EXIT.ok) tell(flags, text);
  else printError(text);
  return code === EXIT.ok;
}

/** Says how to find the lines of best play that are missing. */
function tellOfLines(
  game: Game,
  starts: readonly SolvedStart[],
  database: Database,
  flags: SolveFlags,
): void {
  const sentence = howToFindLines(game, starts, database);
  if (sentence !== undefined) tell(flags, sentence);
}

/** Returns a sentence on how to check values without trusting the workers. */
function howToCheck(game: Game, { db }: SolveFlags): string {
  const [prove, verify] = ["prove", "verify"].map((name) => commandIn(db, name, game));
  return `these values rest on what the workers have claimed; to check them: ${prove} && ${verify}`;
}

/** Says how many starts are worth at least how much. */
function boundsReached(starts: readonly StartBound[]): string {
  const bounds = starts.map(({ bound }) => bound.lo);
  const [least, most] = [Math.min(...bounds), Math.max(...bounds)];
  const count = bounds.filter((lo) => lo === most).length;
  const all = starts.length;
  if (count === all) return `all ${all} starts are worth at least ${most}`;
  return `${count} of ${all} starts ${count === 1 ? "is" : "are"} worth at least ${most}, all at least ${least}`;
}

function print(
  game: Game,
  starts: readonly SolvedStart[],
  { nodes, seconds }: Effort,
  flags: SolveFlags,
): void {
  if (flags.json) {
    printJson<SolveOutput>({ ...gameAsJson(game), starts: startsAsJson(starts), nodes, seconds });
    return;
  }
  printLine(
    formatTable(starts, [
      ["start", ({ board }) => formatBoard(board)],
      ["value", ({ bound }) => formatBound(bound), "right"],
      ["end of a line of best play", ({ line }) => (line ? formatBoard(line.end) : "–")],
    ]),
  );
  if (nodes.positions + nodes.afterstates > 0) {
    const solved = starts.filter(({ bound }) => isExact(bound)).length;
    tell(flags, "");
    tell(
      flags,
      `${flags.lowerBounds && solved < starts.length ? boundsReached(starts) : `${solved} of ${starts.length} starts solved`}: ${formatCount(nodes.positions)} positions and ${formatCount(nodes.afterstates)} afterstates in ${formatSeconds(seconds)}`,
    );
  }
}

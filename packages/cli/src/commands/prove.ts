import { type Bound, describeGame, type Game, isExact } from "@gridlock/game";
import { formatBytes, formatCount, formatSeconds } from "@gridlock/report";
import type { ProveOutput } from "@gridlock/schemas";
import {
  certify,
  leastMemory,
  type ProofSummary,
  poolThreads,
  storedStarts,
  whyNoKernel,
} from "@gridlock/solver";
import { Database } from "@gridlock/store";
import type { Command } from "commander";
import { UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { commandOf, gameOf } from "../options/game.js";
import { tableMemory } from "../options/memory.js";
import {
  type GameFlags,
  gameCommand,
  jsonOption,
  memoryOption,
  workersOption,
} from "../options/options.js";
import { showWork } from "../output/display.js";
import { gameAsJson, printJson, printLine } from "../output/print.js";
import { certificateStanding } from "../output/standings.js";

interface ProveFlags extends GameFlags {
  readonly workers: number;
  readonly memory?: number;
  readonly lowerBounds?: true;
}

/** Makes the command `gridlock prove`. */
export function proveCommand(): Command {
  return gameCommand(
    "prove",
    "make the certificate of a shape's values or lower bounds, which anyone can check",
  )
    .addOption(workersOption())
    .addOption(
      memoryOption("memory of the process, most of it for the table", "by shape and free memory"),
    )
    .option("--lower-bounds", "prove the lower bounds of the starts, of a shape that is not solved")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
A certificate is a list of claims about boards: each follows from others by one slide and one placement, and
the values of the starts follow from them. It is a file beside the database, such as results/gridlock.3x3.certificate;
docs/certificate.md explains how to check it without this program. A game has one certificate: it does not depend on the
number of workers or on what the table holds. prove searches again for bounds that the database lacks. Stopped
or killed, it goes on where it was last saved. It also finds and saves the lines of best play that solve could not show.

Examples:
  $ gridlock solve 3x3 && gridlock prove 3x3 && gridlock verify 3x3
  $ gridlock prove 2x6 --memory 4G
  $ gridlock solve 4x4 --lower-bounds --guess 200 && gridlock prove 4x4 --lower-bounds`,
    )
    .action((shape: string, flags: ProveFlags) => runProve(gameOf(shape, flags.tiles), flags));
}

async function runProve(game: Game, flags: ProveFlags): Promise<void> {
  const reason = whyNoKernel(game);
  if (reason) throw new UsageError(reason);
  refuseUnproven(game, flags.db, flags.lowerBounds === true);
  print(game, await prove(game, flags), flags);
}

/** Makes the certificate of a game beside its database, and shows the progress. */
export async function prove(
  game: Game,
  flags: Pick<ProveFlags, "db" | "workers" | "memory" | "lowerBounds">,
): Promise<ProofSummary> {
  const { workers, lowerBounds } = flags;
  using watch = watchInterrupts("stopping; the same command goes on where it was last saved");
  const { signal } = watch;
  const { look, update: onProgress } = certificateStanding(game, lowerBounds === true);
  using _display = showWork(`proof of ${describeGame(game)}`, "claims", look, { signal });
  const task = { game, databaseFile: flags.db, lowerBounds, workers, ...memoryOf(game, flags) };
  return await certify(task, onProgress, signal);
}

/** Part of the memory for demands for claims; the least and the most, one memory of WebAssembly. */
const DEMANDS_PART = 1 / 4;
const LEAST_DEMANDS = 64 * 2 ** 20;
const MOST_DEMANDS = 4 * 2 ** 30;

/** Divides the memory asked for, or chosen for the table, between the table and the demands. */
function memoryOf(
  game: Game,
  { workers, memory: asked }: Pick<ProveFlags, "workers" | "memory">,
): { readonly memory: number; readonly demands: number } {
  const threads = poolThreads(workers);
  const bytes = tableMemory(game, threads, asked);
  const wanted = Math.min(Math.max(DEMANDS_PART * bytes, LEAST_DEMANDS), MOST_DEMANDS);
  // A table that is far too small makes a search endless; demands without room go to files.
  const demands = asked === undefined ? wanted : Math.min(wanted, bytes / 2);
  const rest = asked === undefined ? bytes : bytes - demands;
  return { memory: Math.max(leastMemory(game, threads), rest), demands };
}

/** Refuses to prove what a database lacks: the values of all starts, or a lower bound of each. */
function refuseUnproven(game: Game, db: string, lowerBounds: boolean): void {
  using database = Database.open(db, { readOnly: true });
  const starts = storedStarts(game, database);
  const count = (of: (bound: Bound) => boolean) => starts.filter(({ bound }) => of(bound)).length;
  const [solved, bounded] = [count(isExact), count(({ lo }) => lo > 0)];
  const isSolved = starts.length > 0 && solved === starts.length;
  const isBounded = starts.length > 0 && bounded === starts.length;
  if (lowerBounds ? isBounded && !isSolved : isSolved) return;
  const name = describeGame(game);
  if (isSolved) {
    throw new UsageError(
      `${db} has the values of all starts of ${name}; gridlock ${commandOf("prove", game)} without --lower-bounds proves them`,
    );
  }
  const solve = `gridlock ${commandOf("solve", game)}`;
  if (lowerBounds) {
    throw new UsageError(
      `${db} has lower bounds of ${bounded} of ${starts.length} starts of ${name}; run ${solve} --lower-bounds first`,
    );
  }
  const advice = isBounded
    ? `; or prove its lower bounds: gridlock ${commandOf("prove", game)} --lower-bounds`
    : "";
  throw new UsageError(
    `${db} has ${starts.length === 0 ? "no results" : `${solved} of ${starts.length} values`} of ${name}; run ${solve} first${advice}`,
  );
}

function print(game: Game, summary: ProofSummary, { json }: ProveFlags): void {
  if (json) printJson<ProveOutput>({ ...gameAsJson(game), ...summary });
  else printLine(proofAsText(game, summary));
}

/** Describes a certificate that has been made. */
export function proofAsText(game: Game, summary: ProofSummary): string {
  const { file, bytes, claims, lower, upper, nodes, seconds } = summary;
  return `${describeGame(game)}: a certificate of ${formatCount(claims)} claims, ${formatCount(lower)} lower and ${formatCount(upper)} upper, in ${file} (${formatBytes(bytes)}), made in ${formatSeconds(seconds)}; ${formatCount(nodes)} nodes searched again`;
}

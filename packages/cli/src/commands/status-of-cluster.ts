import { setTimeout } from "node:timers/promises";
import { isatty } from "node:tty";
import { type ClusterStatus, checkServer, isOutage, StatusReader } from "@gridlock/cluster";
import { parseShape } from "@gridlock/game";
import { formatAge, formatCount, formatEstimate, formatRough, formatTable } from "@gridlock/report";
import type { StatusRedisOutput } from "@gridlock/schemas";
import { estimate } from "@gridlock/solver";
import { EXIT } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { type RedisFlags, redisOf } from "../options/cluster.js";
import { fitted, type ScreenSize } from "../output/screen.js";
import { printJson, printLine, writeOut } from "../output/stdout.js";
import { printError } from "../output/visible.js";

interface ClusterStatusFlags extends RedisFlags {
  readonly redis: string;
  readonly watch?: true;
  readonly json?: true;
}

/** Moves the cursor to the top left and clears what is below it. */
const CLEAR = Buffer.from("\u001b[1;1H\u001b[0J");
/** The size of a terminal that does not report its own. */
const ROWS = 24;
const COLUMNS = 80;
/** Milliseconds between two updates with `--watch`. */
const WATCH_MS = 1000;

/** Prints the state of the coordinator and the workers of a Redis server, with `--watch` every second. */
export async function showClusterStatus(flags: ClusterStatusFlags): Promise<number> {
  const redis = redisOf(flags);
  await checkServer(redis);
  using reader = new StatusReader(redis);
  if (!flags.watch) {
    print(await reader.read(), flags);
    return EXIT.ok;
  }
  using watch = watchInterrupts("");
  const { signal } = watch;
  let away = false;
  while (!signal.aborted) {
    const status = await readUnlessAway(reader);
    if (status) {
      if (isatty(1) && !flags.json) {
        writeOut(CLEAR);
        printLine(fitted(sectionsOf(status), screenSize()));
      } else print(status, flags);
    } else if (!away) printError("waiting for Redis");
    away = status === undefined;
    await setTimeout(WATCH_MS, undefined, { signal }).catch(() => {}); // Ctrl-C
  }
  return EXIT.ok;
}

/** Reads the status; `undefined` while the server is away. */
async function readUnlessAway(reader: StatusReader): Promise<ClusterStatus | undefined> {
  try {
    return await reader.read();
  } catch (error) {
    if (isOutage(error)) return undefined;
    throw error;
  }
}

function print(status: ClusterStatus, { json }: Pick<ClusterStatusFlags, "json">): void {
  if (json) printJson<StatusRedisOutput>({ ...status, run: status.run ?? null });
  else printLine(sectionsOf(status).join("\n\n"));
}

/** Returns the size of the terminal, which some report as 0. */
function screenSize(): ScreenSize {
  return { rows: process.stdout.rows || ROWS, columns: process.stdout.columns || COLUMNS };
}

/** Describes a run in sections: the run itself, what is asked, its open starts, the workers. */
function sectionsOf({ run, workers }: ClusterStatus): string[] {
  const parts: string[] = [];
  if (run === undefined) parts.push("no run: there is no coordinator");
  else {
    parts.push(runAsText(run, workers));
    if (run.question) parts.push(questionAsText(run.question));
    const open = run.starts.filter(({ bound }) => bound.lo !== bound.hi);
    if (open.length > 0) {
      const rows = open.map(({ board, bound }) => [board, `${bound.lo}–${bound.hi ?? "?"}`]);
      parts.push(formatTable(["open start", "value"], rows));
    }
  }
  parts.push(workers.length === 0 ? "no workers" : workersAsTable(workers));
  return parts;
}

type RunStatus = NonNullable<ClusterStatus["run"]>;

function runAsText(run: RunStatus, workers: ClusterStatus["workers"]) {
  const solved = run.starts.filter(({ bound }) => bound.lo === bound.hi).length;
  const rate = workers.reduce((sum, { nodesPerSecond }) => sum + nodesPerSecond, 0);
  const lines = [
    `${run.shape}, tiles ${run.tiles}: ${solved} of ${run.starts.length} starts solved, ${run.questions} questions answered`,
    `coordinator ${run.host}, process ${run.pid}, run ${run.run}, began ${formatAge(run.began)}`,
  ];
  const left = searchLeft(run, rate);
  lines.push(`${nodesAsText(run)}, ${formatRough(rate)}/s`);
  if (left !== undefined && solved < run.starts.length) {
    lines.push(`about ${formatEstimate(left)} left at this pace, if the extrapolation holds`);
  }
  if (run.shutOut.length > 0) lines.push(`shut out: ${run.shutOut.join(", ")}`);
  return lines.join("\n");
}

function nodesOf({ counts }: RunStatus): number {
  return counts.positions + counts.afterstates;
}

function nodesAsText(run: RunStatus): string {
  const expected = formatRough(expectedOf(run));
  return `${formatCount(nodesOf(run))} nodes so far of some ${expected} (an extrapolation)`;
}

function expectedOf({ shape }: RunStatus): number {
  return estimate(parseShape(shape)).nodes;
}

/** Returns the seconds that a search still takes at this rate; `undefined` if that is unknown. */
function searchLeft(run: RunStatus, rate: number): number | undefined {
  const left = expectedOf(run) - nodesOf(run);
  return rate > 0 && left > 0 ? left / rate : undefined;
}

function questionAsText({ board, threshold }: NonNullable<RunStatus["question"]>): string {
  return `asked: is ${board} worth ${threshold} or more?`;
}

function workersAsTable(workers: ClusterStatus["workers"]): string {
  return formatTable(
    ["worker", "version", "threads", "nodes/s", "nodes", "bounds sent", "taken", "does"],
    workers.map((worker) => [
      worker.worker,
      worker.version,
      String(worker.threads),
      formatRough(worker.nodesPerSecond),
      formatCount(worker.counts.positions + worker.counts.afterstates),
      formatRough(worker.shared.sent),
      formatRough(worker.shared.received),
      worker.question === null ? worker.state : `${worker.state} ${worker.question}`,
    ]),
  );
}

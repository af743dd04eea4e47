import { type ClusterStatus, type RedisOptions, StatusReader } from "@gridlock/cluster";
import { parseBoard, parseShape } from "@gridlock/game";
import { formatAge, formatCount, formatLeft, formatRough, formatTable } from "@gridlock/report";
import type { StatusRedisOutput } from "@gridlock/schemas";
import { estimate, secondsLeft } from "@gridlock/solver";
import { boundWords, UNKNOWN_VALUE } from "../output/answer-words.js";
import { printJson, printLine } from "../output/print.js";

/** Prints the state of the coordinator and the workers of a Redis server. */
export async function showClusterStatus(redis: RedisOptions, json?: true): Promise<void> {
  using reader = new StatusReader(redis);
  const status = await reader.read();
  if (json) printJson<StatusRedisOutput>({ ...status, run: status.run ?? null });
  else printLine(sectionsOf(status).join("\n\n"));
}

/** Describes a run in sections: the run itself, what is asked, its open starts, the workers. */
function sectionsOf({ run, workers }: ClusterStatus): string[] {
  const parts: string[] = [];
  if (run === undefined) parts.push("no run: there is no coordinator");
  else {
    parts.push(runAsText(run, workers));
    if (run.question) {
      const { board, threshold } = run.question;
      parts.push(`asked: is ${board} worth ${threshold} or more?`);
    }
    const rows = openStarts(run);
    if (rows.length > 0) {
      parts.push(
        formatTable(rows, [
          ["open start", ([board]) => board],
          ["value", ([, value]) => value],
        ]),
      );
    }
  }
  parts.push(workers.length === 0 ? "no workers" : workersAsTable(workers));
  return parts;
}

/** Lists the open starts of which more is proven than the rules say, each with its bounds. */
function openStarts({
  starts,
}: NonNullable<ClusterStatus["run"]>): [board: string, value: string][] {
  return starts.flatMap(({ board, bound: { lo, hi } }) => {
    const words = boundWords({ lo, hi: hi ?? Number.POSITIVE_INFINITY }, parseBoard(board));
    return lo === hi || words === UNKNOWN_VALUE ? [] : [[board, words]];
  });
}

function runAsText(
  run: NonNullable<ClusterStatus["run"]>,
  workers: ClusterStatus["workers"],
): string {
  const solved = run.starts.filter(({ bound }) => bound.lo === bound.hi).length;
  const rate = workers.reduce((sum, { nodesPerSecond }) => sum + nodesPerSecond, 0);
  const bounds = workers.reduce((sum, { boundsPerSecond }) => sum + boundsPerSecond, 0);
  const nodes = run.counts.positions + run.counts.afterstates;
  const shape = parseShape(run.shape);
  const expected = estimate(shape).nodes;
  const lines = [
    `${run.shape}, tiles ${run.tiles}: ${solved} of ${run.starts.length} starts solved, ${run.questions} questions answered`,
    `coordinator ${run.host}, process ${run.pid}, run ${run.run}, began ${formatAge(run.began)}`,
    `${formatCount(nodes)} nodes so far of some ${formatRough(expected)} (an extrapolation), ${formatRough(rate)}/s; ${formatRough(bounds)} bounds shared a second`,
  ];
  const left = secondsLeft(shape, (run.before ?? 0) + nodes, rate);
  if (left !== undefined && solved < run.starts.length) {
    lines.push(`${formatLeft(left)} left at this pace, if the extrapolation holds`);
  }
  const { done, queued, largest } = run.subtrees;
  const searched = workers.filter(({ subtree }) => subtree !== null).length;
  lines.push(
    `subtrees: ${formatCount(done)} searched, ${formatCount(searched)} under search, ${formatCount(Math.max(0, queued - searched))} waiting`,
  );
  if (largest.length > 0) lines.push(`the way to the largest: ${largest.join(" → ")}`);
  return lines.join("\n");
}

/** Describes what a worker does: it searches a subtree, or the question of all. */
function doingOf({ state, question, subtree }: ClusterStatus["workers"][number]): string {
  if (subtree) return `subtree ${subtree.board}, h ≥ ${subtree.threshold}`;
  return question === null ? state : `${state} ${question}`;
}

function workersAsTable(workers: ClusterStatus["workers"]): string {
  return formatTable(workers, [
    ["worker", ({ worker }) => worker],
    ["version", ({ version }) => version],
    ["threads", ({ threads }) => String(threads)],
    ["nodes/s", ({ nodesPerSecond }) => formatRough(nodesPerSecond)],
    ["nodes", ({ counts }) => formatCount(counts.positions + counts.afterstates)],
    ["bounds sent", ({ shared }) => formatRough(shared.sent)],
    ["taken", ({ shared }) => formatRough(shared.received)],
    ["does", doingOf],
  ]);
}

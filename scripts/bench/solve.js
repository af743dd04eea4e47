/*
 * Measures the command solving all starts of a shape from an empty database, with one thread and
 * two in turn.
 */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { GRIDLOCK } from "@gridlock/testbed";
import { demandSame, median, runScript } from "./command.js";

/**
 * Shapes to solve: bytes of memory for the table, number of runs of each kind, and whether they
 * take minutes.
 */
export const SHAPES = [
  { shape: "2x4", memory: 64 * 2 ** 20, runs: 5 },
  { shape: "3x3", memory: 64 * 2 ** 20, runs: 5 },
  { shape: "2x5", memory: 64 * 2 ** 20, runs: 5 },
  { shape: "2x6", memory: 2 * 2 ** 30, runs: 3, long: true },
  { shape: "3x4", memory: 4000 * 2 ** 20, runs: 3, long: true },
];

const nodesOf = ({ positions, afterstates }) => positions + afterstates;

function solve(shape, memory, threads, folder) {
  const db = "solve.db";
  const { output, seconds, peak } = runScript(
    GRIDLOCK,
    [
      ...["solve", shape, "--method", "search", "--json", "--quiet", "--db", db],
      ...["--workers", String(threads), "--memory", String(memory)],
    ],
    { folder },
  );
  for (const file of [db, `solve.${shape}.snapshot`]) rmSync(join(folder, file), { force: true });
  const result = JSON.parse(output);
  return { ...result.nodes, search: result.seconds, process: seconds, peak };
}

/**
 * Returns the medians of runs, with the counts of the run that expanded the median number of nodes.
 */
function typical(threads, runs) {
  const nodes = median(runs.map(nodesOf));
  const { positions, afterstates } = runs.find((run) => nodesOf(run) === nodes);
  const search = median(runs.map((run) => run.search));
  return {
    threads,
    positions,
    afterstates,
    search,
    nodesPerSecond: median(runs.map((run) => nodesOf(run) / run.search)),
    process: median(runs.map((run) => run.process)),
    peak: median(runs.map((run) => run.peak)),
    runs: runs.map((run) => run.search),
  };
}

export function benchSolve({ shape, memory, runs }, folder) {
  const [alone, together] = [[], []];
  for (let i = 0; i < runs; i++) {
    alone.push(solve(shape, memory, 1, folder));
    together.push(solve(shape, memory, 2, folder));
  }
  demandSame(
    `${shape}: node counts of one thread`,
    alone.map((run) => `${run.positions} + ${run.afterstates}`),
  );
  const [one, two] = [typical(1, alone), typical(2, together)];
  return {
    shape,
    memory,
    one,
    two,
    speedUp: one.search / two.search,
    extraNodes: nodesOf(two) / nodesOf(one) - 1,
  };
}

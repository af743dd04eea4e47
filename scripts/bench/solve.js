/* Measures solves of all starts of a shape: by the command, and by the kernel alone. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demandSame, gridlock, median, mediansOf, runScript } from "./command.js";

const KERNEL = fileURLToPath(new URL("kernel.js", import.meta.url));
const MIB = 2 ** 20;
const GIB = 2 ** 30;

/**
 * Shapes to solve: bytes of memory for the table, number of runs of each kind, and whether they
 * take minutes.
 */
export const SHAPES = [
  { shape: "2x4", memory: 64 * MIB, runs: 5 },
  { shape: "3x3", memory: 64 * MIB, runs: 5 },
  { shape: "2x5", memory: 64 * MIB, runs: 5 },
  { shape: "2x6", memory: 2 * GIB, runs: 3, long: true },
  { shape: "3x4", memory: 4000 * MIB, runs: 3, long: true },
];

const nodesOf = ({ positions, afterstates }) => positions + afterstates;

/** Returns the arguments of a solve. */
export function solving(shape, threads, memory) {
  return [
    ...["solve", shape, "--json", "--quiet"],
    ...["--workers", String(threads), "--memory", String(memory)],
  ];
}

/** Solves a shape from an empty folder inside another. */
function solve(outside, args) {
  const folder = mkdtempSync(join(outside, "solve-"));
  const { output, seconds, peak } = gridlock([...args, "--db", "solve.db"], { folder });
  rmSync(folder, { recursive: true });
  const { starts, nodes, seconds: search } = JSON.parse(output);
  const values = starts.map(({ board, value }) => `${board}: ${value}`).join();
  const nodesPerSecond = nodesOf(nodes) / search;
  return { ...nodes, values, search, nodesPerSecond, process: seconds, peak };
}

/**
 * Returns the medians of runs, with the counts of the run that expanded the median number of nodes.
 */
function typical(threads, runs) {
  const nodes = median(runs.map(nodesOf));
  const { positions, afterstates } = runs.find((run) => nodesOf(run) === nodes);
  return {
    ...{ threads, positions, afterstates },
    ...mediansOf(runs, "search", "nodesPerSecond", "process", "peak"),
    runs: runs.map((run) => run.search),
  };
}

/** Measures the command with one thread and two in turn. */
export function benchSolve({ shape, memory, runs }, folder) {
  const [alone, together] = [[], []];
  for (let i = 0; i < runs; i++) {
    alone.push(solve(folder, solving(shape, 1, memory)));
    together.push(solve(folder, solving(shape, 2, memory)));
  }
  demandSame(
    `${shape}: node counts of one thread`,
    alone.map((run) => `${run.positions} + ${run.afterstates}`),
  );
  const [one, two] = [typical(1, alone), typical(2, together)];
  const extraNodes = nodesOf(two) / nodesOf(one) - 1;
  return { shape, memory, one, two, speedUp: one.search / two.search, extraNodes };
}

/**
 * Measures the search alone, on one thread. To measure fully compiled code, a search shorter than two seconds is repeated
 * for that time, and the last repetition counts.
 */
export function benchSearch({ shape, memory, runs }) {
  const kernel = Array.from({ length: runs }, () => {
    const { output, peak } = runScript(KERNEL, [shape, String(memory)]);
    return { ...JSON.parse(output), peak };
  });
  demandSame(
    `${shape}: counts and values of the kernel`,
    kernel.map(({ values, positions, afterstates }) => `${positions} + ${afterstates}: ${values}`),
  );
  const [{ positions, afterstates, buckets }] = kernel;
  const medians = mediansOf(kernel, "search", "again", "peak");
  const nodesPerSecond = (positions + afterstates) / medians.again;
  const searches = kernel.map(({ search }) => search);
  return {
    ...{ shape, memory, buckets, positions, afterstates },
    ...{ ...medians, nodesPerSecond, runs: searches },
  };
}

/*
 * Measures the search alone, on one thread. To measure fully compiled code, a search shorter than two seconds is repeated
 * for that time, and the last repetition counts.
 */
import { fileURLToPath } from "node:url";
import { demandSame, median, runScript } from "./command.js";

const KERNEL = fileURLToPath(new URL("kernel.js", import.meta.url));

function runKernel(shape, memory) {
  const { output, peak } = runScript(KERNEL, [shape, String(memory)]);
  return { ...JSON.parse(output), peak };
}

export function benchSearch({ shape, memory, runs }) {
  const kernel = Array.from({ length: runs }, () => runKernel(shape, memory));
  const found = kernel.map(
    ({ values, positions, afterstates }) => `${positions} + ${afterstates}: ${values}`,
  );
  demandSame(`${shape}: counts and values of the kernel`, found);
  const [{ positions, afterstates, buckets }] = kernel;
  const again = median(kernel.map(({ again }) => again));
  return {
    shape,
    memory,
    buckets,
    positions,
    afterstates,
    search: median(kernel.map(({ seconds }) => seconds)),
    again,
    nodesPerSecond: (positions + afterstates) / again,
    peak: median(kernel.map(({ peak }) => peak)),
    runs: kernel.map(({ seconds }) => seconds),
  };
}

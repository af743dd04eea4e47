/*
 * Measures proofs by layers of all starts of a shape with two threads, from an empty folder, and
 * the search of the same shape with two threads in the same run.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { GRIDLOCK } from "@gridlock/testbed";
import { runScript } from "./command.js";

const GIB = 2 ** 30;

/**
 * Proofs to make: first thresholds in points, bytes of memory for the blocks and for the search's
 * table.
 */
export const PROOFS = [
  { shape: "3x3", guess: 188, memory: GIB, table: 2 ** 26 },
  { shape: "2x5", guess: 196, memory: GIB, table: 2 ** 26 },
  { shape: "2x6", guess: 452, memory: GIB, table: 2 * GIB, long: true },
  { shape: "2x6", guess: 452, memory: 6 * GIB, table: 2 * GIB, long: true },
  { shape: "3x4", guess: 556, memory: GIB, table: 4000 * 2 ** 20, long: true },
];

/** Returns the name of a proof's section. */
export function nameOf({ shape, memory }) {
  return `layers ${shape} ${memory / GIB}G`;
}

function solve(method, { shape, guess, memory }, folder) {
  const db = `${method}.db`;
  const { output, seconds, peak } = runScript(
    GRIDLOCK,
    [
      ...["solve", shape, "--method", method, "--guess", String(guess), "--json", "--quiet"],
      ...["--db", db, "--workers", "2", "--memory", String(memory)],
    ],
    { folder },
  );
  const { starts, nodes, seconds: solving } = JSON.parse(output);
  const values = JSON.stringify(starts.map(({ board, value }) => [board, value]));
  return { values, nodes: nodes.afterstates, seconds: solving, process: seconds, peak };
}

/** Returns the bytes of a folder's files. */
function bytesIn(folder) {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

export function benchLayers(proof, folder) {
  const { shape, guess, memory, table } = proof;
  const search = solve("search", { ...proof, memory: table }, folder);
  const layers = solve("layers", proof, folder);
  const files = join(folder, `layers.${shape}.layers`);
  const bytes = bytesIn(files);
  rmSync(files, { recursive: true });
  for (const name of ["search.db", "layers.db", `search.${shape}.snapshot`]) {
    rmSync(join(folder, name), { force: true });
  }
  if (layers.values !== search.values) {
    throw new Error(`${shape}: layers found ${layers.values}, the search ${search.values}`);
  }
  return {
    ...{ shape, guess, memory, expanded: layers.nodes, seconds: layers.seconds },
    ...{ process: layers.process, peak: layers.peak, bytes },
    ...{ search: search.seconds, ratio: layers.seconds / search.seconds },
  };
}

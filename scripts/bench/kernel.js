/*
 * Solves all starts of a shape with the kernel alone, on one thread: without a database or snapshots, and with the
 * table's memory allocated before the clock starts. Prints the result as JSON, with the time of the first run
 * (`search`, in seconds) and, if that is short, the time once V8 has fully optimized the module (`again`).
 *
 *     node scripts/bench/kernel.js 3x3 8388608
 */
import { isMainThread, Worker } from "node:worker_threads";
import { mergeBounds, mostPointsToCome, packBoard, parseShape, starts } from "@gridlock/game";
import {
  createTable,
  Kernel,
  partsOf,
  preferLargePages,
  STACK_MB,
  ThreadMonitor,
  touchTable,
} from "@gridlock/kernel";
import { firstGuess, guessBeside, nextThreshold } from "@gridlock/solver";

/** Total seconds for which a search is repeated, each time with an empty table. */
const LONG_ENOUGH = 2;

const [name, bytes] = process.argv.slice(2);
const game = { shape: parseShape(name), tiles: [2, 4] };

function solveStart(start, guess, kernel) {
  const node = { turn: "slider", board: packBoard(start) };
  const ceiling = mostPointsToCome(start);
  let bound = { lo: 0, hi: ceiling };
  for (;;) {
    const threshold = nextThreshold(bound, ceiling, guess);
    if (threshold === undefined) return bound.lo;
    const answer = kernel.ask(node, threshold);
    if (answer === undefined) throw new Error("the search went deeper than the stack allows");
    bound = mergeBounds(bound, answer);
  }
}

function solve(table) {
  const kernel = new Kernel(table, 0);
  let guess = firstGuess(game);
  const began = performance.now();
  const values = starts(game.shape).map((start) => {
    const value = solveStart(start, guess, kernel);
    guess = guessBeside(value);
    return value;
  });
  const search = (performance.now() - began) / 1000;
  return { values, ...new ThreadMonitor(table).counts(), search };
}

function solveAgain() {
  const table = createTable(game, Number(bytes), 1);
  preferLargePages(partsOf(table));
  touchTable(table);
  const first = solve(table);
  let again = first.search;
  for (let spent = again; spent < LONG_ENOUGH; spent += again) {
    for (const part of partsOf(table)) part.fill(0);
    again = solve(table).search;
  }
  return { ...first, again, buckets: table.buckets };
}

if (isMainThread) {
  // The main thread's stack cannot be enlarged from here, so the search runs in another thread.
  const argv = [name, bytes];
  new Worker(new URL(import.meta.url), { argv, resourceLimits: { stackSizeMb: STACK_MB } });
} else console.log(JSON.stringify(solveAgain()));

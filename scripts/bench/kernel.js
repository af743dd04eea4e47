/*
 * Solves all starts of a shape with the kernel alone, on one thread: without a database or
 * snapshots, and with the table's memory allocated before the clock starts. Prints the result as
 * JSON, with the time in seconds (`search`).
 *
 *     node scripts/bench/kernel.js 3x3 8388608
 */
import { isMainThread, Worker } from "node:worker_threads";
import { mergeBounds, packNode, parseShape, starts, UNKNOWN } from "@gridlock/game";
import {
  createTable,
  Kernel,
  partsOf,
  preferLargePages,
  STACK_MB,
  ThreadMonitor,
  touchTable,
} from "@gridlock/kernel";
import { firstGuess, nextQuestion, withBound } from "@gridlock/solver";

const [name, bytes] = process.argv.slice(2);
const game = { shape: parseShape(name), tiles: [2, 4] };

function solve() {
  const table = createTable(game, Number(bytes), 1);
  preferLargePages(partsOf(table));
  touchTable(table);
  const kernel = new Kernel(table, 0);
  let agenda = {
    starts: starts(game.shape).map((board) => ({ board, bound: UNKNOWN })),
    guess: firstGuess(game),
  };
  const began = performance.now();
  for (let next = nextQuestion(agenda); next !== undefined; next = nextQuestion(agenda)) {
    const { board, bound } = agenda.starts[next.index];
    const answer = kernel.ask(packNode({ turn: "slider", board }), next.threshold);
    if (answer === undefined) throw new Error("the search went deeper than the stack allows");
    agenda = withBound(agenda, next.index, mergeBounds(bound, answer));
  }
  const search = (performance.now() - began) / 1000;
  const values = agenda.starts.map(({ bound }) => bound.lo);
  return { values, ...new ThreadMonitor(table).counts(), search, buckets: table.buckets };
}

if (isMainThread) {
  // The main thread's stack cannot be enlarged from here, so the search runs in another thread.
  const argv = [name, bytes];
  new Worker(new URL(import.meta.url), { argv, resourceLimits: { stackSizeMb: STACK_MB } });
} else console.log(JSON.stringify(solve()));

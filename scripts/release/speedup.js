/*
 * Measures what a second worker saves when workers share their bounds, in turns on this machine:
 *
 *     node scripts/release/speedup.js 2x6 --memory 2G
 *     node scripts/release/speedup.js 2x6 --memory 2G --rounds 5
 *     node scripts/release/speedup.js 2x5 --only confined
 *
 * A worker alone on two processors has the second one for all but its search: its snapshots, its
 * collector of garbage, the Redis server. Two workers have none to spare. So the setups called
 * confined give each worker one processor, and the Redis server and the solve the second one, with
 * Linux's taskset. Each setup starts from scratch; setups take turns; the medians count.
 */
import { execFileSync } from "node:child_process";
import { formatCount, formatTable } from "@gridlock/report";
import { ClusterRun, checkSolve } from "@gridlock/testbed";
import { median } from "../bench/turns.js";
import { parseCommandLine, wholeNumber } from "../command-line.js";

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    memory: { type: "string" },
    rounds: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
});
const shape = positionals[0] ?? "2x5";
const memory = flags.memory ? ["--memory", flags.memory] : [];

/**
 * The setups to compare. `workers` has the threads of each worker, none of a solve without a
 * cluster; `cores` the processors of each, and `others` that of all other processes.
 */
const WAYS = [
  { name: "confined: the solve alone", workers: [], cores: ["0"] },
  { name: "confined: one worker", workers: [1], cores: ["0"], others: "1" },
  { name: "confined: two workers", workers: [1, 1], cores: ["0", "1"], others: "1" },
  { name: "the solve alone, one thread", workers: [] },
  { name: "one worker, one thread", workers: [1] },
  { name: "two workers, one thread each", workers: [1, 1] },
  { name: "one worker, two threads", workers: [2] },
].filter(({ name }) => name.startsWith(flags.only));

/** Confines a process, and all threads that it has or will have, to a processor. */
function confine({ pid }, core) {
  if (core !== undefined) execFileSync("taskset", ["-a", "-p", "-c", core, String(pid)]);
}

async function measure(way) {
  const run = new ClusterRun({ shape });
  try {
    const solve = await (way.workers.length === 0 ? solveAlone : solveOnCluster)(run, way);
    await checkSolve(solve, shape);
    const { seconds, nodes } = JSON.parse(solve.stdout);
    return { seconds, nodes: nodes.positions + nodes.afterstates };
  } finally {
    await run[Symbol.asyncDispose]();
  }
}

function solveAlone(run, { cores: [core] = [] }) {
  const options = ["--workers", "1", "--db", "solve.db", "--json", "--quiet", ...memory];
  const solve = run.start(["solve", shape, ...options]);
  confine(solve.child, core);
  return solve;
}

async function solveOnCluster(run, { workers, cores = [], others }) {
  await run.startRedis({ keep: false });
  confine(run.redis.process, others);
  workers.forEach((threads, i) => {
    const more = ["--threads", String(threads), ...memory];
    confine(run.worker(`w${i}`, { more }).child, cores[i]);
  });
  await run.workers(workers.length);
  const solve = run.solve();
  confine(solve.child, others);
  return solve;
}

const results = new Map(WAYS.map(({ name }) => [name, []]));
for (let round = 0; round < wholeNumber("rounds", flags.rounds, 1); round++) {
  for (const way of WAYS) {
    const result = await measure(way);
    results.get(way.name).push(result);
    const { seconds, nodes } = result;
    console.error(`${way.name}: ${seconds.toFixed(1)} s, ${formatCount(nodes)} nodes`);
  }
}

/** The setup with which others of its kind are compared. */
const baseOf = (name) =>
  name.startsWith("confined") ? "confined: one worker" : "one worker, one thread";
const of = (name, what) => median(results.get(name).map((result) => result[what]));
const rows = WAYS.map(({ name }) => {
  const base = results.has(baseOf(name)) ? baseOf(name) : WAYS[0].name;
  return [
    name,
    of(name, "seconds").toFixed(1),
    formatCount(of(name, "nodes")),
    (of(base, "seconds") / of(name, "seconds")).toFixed(2),
    (of(name, "nodes") / of(base, "nodes")).toFixed(2),
  ];
});
const head = ["setup", "seconds", "nodes", "times as fast", "times the nodes"];
console.log(formatTable(head, rows));

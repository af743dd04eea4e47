/*
 * Measures the speed-up by more workers or more threads that solve a shape through a queue, in turn
 * on this machine:
 *
 *     npm run speedup -- 2x6 --memory 2G
 *     npm run speedup -- 2x5 --rounds 3
 *     npm run speedup -- 2x5 --check
 *
 * Each setup starts from scratch. Workers have separate tables.
 */
import { parseArgs } from "node:util";
import { formatCount } from "@gridlock/report";
import { ClusterRun, valuesOf } from "@gridlock/testbed";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: "string" },
    rounds: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    guess: { type: "string" },
    check: { type: "boolean", default: false },
  },
});
const shape = positionals[0] ?? "2x5";

/** The setups to compare: the number of workers, and of threads for each. */
const WAYS = [
  { name: "one worker, one thread", workers: 1, threads: 1 },
  { name: "two workers, one thread each", workers: 2, threads: 1 },
  { name: "one worker, two threads", workers: 1, threads: 2 },
];

async function measure({ workers, threads }) {
  const run = new ClusterRun({ shape });
  try {
    await run.startRedis({ keep: false });
    for (let i = 0; i < workers; i++) {
      run.start([
        ...["worker", "--redis", run.redis.url, "--threads", String(threads), "--db", `w${i}.db`],
        ...(flags.memory ? ["--memory", flags.memory] : []),
      ]);
    }
    await run.workers(workers);
    const solve = run.start([
      ...["solve", shape, "--redis", run.redis.url, "--db", "solve.db", "--json", "--quiet"],
      ...(flags.guess ? ["--guess", flags.guess] : []),
      ...(flags.check ? ["--check"] : []),
    ]);
    await valuesOf(solve);
    const { seconds, nodes } = JSON.parse(solve.stdout);
    return { seconds, nodes: nodes.positions + nodes.afterstates };
  } finally {
    await run[Symbol.asyncDispose]();
  }
}

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const results = new Map(WAYS.map(({ name }) => [name, []]));
for (let round = 0; round < Number(flags.rounds); round++) {
  for (const way of WAYS) {
    if (way.name.includes(flags.only) || way === WAYS[0]) {
      results.get(way.name).push(await measure(way));
    }
  }
}
const [first] = WAYS.map(({ name }) => results.get(name));
const base = {
  seconds: median(first.map(({ seconds }) => seconds)),
  nodes: median(first.map(({ nodes }) => nodes)),
};
for (const { name } of WAYS) {
  const found = results.get(name);
  if (found.length === 0) continue;
  const seconds = median(found.map((result) => result.seconds));
  const nodes = median(found.map((result) => result.nodes));
  console.log(
    `${shape}, ${name}: ${seconds.toFixed(1)} s, ${formatCount(nodes)} nodes; ${(base.seconds / seconds).toFixed(2)} times as fast, ${(nodes / base.nodes).toFixed(2)} times the nodes`,
  );
}

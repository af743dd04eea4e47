/*
 * Measures what the project promises to be fast at: node counts, which repeat to the digit with one
 * thread, and times, which do not: medians of five runs, each a process of its own. Writes
 * results/bench/bench.json and bench.md.
 *
 *     npm run bench
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatBoard, isEnd, parseShape, placements, slides, starts } from "@gridlock/game";

const RUNS = 5;
/** Runs of each kind where two kinds are compared. */
const PAIRS = 3;
const QUERIES = 60_000;
const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const BIN = join(ROOT, "node_modules/.bin/gridlock");
const folder = mkdtempSync(join(tmpdir(), "gridlock-bench-"));

/** Runs the command; tells its output and how long the whole process took, in seconds. */
function run(args, input = "") {
  const began = performance.now();
  const output = execFileSync(BIN, args, {
    cwd: folder,
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return { output, seconds: (performance.now() - began) / 1000 };
}

function number(n) {
  return n === undefined ? "" : n.toLocaleString("en-US");
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Solves a shape in an empty database, five times. */
function benchSolve(shape, workers) {
  const runs = Array.from({ length: RUNS }, (_, i) => {
    const db = `${shape}-${workers}-${i}.db`;
    const { output, seconds } = run([
      ...["solve", shape, "--json", "--db", db],
      ...["--workers", String(workers)],
    ]);
    return { ...JSON.parse(output), process: seconds };
  });
  const counts = runs.map(({ nodes }) => nodes.positions + nodes.afterstates);
  if (workers === 1 && new Set(counts).size > 1) {
    throw new Error(`${shape}: node counts differ between runs: ${counts.join(", ")}`);
  }
  const typical = runs.find(({ nodes }) => nodes.positions + nodes.afterstates === median(counts));
  return {
    what: `solve ${shape}, ${workers} thread${workers === 1 ? "" : "s"}`,
    ...typical.nodes,
    search: median(runs.map(({ seconds }) => seconds)),
    process: median(runs.map((r) => r.process)),
  };
}

/** Different boards of 3×3 from random games with a fixed seed. */
function randomBoards(count) {
  let state = 2048;
  const pick = (items) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return items[Math.floor((state / 2 ** 32) * items.length)];
  };
  const texts = new Set();
  while (texts.size < count) {
    let board = pick(starts(parseShape("3x3")));
    while (!isEnd(board)) {
      texts.add(formatBoard(board));
      const after = pick(slides(board)).board;
      texts.add(formatBoard(after, "placer"));
      board = pick(placements(after, [2, 4])).board;
    }
  }
  return [...texts].slice(0, count).join("\n");
}

function benchDatabase() {
  run(["solve", "3x3", "--db", "3x3.db"]);
  const solve = ["solve", "3x3", "--json", "--db", "3x3.db"];
  const query = ["query", "--json", "--db", "3x3.db"];
  const boards = randomBoards(QUERIES);
  run(query, boards);
  const repeat = (args, input) =>
    median(Array.from({ length: RUNS }, () => run(args, input).seconds));
  const seconds = repeat(query, boards);
  const rate = Math.round(QUERIES / seconds);
  const batch = {
    what: `query ${number(QUERIES)} different boards of 3x3, all held: ${number(rate)} a second`,
    process: seconds,
    boardsPerSecond: rate,
  };
  return [
    { what: "solve 3x3 from the database", process: repeat(solve) },
    { what: "query one board of 3x3", process: repeat([...query, "2 0 0/0 4 0/0 0 0"]) },
    batch,
  ];
}

/** Seconds of each run that is stopped. */
const STOPPED_AFTER = 30;

/** Nodes a second of 2×6 with and without snapshots, in turn, each run stopped after a while. */
async function benchSnapshots() {
  const rates = { with: [], without: [] };
  for (let i = 0; i < 2 * PAIRS; i++) {
    const kind = i % 2 === 0 ? "with" : "without";
    const db = `2x6-${i}.db`;
    const every = kind === "with" ? [] : ["--snapshot-every", "0"];
    const args = ["solve", "2x6", "--quiet", "--memory", "2G", "--db", db, ...every];
    const child = spawn(BIN, args, { cwd: folder, stdio: "ignore" });
    setTimeout(() => child.kill("SIGINT"), 1000 * STOPPED_AFTER);
    await once(child, "exit");
    const [{ positions, afterstates, seconds }] = JSON.parse(
      run(["status", "--json", "--db", db]).output,
    ).runs;
    rates[kind].push((positions + afterstates) / seconds);
    rmSync(join(folder, `2x6-${i}.2x6.snapshot`), { force: true });
  }
  const rate = (kind) => Math.round(median(rates[kind]) / 1000);
  const cost = 100 * (1 - median(rates.with) / median(rates.without));
  return {
    what: `solve 2x6 for ${STOPPED_AFTER} s, ${machine.threads} threads: ${number(rate("with"))} k nodes/s with snapshots, ${number(rate("without"))} k without, ${cost.toFixed(1)} % less`,
    nodesPerSecond: rates,
  };
}

/** Making and checking the certificate of 3×3. */
function benchCertificate() {
  const repeat = (args) => median(Array.from({ length: RUNS }, () => run(args).seconds));
  return [
    { what: "prove 3x3", process: repeat(["prove", "3x3", "--db", "3x3.db"]) },
    { what: "verify 3x3", process: repeat(["verify", "3x3", "--db", "3x3.db"]) },
  ];
}

const machine = {
  processor: cpus()[0].model.trim(),
  threads: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
};

try {
  const rows = [
    benchSolve("2x3", 1),
    benchSolve("2x4", 1),
    benchSolve("3x3", 1),
    benchSolve("3x3", 2),
    benchSolve("2x5", 1),
    benchSolve("2x5", 2),
    ...benchDatabase(),
    ...benchCertificate(),
    await benchSnapshots(),
  ];
  const date = new Date().toISOString().slice(0, 10);
  const seconds = (s) => (s === undefined ? "" : `${s.toFixed(3)} s`);
  const markdown = [
    "# Benchmarks",
    "",
    `Made by \`npm run bench\` on ${date}: ${machine.processor}, ${machine.threads} threads,`,
    `${machine.memoryGiB} GiB, Node ${machine.node}. Medians of ${RUNS} runs, each a process of its own. Counts of`,
    "one thread repeat to the digit; times vary with the machine and its load.",
    "",
    "| | positions | afterstates | search | whole process |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows.map(
      (r) =>
        `| ${r.what} | ${number(r.positions)} | ${number(r.afterstates)} | ${seconds(r.search)} | ${seconds(r.process)} |`,
    ),
    "",
  ].join("\n");
  mkdirSync(join(ROOT, "results/bench"), { recursive: true });
  writeFileSync(
    join(ROOT, "results/bench/bench.json"),
    `${JSON.stringify({ madeBy: "npm run bench", date, machine, rows }, null, 2)}\n`,
  );
  writeFileSync(join(ROOT, "results/bench/bench.md"), markdown);
  console.log(markdown);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

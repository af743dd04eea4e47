/* Measures queries on the database, certificates, and the cost of snapshots. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { formatBoard, parseShape } from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import { GRIDLOCK, randomGames } from "@gridlock/testbed";
import { gridlock, median } from "./command.js";

const RUNS = 5;
/** Number of runs of each kind when two kinds are compared. */
const PAIRS = 3;
const QUERIES = 60_000;
const IN_DATABASE = ["--db", "3x3.db"];

/** Returns the seconds that the whole process of a command takes: the median of several runs. */
function repeat(args, folder, input) {
  return median(Array.from({ length: RUNS }, () => gridlock(args, { folder, input }).seconds));
}

/** Returns different boards of 3×3 from random games with a fixed seed. */
function randomBoards(count) {
  const texts = new Set();
  for (const nodes of randomGames({ shape: parseShape("3x3"), tiles: [2, 4] }, 2048)) {
    for (const { board, turn } of nodes) texts.add(formatBoard(board, turn));
    if (texts.size >= count) return [...texts].slice(0, count).join("\n");
  }
}

export function benchDatabase(folder) {
  const solve = ["solve", "3x3", "--json", ...IN_DATABASE];
  const query = ["query", "--json", ...IN_DATABASE];
  const boards = randomBoards(QUERIES);
  gridlock(solve, { folder });
  gridlock(query, { folder, input: boards });
  const seconds = repeat(query, folder, boards);
  const rate = Math.round(QUERIES / seconds);
  return [
    { what: "solve 3x3 from the database", process: repeat(solve, folder) },
    { what: "query one board of 3x3", process: repeat([...query, "2 0 0/0 4 0/0 0 0"], folder) },
    {
      what: `query ${formatCount(QUERIES)} different boards of 3x3, all held: ${formatCount(rate)} a second`,
      process: seconds,
      boardsPerSecond: rate,
    },
  ];
}

/** Measures making and checking the certificate of 3×3. */
export function benchCertificate(folder) {
  gridlock(["solve", "3x3", "--quiet", ...IN_DATABASE], { folder });
  return ["prove 3x3", "verify 3x3"].map((what) => ({
    what,
    process: repeat([...what.split(" "), ...IN_DATABASE], folder),
  }));
}

/** Seconds after which each run is stopped. */
const STOPPED_AFTER = 30;

/**
 * Measures the nodes per second of 2×6 with and without snapshots, in turn; each run is stopped
 * early.
 */
export function benchSnapshots(folder) {
  const rates = { with: [], without: [] };
  for (let i = 0; i < 2 * PAIRS; i++) {
    const kind = i % 2 === 0 ? "with" : "without";
    const db = `2x6-${i}.db`;
    const every = kind === "with" ? [] : ["--snapshot-every", "0"];
    const args = [GRIDLOCK, "solve", "2x6", "--quiet", "--memory", "2G", "--db", db, ...every];
    const stopped = { timeout: 1000 * STOPPED_AFTER, killSignal: "SIGINT" };
    spawnSync(process.execPath, args, { cwd: folder, stdio: "ignore", ...stopped });
    const status = gridlock(["status", "--json", "--db", db], { folder });
    const [{ positions, afterstates, seconds }] = JSON.parse(status.output).runs;
    rates[kind].push((positions + afterstates) / seconds);
    rmSync(join(folder, `2x6-${i}.2x6.snapshot`), { force: true });
  }
  const rate = (kind) => formatCount(median(rates[kind]) / 1000);
  const cost = 100 * (1 - median(rates.with) / median(rates.without));
  return [
    {
      what: `solve 2x6 for ${STOPPED_AFTER} s, all threads: ${rate("with")} k nodes/s with snapshots, ${rate("without")} k without; snapshots cost ${cost.toFixed(1)} %`,
      nodesPerSecond: rates,
    },
  ];
}

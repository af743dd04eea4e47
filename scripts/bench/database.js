/* Measures queries on the database, certificates, and the cost of snapshots. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { formatBoard, isEnd, parseShape, placements, slides, starts } from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import { GRIDLOCK } from "@gridlock/testbed";
import { median, runScript } from "./command.js";

const RUNS = 5;
/** Number of runs of each kind when two kinds are compared. */
const PAIRS = 3;
const QUERIES = 60_000;

/** Returns the seconds that the whole process of a command takes: the median of several runs. */
function repeat(args, folder, input) {
  return median(
    Array.from({ length: RUNS }, () => runScript(GRIDLOCK, args, { folder, input }).seconds),
  );
}

/** Returns different boards of 3×3 from random games with a fixed seed. */
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

export function benchDatabase(folder) {
  const solve = ["solve", "3x3", "--json", "--db", "3x3.db"];
  const query = ["query", "--json", "--db", "3x3.db"];
  const boards = randomBoards(QUERIES);
  runScript(GRIDLOCK, solve, { folder });
  runScript(GRIDLOCK, query, { folder, input: boards });
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
  runScript(GRIDLOCK, ["solve", "3x3", "--quiet", "--db", "3x3.db"], { folder });
  return [
    { what: "prove 3x3", process: repeat(["prove", "3x3", "--db", "3x3.db"], folder) },
    { what: "verify 3x3", process: repeat(["verify", "3x3", "--db", "3x3.db"], folder) },
  ];
}

/** Seconds after which each run is stopped. */
const STOPPED_AFTER = 30;

/**
 * Measures the nodes per second of 2×6 with and without snapshots, in turn; each run is stopped
 * early.
 */
export async function benchSnapshots(folder) {
  const rates = { with: [], without: [] };
  for (let i = 0; i < 2 * PAIRS; i++) {
    const kind = i % 2 === 0 ? "with" : "without";
    const db = `2x6-${i}.db`;
    const every = kind === "with" ? [] : ["--snapshot-every", "0"];
    const args = [GRIDLOCK, "solve", "2x6", "--quiet", "--memory", "2G", "--db", db, ...every];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" });
    setTimeout(() => child.kill("SIGINT"), 1000 * STOPPED_AFTER);
    await once(child, "exit");
    const status = runScript(GRIDLOCK, ["status", "--json", "--db", db], { folder });
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

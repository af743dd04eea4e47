/*
 * Measures how many boards off the best lines a solve lets the pages answer at once: solves a shape, keeps more and more
 * entries of its table, and searches for the values of boards of random games from each, with the nodes that one thread
 * of a quiet machine expands in 300 ms. So the shares do not depend on the load.
 *
 *     node scripts/release/replies.js 2x6 --memory 2000 --kept 0,1500000,5000000 --boards 100
 */
import {
  boundByRules,
  canonical,
  isEnd,
  mergeBounds,
  mostPointsToCome,
  packNode,
  parseShape,
  placements,
  seededRandom,
  slides,
  starts,
} from "@gridlock/game";
import { createTable, Kernel, partsOf, ThreadMonitor } from "@gridlock/kernel";
import { formatBytes, formatCount } from "@gridlock/report";
import {
  firstGuess,
  keepEntries,
  LocalPool,
  loadEntries,
  nextThreshold,
  proveLines,
  proveOpenings,
  solve,
} from "@gridlock/solver";
import { Database, MEMORY } from "@gridlock/store";
import { randomGames } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";

/** Nodes that one thread expands in 300 ms: `results/bench/bench.md` has 1.6 to 1.8 million a second on 12 cells. */
const LIMIT = 510_000;
const SEED = 2048;
const RANDOM_GAMES = 1000;
const MIB = 2 ** 20;

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    memory: { type: "string", default: "256" }, // MiB of the solve's table
    table: { type: "string", default: "256" }, // MiB of the table of the searches
    kept: { type: "string", default: "0,5000000" },
    boards: { type: "string", default: "50" }, // of each kind and turn
    games: { type: "string", default: "20" }, // against the perfect placer
  },
});
const game = { shape: parseShape(positionals[0] ?? "2x5"), tiles: [2, 4] };
const random = seededRandom(SEED);
const pick = (items) => items[Math.floor(random() * items.length)];
const counted = (table) => {
  const monitor = new ThreadMonitor(table);
  return () => Object.values(monitor.counts()).reduce((a, b) => a + b);
};

/** Searches for a board's value as `Analyst.value` does; returns it and the nodes, or no value if they exceed a limit. */
function settle(kernel, nodes, { board, turn }, limit) {
  const at = packNode({ turn, board: canonical(board) });
  const ceiling = mostPointsToCome(board);
  const began = nodes();
  let known = mergeBounds(boundByRules({ turn, board }), kernel.look(at));
  for (;;) {
    const threshold = nextThreshold(known, ceiling, firstGuess(game));
    const spent = nodes() - began;
    if (threshold === undefined) return { value: known.lo, spent };
    const answer = spent < limit ? kernel.ask(at, threshold, limit - spent) : undefined;
    if (answer === undefined) return { spent: limit };
    known = mergeBounds(known, answer);
  }
}

/** Plays with random slides against the perfect placer; returns all boards. */
function playGames(kernel, count) {
  const nodes = [];
  for (let i = 0; i < count; i++) {
    let board = pick(starts(game.shape));
    nodes.push({ board, turn: "slider" });
    while (!isEnd(board)) {
      const after = pick(slides(board)).board;
      const { value } = settle(kernel, () => 0, { board: after, turn: "placer" }, 1e9);
      const isBest = ({ board }) =>
        kernel.ask(packNode({ turn: "slider", board: canonical(board) }), value + 4).hi <= value;
      board = pick(placements(after, game.tiles).filter(isBest)).board;
      nodes.push({ board: after, turn: "placer" }, { board, turn: "slider" });
    }
  }
  return nodes;
}

/** Returns random boards of each turn. */
function sample(nodes) {
  return ["slider", "placer"].flatMap((turn) => {
    const boards = nodes.filter((node) => node.turn === turn);
    return Array.from({ length: Number(flags.boards) }, () => pick(boards));
  });
}

const database = Database.open(MEMORY);
const pool = new LocalPool(game, { workers: 1, memory: MIB * Number(flags.memory) });
try {
  const state = await solve(game, database, pool);
  await proveLines(game, state, database, pool.kernel, {});
  await proveOpenings(game, state, database, pool.kernel, {});
  const levels = [];
  for (const most of flags.kept.split(",").map(Number)) {
    const kept = Database.open(MEMORY);
    await keepEntries(game, kept, pool.kernel, {}, most);
    levels.push(kept);
  }
  const games = randomGames(game, SEED);
  const anyhow = Array.from({ length: RANDOM_GAMES }, () => games.next().value).flat();
  const kinds = {
    "random games": sample(anyhow),
    "random slides": sample(playGames(pool.kernel, Number(flags.games))),
  };
  const table = createTable(game, MIB * Number(flags.table), 1);
  const kernel = new Kernel(table, 0);
  const nodes = counted(table);
  const parts = partsOf(table);
  for (const kept of levels) {
    for (const part of parts) part.fill(0);
    const began = performance.now();
    loadEntries(game, kept, kernel);
    const loaded = performance.now() - began;
    const count = [...kernel.records.read(1)].reduce((sum, { length }) => sum + length / 16, 0);
    const bytes = kept.get("SELECT ifnull(sum(length(data)), 0) AS bytes FROM entries").bytes;
    const before = parts.map((part) => Buffer.from(part));
    const shares = Object.entries(kinds).flatMap(([kind, boards]) =>
      ["slider", "placer"].map((turn) => {
        const asked = boards.filter((node) => node.turn === turn);
        const settled = asked.filter((node) => {
          parts.forEach((part, i) => {
            part.set(before[i]);
          });
          return settle(kernel, nodes, node, LIMIT).value !== undefined;
        });
        return `${kind}, ${turn}: ${Math.round((100 * settled.length) / asked.length)} %`;
      }),
    );
    console.log(
      `${formatCount(count)} entries, ${formatBytes(bytes)}, loaded in ${Math.round(loaded)} ms; ${shares.join("; ")}`,
    );
    kept.close();
  }
} finally {
  await pool[Symbol.asyncDispose]();
  database.close();
}

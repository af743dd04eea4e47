/* What the benchmark measures. */
import { join, resolve } from "node:path";
import { formatBoard, parseShape, seededRandom } from "@gridlock/game";
import { counted } from "@gridlock/report";
import { Tabulation } from "@gridlock/tablebase";
import { GRIDLOCK, positionsIn, randomGames } from "@gridlock/testbed";
import { benchPlaying, benchServing } from "./serving.js";
import { timed } from "./timed.js";

const MIB = 2 ** 20;
const GAME_3X3 = { shape: parseShape("3x3"), tiles: [2, 4] };

/** Shapes to solve: bytes of memory for the table; those that take minutes have fewer rounds. */
const SHAPES = [
  { shape: "2x4", memory: 64 * MIB },
  { shape: "3x3", memory: 64 * MIB },
  { shape: "2x5", memory: 64 * MIB },
  { shape: "2x6", memory: 2048 * MIB, rounds: 3, long: true },
  { shape: "3x4", memory: 4000 * MIB, rounds: 3, long: true },
];

/** Seeds all random choices. */
const SEED = 2048;
const QUERIES = 60_000;
const LOOK_UPS = 200_000;
/** Number of times that boards are looked up again once their blocks are in memory. */
const AGAIN = 3;

const nodesOf = ({ positions, afterstates }, seconds) => ({
  positions,
  afterstates,
  nodes: positions + afterstates,
  rate: (positions + afterstates) / seconds,
});

/** Measures a solve of all starts from an empty database. */
function solving({ shape, memory, ...how }, threads) {
  const limits = ["--workers", String(threads), "--memory", String(memory)];
  return {
    ...how,
    name: `solve ${shape} with ${counted(threads, "thread")}`,
    command: (script) => [script, "solve", shape, "--json", "--quiet", ...limits],
    figures: ({ starts, nodes, seconds }) => ({
      search: seconds,
      ...nodesOf(nodes, seconds),
      table: memory,
      same: JSON.stringify([starts.map(({ value }) => value), threads === 1 && nodes]),
    }),
  };
}

/** Returns different boards of 3×3 from random games, a line each. */
function randomBoards(count) {
  const texts = new Set();
  for (const nodes of randomGames(GAME_3X3, SEED)) {
    for (const { board, turn } of nodes) texts.add(formatBoard(board, turn));
    if (texts.size >= count) return [...texts].slice(0, count).join("\n");
  }
}

/** Returns random positions of a tabulation, uniformly distributed. */
function randomPositions(game, db, count) {
  const tabulation = Tabulation.open(game, [], db);
  const { positions } = tabulation.counts();
  const random = seededRandom(SEED);
  const picked = Array.from({ length: count }, () => Math.floor(random() * positions));
  const boards = new Map(picked.map((number) => [number, undefined]));
  let number = -1;
  for (const board of positionsIn(tabulation, () => boards.has(++number))) {
    boards.set(number, board);
  }
  tabulation[Symbol.dispose]();
  return picked.map((one) => boards.get(one));
}

/** Tabulates a shape in a folder, or beside a database if one is named; returns the database. */
async function tabulated(shape, { cwd, db = join(cwd, "all.db") }) {
  const file = resolve(db);
  await timed([GRIDLOCK, "tabulate", shape, "--quiet", "--db", file], cwd);
  return file;
}

/** Measures look-ups by the command, without the time in which it starts and reads. */
async function lookUp(place) {
  const db = await tabulated("3x3", place);
  const positions = randomPositions(GAME_3X3, db, LOOK_UPS);
  const boards = positions.map((board) => `${formatBoard(board)}\n`).join("");
  const query = [GRIDLOCK, "query", "--values", "--json", "--db", db];
  const once = await timed(query, place.cwd, boards);
  const more = await timed(query, place.cwd, boards.repeat(1 + AGAIN));
  return { boards: (AGAIN * LOOK_UPS) / (more.wall - once.wall) };
}

const SOLVED = [["solve", "3x3", "--quiet"]];
const PROVEN = [...SOLVED, ["prove", "3x3"]];

/**
 * All measurements. A measurement has a name, the arguments with which Node is called, given the
 * path of the command's script, and a function that reads figures from the JSON that it prints, one
 * of which must be the `same` in all rounds, or the number of `boards` that it answers. It runs in
 * an empty folder, or in a copy of one in which the commands `before` have run. `long` ones take
 * minutes. Those with `measure` measure this build alone, by other means: it is given an empty
 * folder (`cwd`) and the database that was named.
 */
export const MEASUREMENTS = [
  { name: "start: node alone", command: () => ["-e", "0"] },
  { name: "start: --version", command: (script) => [script, "--version"] },
  {
    name: "start: query of a solved board",
    before: SOLVED,
    command: (script) => [script, "query", "2 0 0/0 4 0/0 0 0"],
  },
  {
    name: "start: solve of a solved shape",
    before: SOLVED,
    command: (script) => [script, "solve", "3x3", "--json"],
  },
  ...SHAPES.flatMap((shape) => [1, 2].map((threads) => solving(shape, threads))),
  {
    name: "tabulation of 3x3",
    rounds: 3,
    command: (script) => [script, "tabulate", "3x3", "--json", "--quiet"],
    figures: ({ positions, bytes, seconds }) => ({ search: seconds, positions, bytes }),
  },
  { name: "look-ups in the tabulation of 3x3", measure: lookUp },
  {
    name: `query ${QUERIES} different boards of 3x3`,
    before: SOLVED,
    input: () => randomBoards(QUERIES),
    command: (script) => [script, "query", "--json"],
    boards: QUERIES,
  },
  { name: "prove 3x3", before: SOLVED, command: (script) => [script, "prove", "3x3"] },
  { name: "verify 3x3", before: PROVEN, command: (script) => [script, "verify", "3x3"] },
  {
    name: "server on 3x3",
    async measure(place) {
      const db = await tabulated("3x3", place);
      return await benchServing(db, (count) => randomPositions(GAME_3X3, db, count));
    },
  },
  {
    name: "moves of Play on 2x5",
    long: true,
    measure: async (place) => await benchPlaying("2x5", await tabulated("2x5", place)),
  },
];

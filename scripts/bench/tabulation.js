/* Measures the tabulation of all positions of 3×3, and look-ups. */
import { join } from "node:path";
import { formatBoard, parseShape, seededRandom } from "@gridlock/game";
import { Tabulation } from "@gridlock/tablebase";
import { positionsIn } from "@gridlock/testbed";
import { gridlock, median, mediansOf } from "./command.js";

const RUNS = 3;
const BOARDS = 200_000;
/** Number of times that the boards are queried again once their blocks are in memory. */
const AGAIN = 3;

/** Returns random positions of a tabulation, uniformly distributed. */
export function randomPositions(game, db, count) {
  const tabulation = Tabulation.open(game, [], db);
  const { positions } = tabulation.counts();
  const random = seededRandom(2048);
  const picked = Array.from({ length: count }, () => Math.floor(random() * positions));
  const boards = new Map(picked.map((number) => [number, undefined]));
  let number = -1;
  for (const board of positionsIn(tabulation, () => boards.has(++number))) {
    boards.set(number, board);
  }
  tabulation[Symbol.dispose]();
  return picked.map((one) => boards.get(one));
}

export function benchTabulation(folder) {
  const game = { shape: parseShape("3x3"), tiles: [2, 4] };
  const runs = Array.from({ length: RUNS }, (_, i) => {
    const args = ["tabulate", "3x3", "--json", "--quiet", "--db", `${i}/tabulation.db`];
    const { output, peak } = gridlock(args, { folder });
    return { ...JSON.parse(output), peak };
  });
  const boards = randomPositions(game, join(folder, "0/tabulation.db"), BOARDS)
    .map((board) => `${formatBoard(board)}\n`)
    .join("");
  const query = ["query", "--values", "--json", "--db", "0/tabulation.db"];
  const secondsFor = (times) => gridlock(query, { folder, input: boards.repeat(times) }).seconds;
  const rates = runs.map(() => (AGAIN * BOARDS) / (secondsFor(1 + AGAIN) - secondsFor(1)));
  const [{ positions, bytes }] = runs;
  return {
    ...{ shape: "3x3", positions, bytes, ...mediansOf(runs, "seconds", "peak") },
    lookUpsPerSecond: Math.round(median(rates)),
  };
}

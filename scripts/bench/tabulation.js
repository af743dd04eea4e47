/* Measures the tabulation of all positions of 3×3, and look-ups. */
import { join } from "node:path";
import { formatBoard, parseShape, seededRandom } from "@gridlock/game";
import { columnFileOf, Tabulation } from "@gridlock/tablebase";
import { GRIDLOCK } from "@gridlock/testbed";
import { median, runScript } from "./command.js";

const RUNS = 3;
const BOARDS = 200_000;
/** Number of times that the boards are queried again once their blocks are in memory. */
const AGAIN = 3;

/** Returns random positions of a tabulation, uniformly distributed. */
export function randomPositions(game, db, count) {
  const tabulation = Tabulation.open(game, [], (column) => columnFileOf(db, game, column));
  const { layers } = tabulation;
  const { positions } = tabulation.counts();
  const random = seededRandom(2048);
  const numbers = Array.from({ length: count }, () => Math.floor(random() * positions));
  const boards = numbers.map((number) => {
    let rest = number;
    const layer = layers.find(({ positions: count }) => {
      if (rest < count) return true;
      rest -= count;
      return false;
    });
    return tabulation.board({ layer, number: rest });
  });
  tabulation.close();
  return boards;
}

export function benchTabulation(folder) {
  const game = { shape: parseShape("3x3"), tiles: [2, 4] };
  const runs = Array.from({ length: RUNS }, (_, i) => {
    const args = ["tabulate", "3x3", "--json", "--quiet", "--db", `${i}/tabulation.db`];
    const { output, peak } = runScript(GRIDLOCK, args, { folder });
    return { ...JSON.parse(output), peak };
  });
  const db = join(folder, "0/tabulation.db");
  const boards = randomPositions(game, db, BOARDS)
    .map((board) => formatBoard(board))
    .join("\n");
  const query = ["query", "--values", "--json", "--db", "0/tabulation.db"];
  const secondsFor = (times) =>
    runScript(GRIDLOCK, query, { folder, input: `${boards}\n`.repeat(times) }).seconds;
  const rates = runs.map(() => (AGAIN * BOARDS) / (secondsFor(1 + AGAIN) - secondsFor(1)));
  return {
    shape: "3x3",
    positions: runs[0].positions,
    bytes: runs[0].bytes,
    seconds: median(runs.map(({ seconds }) => seconds)),
    peak: median(runs.map(({ peak }) => peak)),
    lookUpsPerSecond: Math.round(median(rates)),
  };
}

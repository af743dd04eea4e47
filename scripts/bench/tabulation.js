/* Measures the tabulation of all positions of 3×3, and look-ups. */
import { join } from "node:path";
import { formatBoard, parseShape, seededRandom } from "@gridlock/game";
import { columnFileOf, Tabulation } from "@gridlock/tablebase";
import { gridlock, median, mediansOf } from "./command.js";

const RUNS = 3;
const BOARDS = 200_000;
/** Number of times that the boards are queried again once their blocks are in memory. */
const AGAIN = 3;

/** Returns random positions of a tabulation, uniformly distributed. */
export function randomPositions(game, db, count) {
  const tabulation = Tabulation.open(game, [], (column) => columnFileOf(db, game, column));
  const { positions } = tabulation.counts();
  const random = seededRandom(2048);
  const boards = Array.from({ length: count }, () => {
    let number = Math.floor(random() * positions);
    const layer = tabulation.layers.find((one) => {
      if (number < one.positions) return true;
      number -= one.positions;
      return false;
    });
    return tabulation.board({ layer, number });
  });
  tabulation.close();
  return boards;
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

// Looks at a board: its value, what each move is worth, and a line of best play.
//
//     node query.js "2 0 0/0 4 0/0 0 0"
//
import { parseBoard, parseTiles } from "@gridlock/game";
import { createTable, Kernel } from "@gridlock/kernel";
import { Analyst } from "@gridlock/solver";
import { Database } from "@gridlock/store";

const [text = "2 0 0/0 4 0/0 0 0"] = process.argv.slice(2);
const node = parseBoard(text); // Append " placer" to the board if the placer is to move.
const game = { shape: node.board, tiles: parseTiles("2,4") };

const database = Database.open("examples.db");
try {
  const bounds = database.bounds(game);
  // What the database lacks is searched, here for two seconds at most and with a table of 64 MiB.
  const kernel = new Kernel(createTable(game, 64 * 2 ** 20, 1), 0);
  const analyst = new Analyst(game, bounds, kernel);
  const { bound, moves, line } = analyst.analyse(node, 2);

  console.log(`value: ${bound.lo}`); // bound.hi is larger if the time was too short to prove the value
  for (const { move, score, bound: after } of moves) {
    console.log(`${move.name}: ${score} now, ${after.lo} later`);
  }
  console.log(`best play: ${line?.moves.map(({ name }) => name).join(" ")}`);
  bounds.merge(analyst.takeFresh());
} finally {
  database[Symbol.dispose]();
}

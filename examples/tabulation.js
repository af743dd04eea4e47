// Reads a tabulation: the value of every position of a shape, against the placer and against chance.
//
//     node tabulation.js "2 0 0/0 4 0"
//
import { parseBoard, parseTiles } from "@gridlock/game";
import { columnFileOf, Tabulation, tabulate } from "@gridlock/tablebase";

/** @import { Column } from "@gridlock/tablebase" */

const [text = "2 0 0/0 4 0"] = process.argv.slice(2);
const { board } = parseBoard(text);
const game = { shape: board, tiles: parseTiles("2,4") };

// The files have the names that `gridlock tabulate --db examples.db` gives them. If they are complete already, this
// only checks them.
/** @param {Column} column */
const fileOf = (column) => columnFileOf("examples.db", game, column);
await tabulate(game, undefined, { fileOf, threads: 2, memory: 64 * 2 ** 20 });

const tabulation = Tabulation.open(game, ["minimax", "expected"], fileOf);
try {
  console.log(`${tabulation.counts().positions} positions`);
  const place = tabulation.find(board);
  if (place === undefined) console.log("no play from a start leads to this board");
  else {
    console.log(`against the placer: ${tabulation.value("minimax", place)}`);
    console.log(`against chance: ${tabulation.value("expected", place).toFixed(2)}`);
  }
} finally {
  tabulation.close();
}

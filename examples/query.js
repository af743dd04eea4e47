// Prints a board's value, the value of each move, and a line of best play.
//
//     node query.js "2 0 0/0 4 0/0 0 0"
//
import { Library } from "@gridlock/answers";
import { parseBoard, parseTiles } from "@gridlock/game";

const [text = "2 0 0/0 4 0/0 0 0"] = process.argv.slice(2);
const node = parseBoard(text); // Append " placer" to the board if the placer is to move.

// Boards that neither the database nor the files beside it contain are searched, with a table of 64 MiB.
const library = new Library({
  db: "examples.db",
  tableBytes: () => 64 * 2 ** 20,
  warn: (sentence) => console.error(sentence),
});
try {
  // The search takes two seconds at most. If that is too short to prove the value, hi is larger than lo.
  const { bound, moves, line } = library.answer({ ...node, tiles: parseTiles("2,4"), budget: 2 });

  console.log(`value: ${bound.lo === bound.hi ? bound.lo : `${bound.lo} to ${bound.hi}`}`);
  for (const { move, score, bound: after } of moves) {
    console.log(`${move.name}: ${score} now, ${after.lo} later`);
  }
  console.log(`best play: ${line?.moves.map(({ name }) => name).join(" ")}`);
} finally {
  library[Symbol.dispose](); // saves what was proven
}

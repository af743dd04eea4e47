// Prints a board's value, its best moves, the value of each move, and a line of best play.
//
//     node dist/query.js "2 0 0/0 4 0/0 0 0"
//
import { openSolver } from "@gridlock/gridlock";

// Append " placer" to a board if the placer is to move.
const [board = "2 0 0/0 4 0/0 0 0"] = process.argv.slice(2);
await using solver = await openSolver({ database: "values.db" });

// A search takes two seconds at most. If that is too short to prove the value, hi exceeds lo.
const answer = await solver.query(board, { seconds: 2 });
console.log(`value: ${answer.value ?? `${answer.lo} to ${answer.hi}`}`);
console.log(`best: ${answer.best.join(", ")}`);
for (const move of answer.moves) {
  const name = "move" in move ? move.move : move.place;
  console.log(`${name}: ${move.verdict}, ${move.score} now, ${move.value ?? "?"} later`);
}
console.log(`best play: ${answer.line.join(" ")}`);

// Solves a shape: finds the score that the slider can force from each start, whatever the placer does.
//
//     node solve.js 2x4
//
import { formatBoard, parseShape, parseTiles } from "@gridlock/game";
import { LocalPool, solve } from "@gridlock/solver";
import { Database } from "@gridlock/store";

const [shape = "2x4"] = process.argv.slice(2);
const game = { shape: parseShape(shape), tiles: parseTiles("2,4") };

// The database stores all proven values: a second run only looks them up.
const database = Database.open("examples.db");
// Two threads share a table of 64 MiB.
const pool = new LocalPool(game, { workers: 2, memory: 64 * 2 ** 20 });
try {
  for (const { board, bound } of await solve(game, database, pool)) {
    console.log(`${formatBoard(board)}: ${bound.lo}`);
  }
} finally {
  // In TypeScript, and from Node 24 on, `using database = …` and `await using pool = …` do this by themselves.
  await pool[Symbol.asyncDispose]();
  database[Symbol.dispose]();
}

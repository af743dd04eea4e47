// Finds the score that the slider can force from each start of a shape, whatever the placer does.
//
//     node dist/solve.js 3x3
//
import { openSolver } from "@gridlock/gridlock";

const [shape = "3x3"] = process.argv.slice(2);
// The database keeps all that is proven: a second run only looks it up.
await using solver = await openSolver({ database: "values.db" });

const { starts } = await solver.solve(shape, {
  onProgress({ solved, starts, positions }) {
    console.error(`${solved} of ${starts} starts solved, ${positions} positions searched`);
  },
});
for (const { board, value, end } of starts) {
  console.log(`${board}: ${value}, best play ends with ${end}`);
}

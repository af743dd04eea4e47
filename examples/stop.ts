// Solves a shape for some seconds; run again, it resumes. Prints errors with their codes.
//
//     node dist/stop.js 2x6 10
//
import { openSolver, SolverError } from "@gridlock/gridlock";

const [shape = "2x6", seconds = "10"] = process.argv.slice(2);
const signal = AbortSignal.timeout(1000 * Number(seconds));
await using solver = await openSolver({ database: "values.db", onWarning: console.error });
try {
  const { nodes } = await solver.solve(shape, { signal });
  console.log(`solved with ${nodes.positions} positions in this run`);
} catch (error) {
  if (signal.aborted) console.log("stopped: all that is proven has been saved");
  else if (error instanceof SolverError) console.log(`${error.code}: ${error.message}`);
  else throw error;
}

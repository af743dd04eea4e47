import { availableParallelism } from "node:os";
import { Desk } from "./desk.js";
import type { SolveOutput } from "./json.js";
import { progressOf } from "./progress.js";
import type { BoardAnswer, Solver, SolverOptions } from "./solver.js";

/** Default for the most seconds of a query's search. */
const QUERY_SECONDS = 5;

/**
 * Opens a solver with a database, or in memory.
 *
 * @throws {SolverError} if the database cannot be used (rejects)
 */
export async function openSolver(options: SolverOptions = {}): Promise<Solver> {
  const { database = ":memory:", readOnly = false, published = true, onWarning } = options;
  const desk = new Desk({ database, readOnly, published }, onWarning ?? (() => {}));
  try {
    await desk.run({ kind: "open" });
  } catch (error) {
    await desk.close().catch(() => {}); // the first error says more
    throw error;
  }
  return {
    solve(shape, { tiles = [2, 4] as const, threads = availableParallelism(), ...how } = {}) {
      const task = { kind: "solve", shape, tiles, threads, memory: how.memory } as const;
      return progressOf((report) => {
        const result = desk.run(task, how.signal, (progress) => {
          how.onProgress?.(progress);
          report(progress);
        });
        return result as Promise<SolveOutput>;
      });
    },
    async query(board, { tiles = [2, 4] as const, seconds = QUERY_SECONDS, signal } = {}) {
      const answer = await desk.run({ kind: "query", board, tiles, seconds }, signal);
      return answer as BoardAnswer;
    },
    close: () => desk.close(),
    [Symbol.asyncDispose]: () => desk.close(),
  };
}

import { availableParallelism } from "node:os";
import { Desk } from "./desk.js";
import type { SolveOutput } from "./json.js";
import type { QueryOptions, SolveOptions, SolverOptions } from "./options.js";
import { progressOf } from "./progress.js";
import type { BoardAnswer, SolveRun, Solver } from "./solver.js";

/** Default for the most seconds of a query's search. */
const QUERY_SECONDS = 5;

/** A solver whose work a thread does. */
class DeskSolver implements Solver {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  solve(shape: string, options: SolveOptions = {}): SolveRun {
    const { tiles = [2, 4], memory, signal, onProgress } = options;
    const { threads = availableParallelism() } = options;
    return progressOf((report) => {
      const task = { kind: "solve", shape, tiles, threads, memory } as const;
      const result = this.#desk.run(task, signal, (progress) => {
        onProgress?.(progress);
        report(progress);
      });
      return result as Promise<SolveOutput>;
    });
  }

  async query(board: string, options: QueryOptions = {}): Promise<BoardAnswer> {
    const { tiles = [2, 4], seconds = QUERY_SECONDS, signal } = options;
    const answer = await this.#desk.run({ kind: "query", board, tiles, seconds }, signal);
    return answer as BoardAnswer;
  }

  async close(): Promise<void> {
    await this.#desk.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

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
  return new DeskSolver(desk);
}

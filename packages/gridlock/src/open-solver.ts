import { availableParallelism } from "node:os";
import { type Answer, AnswerThread } from "@gridlock/answers";
import {
  type Game,
  GameError,
  normalShape,
  parseShape,
  parseTiles,
  readBoard,
} from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import { defaultMemory, leastMemory, poolThreads, whyNoKernel } from "@gridlock/solver";
import { StoreError } from "@gridlock/store";
import { explainMemory, isOutOfMemory } from "@gridlock/threads";
import { boardAnswerOf } from "./board-answer.js";
import { closedError, SolverError } from "./errors.js";
import type { Solver, SolverOptions } from "./solver.js";

/** Default for the most seconds of a query's search. */
const QUERY_SECONDS = 5;

/**
 * Opens a solver with a database, or in memory.
 *
 * @throws {SolverError} if the database cannot be used (rejects)
 */
export async function openSolver(options: SolverOptions = {}): Promise<Solver> {
  const { database: db = ":memory:", readOnly = false, published = true } = options;
  const warn = options.onWarning ?? (() => {});
  const thread = new AnswerThread({ db, readOnly, published, warn, solves: true, isKept: false });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= thread[Symbol.asyncDispose]();
    return closed;
  };

  /** Runs work of the thread; its errors are those of a solver. */
  async function run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let result: T;
    try {
      if (closed) throw closedError();
      signal?.throwIfAborted();
      result = await work();
    } catch (error) {
      signal?.throwIfAborted();
      throw closed ? closedError() : errorOf(error);
    }
    // Work that was stopped ends with a partial result, which nobody asked for.
    signal?.throwIfAborted();
    return result;
  }

  try {
    await run(() => thread.lookUp([]));
  } catch (error) {
    await close().catch(() => {}); // the first error says more
    throw error;
  }
  return {
    solve(shape, { tiles = [2, 4] as const, threads = availableParallelism(), ...how } = {}) {
      const { signal, onProgress = () => {} } = how;
      return run(async () => {
        const game = { shape: normalShape(parseShape(shape)), tiles: parseTiles(tiles.join()) };
        const resources = { workers: threads, memory: tableMemory(game, threads, how.memory) };
        const solved = await thread.solve(game, resources, onProgress, signal);
        if (solved === undefined) throw closedError();
        return solved;
      }, signal);
    },
    query(text, { tiles = [2, 4] as const, seconds: budget = QUERY_SECONDS, signal } = {}) {
      return run(async () => {
        const { board, turn, notes } = readBoard(text);
        const query = { board, turn, tiles: parseTiles(tiles.join()), budget };
        for (const note of notes) warn(`${text}: ${note}`);
        return boardAnswerOf((await thread.answer(query, signal)) as Answer);
      }, signal);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Returns the bytes of a solve's table: those asked for, or what the game needs.
 *
 * @throws {SolverError} if the game cannot be searched, or not with so many threads or so little
 *   memory
 */
function tableMemory(game: Game, threads: number, asked: number | undefined): number {
  const reason = whyNoKernel(game);
  if (reason) throw new SolverError("not-searchable", reason);
  if (!Number.isInteger(threads) || threads < 1) {
    throw new SolverError("bad-option", `${threads} threads; expected 1 or more`);
  }
  const room = poolThreads(threads);
  if (asked === undefined) return defaultMemory(game, room, process.availableMemory());
  const least = leastMemory(game, room);
  // Also false for NaN.
  if (asked >= least) return Math.min(asked, tableLimits(game, room).most);
  throw new SolverError("bad-option", `${asked} bytes of memory; expected at least ${least}`);
}

function errorOf(error: unknown): SolverError {
  if (error instanceof SolverError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof GameError || error instanceof StoreError) {
    return new SolverError(error.code, message);
  }
  if (isOutOfMemory(error)) return new SolverError("out-of-memory", explainMemory(message));
  return new SolverError("failed", message);
}

/*
 * The search without Node, for web workers and other runtimes: one thread, no shared memory, no
 * files.
 */
import { answerOfAnalysis } from "@gridlock/answers/json";
import {
  formatShape,
  type Game,
  GameError,
  normalShape,
  parseShape,
  parseTiles,
  readBoard,
} from "@gridlock/game";
import { createTable, Kernel, kernelFiles } from "@gridlock/kernel/web";
import {
  Analyst,
  NOTHING_STORED,
  SEARCH_MEMORY,
  searchMemory,
  whyNoKernel,
} from "@gridlock/solver/analyst";
import { boardAnswerOf } from "./board-answer.js";
import { SolverError } from "./errors.js";
import type { BoardAnswer } from "./solver.js";

export { SolverError, type SolverErrorCode } from "./errors.js";
export type { BoardAnswer } from "./solver.js";

/**
 * Reads a file of the package's folder `wasm`: `sizes.json` and, for a board of 3×3,
 * `3x3.solo.wasm` and `3x3.small.wasm`.
 */
export type ReadWasm = (name: string) => Promise<ArrayBuffer | Uint8Array>;

/** The settings of a kernel. */
export interface KernelOptions {
  /** The tiles that the placer has: `[2, 4]`, the default, or `[2]`. */
  readonly tiles?: readonly [2, 4] | readonly [2];
  /** Most bytes of the table, unless the shape needs more, at most 21 MiB (default: 256 MiB). */
  readonly memory?: number;
}

/** The search of the boards of one shape. */
export interface BoardSearch {
  /**
   * Returns a board's value, those of its moves, and a line of best play. It keeps its thread busy,
   * and what it finds in its table.
   *
   * @param seconds to search at most (default: 5)
   * @throws {SolverError} if the text is no board of the shape
   */
  query(board: string, seconds?: number): BoardAnswer;
}

/** Default for the most seconds of a search. */
const SECONDS = 5;

/**
 * Loads the search of a shape.
 *
 * @throws {SolverError} if there is none (rejects)
 * @throws {RangeError} without memory for the table (rejects)
 */
export async function openKernel(
  shape: string,
  readWasm: ReadWasm,
  { tiles = [2, 4], memory = SEARCH_MEMORY }: KernelOptions = {},
): Promise<BoardSearch> {
  const game = withCode(() => ({
    shape: normalShape(parseShape(shape)),
    tiles: parseTiles(tiles.join()),
  }));
  const reason = whyNoKernel(game);
  if (reason) throw new SolverError("not-searchable", reason);
  const name = formatShape(game.shape);
  const names = ["sizes.json", `${name}.solo.wasm`, `${name}.small.wasm`];
  const files = names.map(async (name) => [name, new Uint8Array(await readWasm(name))] as const);
  kernelFiles.provide(await Promise.all(files));
  const table = createTable(game, searchMemory(game, memory) as number, 1, { shared: false });
  const analyst = new Analyst(game, NOTHING_STORED, new Kernel(table, 0));
  return {
    query(text, seconds = SECONDS) {
      const { board, turn } = withCode(() => readBoardOf(game, text));
      return boardAnswerOf(answerOfAnalysis(analyst.analyse({ board, turn }, seconds)));
    },
  };
}

/** @throws {GameError} if the text is no board of the game's shape or its transpose */
function readBoardOf({ shape }: Game, text: string) {
  const read = readBoard(text);
  if (formatShape(normalShape(read.board)) === formatShape(shape)) return read;
  const given = formatShape(read.board);
  throw new GameError("other-shape", `a board of ${given}; expected one of ${formatShape(shape)}`);
}

/** Turns errors of the game into those of this package. */
function withCode<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof GameError) throw new SolverError(error.code, error.message);
    throw error;
  }
}

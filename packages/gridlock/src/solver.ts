import type { Answer, SolveOutput } from "./json.js";

/** The settings of a solver. */
export interface SolverOptions {
  /** The solution database file, made if it is missing. Default: in memory, which keeps nothing. */
  readonly database?: string;
  /** True to open the database for reading; nothing can be solved then. */
  readonly readOnly?: boolean;
  /** False to ignore published values and the literature. Default: used where they know more. */
  readonly published?: boolean;
  /** Receives a sentence about each file that cannot be used or written, or ambiguous board. */
  readonly onWarning?: (sentence: string) => void;
}

/** The settings of a solve. */
export interface SolveOptions {
  /** The tiles that the placer has: `[2, 4]`, the default, or `[2]`. */
  readonly tiles?: readonly [2, 4] | readonly [2];
  /** Threads that search (default: one per processor). */
  readonly threads?: number;
  /** Bytes of the shared table (default: what the game needs, up to half of the free memory). */
  readonly memory?: number;
  /** Called several times a second. */
  readonly onProgress?: (progress: SolveProgress) => void;
  /** Stops the solve after saving what is proven; a later one with the same database resumes it. */
  readonly signal?: AbortSignal;
}

/** The progress of a solve. */
export interface SolveProgress {
  /** The part under way: loading earlier results, searching, or proving lines of best play. */
  readonly phase: "loading" | "searching" | "lines";
  /** Number of starts, and of those whose value is known. */
  readonly starts: number;
  readonly solved: number;
  /** Nodes expanded in this run. */
  readonly positions: number;
  readonly afterstates: number;
  readonly seconds: number;
}

/** The settings of a query. */
export interface QueryOptions {
  /** The tiles that the placer has: `[2, 4]`, the default, or `[2]`. */
  readonly tiles?: readonly [2, 4] | readonly [2];
  /** Most seconds to search for what is neither stored nor published (default: 5). */
  readonly seconds?: number;
  /** Stops the search. */
  readonly signal?: AbortSignal;
}

/** A board's value, the verdicts on its moves, and a line of best play. */
export type BoardAnswer = Answer & {
  /** The moves that are proven best: `up`, or `2@1,3` if the placer is to move. */
  readonly best: readonly string[];
};

/** Solves games and answers boards, in other threads. */
export interface Solver extends AsyncDisposable {
  /**
   * Finds the value of every start of a shape such as `3x3`, with lines of best play, and stores
   * everything proven. Starts that are solved already take no time; a solve that was stopped or
   * killed is resumed.
   *
   * @throws {SolverError} (rejects)
   * @throws the reason of `signal`, after saving what is proven (rejects)
   */
  solve(shape: string, options?: SolveOptions): Promise<SolveOutput>;

  /**
   * Returns a board's value, those of its moves, and a line of best play: stored, published or,
   * within some seconds, searched. While `lo < hi`, the value is not known.
   *
   * @param board rows such as `2 0 0/0 4 0/0 0 0`, ` placer` behind them if the placer is to move,
   *   or another format
   * @throws {SolverError} (rejects)
   * @throws the reason of `signal` (rejects)
   */
  query(board: string, options?: QueryOptions): Promise<BoardAnswer>;

  /** Stops everything under way after saving what is proven, and closes the database. */
  close(): Promise<void>;
}

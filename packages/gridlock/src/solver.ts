import type { Answer, SolveOutput } from "./json.js";
import type { QueryOptions, SolveOptions, SolveProgress } from "./options.js";

/** A board's value, the verdicts on its moves, and a line of best play. */
export type BoardAnswer = Answer & {
  /** The moves that are proven best: `up`, or `2@1,3` if the placer is to move. */
  readonly best: readonly string[];
};

/** A solve under way: its result, and its progress for `for await`, of which a slow reader skips all but the latest. */
export type SolveRun = Promise<SolveOutput> & AsyncIterable<SolveProgress, void>;

/** Solves games and answers boards, in other threads. */
export interface Solver extends AsyncDisposable {
  /**
   * Finds the value of every start of a shape such as `3x3`, with lines of best play, and stores everything proven.
   * Starts that are solved already take no time; a solve that was stopped or killed is resumed.
   *
   * @throws {SolverError} (rejects)
   * @throws the reason of `signal`, after saving what is proven (rejects)
   */
  solve(shape: string, options?: SolveOptions): SolveRun;

  /**
   * Returns a board's value, those of its moves, and a line of best play: stored, published or, within some seconds,
   * searched. While `lo < hi`, the value is not known.
   *
   * @param board rows such as `2 0 0/0 4 0/0 0 0`, ` placer` behind them if the placer is to move, or another format
   * @throws {SolverError} (rejects)
   * @throws the reason of `signal` (rejects)
   */
  query(board: string, options?: QueryOptions): Promise<BoardAnswer>;

  /** Stops everything under way after saving what is proven, and closes the database. */
  close(): Promise<void>;
}

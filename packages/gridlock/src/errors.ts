/** The reason why a text is no shape, tile set or board. */
export type BoardErrorCode =
  | "bad-shape"
  | "bad-tiles"
  | "bad-board"
  | "bad-tile"
  | "ragged-board"
  | "impossible-board"
  | "full-afterstate"
  | "no-board"
  | "shape-only"
  | "one-row"
  | "many-boards"
  | "other-shape"
  | "other-turn"
  | "ambiguous-board"
  | "bad-code"
  | "bad-json";

/** The reason why a database, or a file beside it, cannot be used. */
export type DatabaseErrorCode =
  | "missing"
  | "not-a-database"
  | "other-version"
  | "other-kernel"
  | "other-game"
  | "read-only"
  | "replaced"
  | "locked"
  | "full"
  | "damaged"
  | "contradiction"
  | "unusable";

/**
 * The reason why a solver refused or failed, for programs; the message explains it to people.
 * `not-searchable`: no search is compiled for the shape; `bad-option`: too few threads or too
 * little memory; `closed`: the solver has been closed.
 */
export type SolverErrorCode =
  | BoardErrorCode
  | DatabaseErrorCode
  | "not-searchable"
  | "bad-option"
  | "out-of-memory"
  | "closed"
  | "failed";

/** An error of a solver. */
export class SolverError extends Error {
  override readonly name = "SolverError";

  constructor(
    readonly code: SolverErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Returns the error of whoever uses a solver after its end, or waits for it then. */
export function closedError(): SolverError {
  return new SolverError("closed", "the solver has been closed");
}

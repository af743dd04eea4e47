/** The reason why an input was refused, for programs; the message explains it to people. */
export type GameErrorCode =
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

/** An input that is not a shape, tile set or board of the game. */
export class GameError extends Error {
  override readonly name = "GameError";

  constructor(
    readonly code: GameErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * A text that cannot be read as a board. The message has several lines: the reason, the text with
 * the place marked, and a board of the same shape as an example.
 */
export class ReadingError extends GameError {}

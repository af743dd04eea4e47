/** What was wrong with an input, for programs; the message says the same to people. */
export type GameErrorCode =
  | "bad-shape"
  | "bad-tiles"
  | "bad-board"
  | "bad-tile"
  | "ragged-board"
  | "impossible-board"
  | "full-afterstate";

/** An input that is no shape, tile set or board of the game. */
export class GameError extends Error {
  override readonly name = "GameError";

  constructor(
    readonly code: GameErrorCode,
    message: string,
  ) {
    super(message);
  }
}

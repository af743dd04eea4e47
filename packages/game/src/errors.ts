/** The reason why an input was refused, for programs; the message explains it to people. */
export type GameErrorCode =
  | "bad-shape"
  | "bad-tiles"
  | "bad-board"
  | "bad-tile"
  | "ragged-board"
  | "impossible-board"
  | "full-afterstate";

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

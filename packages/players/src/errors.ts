/** A player or placer that does not exist, cannot play the shape, or breaks the rules; a sentence for the user. */
export class PlayerError extends Error {
  override readonly name = "PlayerError";
}

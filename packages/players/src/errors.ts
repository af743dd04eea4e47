/**
 * An error, in a sentence, about a player or placer that is unknown, cannot play the shape, or
 * breaks the rules.
 */
export class PlayerError extends Error {
  override readonly name = "PlayerError";
}

/** An error about a name that no player has. */
export class UnknownPlayerError extends PlayerError {}

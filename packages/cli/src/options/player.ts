import { makePlayer, type Player, PlayerError, type PlayerSetting } from "@gridlock/players";
import { UsageError } from "../exit.js";

/**
 * Makes a player by name.
 *
 * @throws {UsageError} if there is no such player, or it cannot play the shape
 */
export async function playerOf(name: string, setting: PlayerSetting): Promise<Player> {
  try {
    return await makePlayer(name, setting);
  } catch (error) {
    if (error instanceof PlayerError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

import {
  makePlacer,
  makePlayer,
  type Placer,
  type Player,
  PlayerError,
  type PlayerSetting,
} from "@gridlock/players";
import { UsageError } from "../exit.js";

/**
 * Makes a player by name.
 *
 * @throws {UsageError} if there is no such player, or it cannot play the game
 */
export function playerOf(name: string, setting: PlayerSetting): Promise<Player> {
  return asked(() => makePlayer(name, setting));
}

/**
 * Makes a placer by name.
 *
 * @throws {UsageError} if there is no such placer, or it cannot play the shape
 */
export function placerOf(name: string, setting: PlayerSetting): Promise<Placer> {
  return asked(() => makePlacer(name, setting));
}

/** Does what the command line asks of `players`, whose errors are then errors of the command line. */
export async function asked<T>(make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof PlayerError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

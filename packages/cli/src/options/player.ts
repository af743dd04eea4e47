import { PlayerError } from "@gridlock/players";
import { UsageError } from "../exit.js";

/** Does what the command line asks of `players`, whose errors are then errors of the command line. */
export async function asked<T>(make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof PlayerError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

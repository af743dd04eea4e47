import { PlayerError, UnknownPlayerError } from "@gridlock/players";
import { UsageError } from "../exit.js";

/** Does what a command asks of `players`, whose errors are then errors of the command line. */
export async function asked<T>(make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof PlayerError)) throw error;
    const isUnknown = error instanceof UnknownPlayerError;
    // The HTTP API runs no modules, so the error itself does not name them.
    const more = isUnknown ? ", or the path of a module such as ./my-player.js" : "";
    throw new UsageError(`${error.message}${more}`, { cause: error });
  }
}

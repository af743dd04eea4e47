import { GameError } from "@gridlock/game";
import { CommanderError } from "commander";

/** What the program's exit codes mean; `--help` says the same. */
export const EXIT = {
  ok: 0,
  /** Something could not be done: a database that cannot be used, no memory, an error of ours. */
  failed: 1,
  /** The command line or a board is not what was expected. */
  usage: 2,
  /** A sample was checked and nothing in it is wrong, which proves nothing. */
  sampled: 3,
  /** Stopped by Ctrl-C, after saving. */
  interrupted: 130,
} as const;

/** An input that the program refuses, with a sentence for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The error of a question that was neither answered nor stopped. */
export function tooDeep(): RangeError {
  return new RangeError("the search went deeper than the stack of a worker thread allows");
}

/**
 * Prints an error for people, on standard error, and returns the exit code it stands for. With GRIDLOCK_DEBUG set
 * it prints where in the program an error arose, too.
 */
export function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof GameError || error instanceof UsageError) {
    console.error(`error: ${error.message}`);
    return EXIT.usage;
  }
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  const { GRIDLOCK_DEBUG } = process.env;
  if (GRIDLOCK_DEBUG) console.error(error);
  return EXIT.failed;
}

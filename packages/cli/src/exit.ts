import { inspect } from "node:util";
import { GameError } from "@gridlock/game";
import { reasonOf } from "@gridlock/store";
import { explainMemory } from "@gridlock/threads";
import { CommanderError } from "commander";
import { OutputError, printFault } from "./output/print.js";
import { visible } from "./output/visible.js";

/** The program's exit codes, as `--help` lists them. */
export const EXIT = {
  ok: 0,
  /** Failed: a damaged, locked or unwritable file, a server, memory, a false proof, a bug. */
  failed: 1,
  /** An invalid command line or board, or a file that is missing or not what the command needs. */
  usage: 2,
  /** Done in part: `solve --for` ended before all starts were solved. */
  partial: 3,
  /** Stopped by Ctrl-C, after saving. */
  interrupted: 130,
  /** Stopped since the reader closed standard output: the code of a process that SIGPIPE ends. */
  closed: 141,
} as const;

/** Invalid input, with a sentence for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Prints an error on standard error as a sentence, and returns its exit code. With GRIDLOCK_DEBUG
 * set it prints the stack too.
 */
export function report(error: unknown): number {
  if (isSuppressed(error)) {
    const code = report(error.suppressed);
    report(error.error);
    return code;
  }
  if (error instanceof OutputError && error.closed) return EXIT.closed;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  printFault(error, sentenceOf(error));
  if (error instanceof GameError || error instanceof UsageError) return EXIT.usage;
  if (isInput(error)) return EXIT.usage;
  const { GRIDLOCK_DEBUG } = process.env;
  if (GRIDLOCK_DEBUG) console.error(visible(inspect(error)));
  return EXIT.failed;
}

/** Errors, by name since their modules may not be loaded, and their codes for invalid input. */
const INPUT_ERRORS = ["StoreError", "CertificateError", "ClusterError"];
const INPUT_CODES = [
  ...["missing", "not-a-database", "not-a-certificate", "bad-url"],
  ...["other-version", "other-kernel", "other-game"],
];

/** Returns whether an error is about an invalid URL, or a file that is missing or unsuitable. */
function isInput(error: unknown): boolean {
  const { name = "", code = "" } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return INPUT_ERRORS.includes(name) && INPUT_CODES.includes(code);
}

/** Two errors: `suppressed`, and `error` while a `using` declaration closed what it had opened. */
function isSuppressed(error: unknown): error is { suppressed: unknown; error: unknown } {
  return error instanceof Error && error.name === "SuppressedError";
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  // Errors of the file system say "EACCES: permission denied, open 'x'".
  const isOfFile = path !== undefined && error.message.startsWith(`${code}: `);
  const message = isOfFile ? `${path}: ${reasonOf(error)}` : explainMemory(error.message);
  if (code !== "EMFILE" && !message.includes("EMFILE")) return message;
  return `${message}. Raise the limit of open files: ulimit -n`;
}

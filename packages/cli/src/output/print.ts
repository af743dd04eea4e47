import { writeSync } from "node:fs";
import { getSystemErrorMap } from "node:util";
import {
  type BoardText,
  type Bound,
  formatShape,
  type Game,
  isExact,
  notesOf,
  ReadingError,
} from "@gridlock/game";
import { visible, visibleLine } from "./visible.js";

const STDOUT = 1;
/** Milliseconds between two attempts to write to a pipe that is full. */
const RETRY_MS = 5;

/** Milliseconds that a line may wait for the next ones. */
const WAIT_MS = 20;

/** Standard output that cannot be written. Whoever catches it must let the command end. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  /** True if its reader has closed it, as `head` does when it has seen enough. */
  readonly closed: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    const [, reason] = getSystemErrorMap().get(cause.errno ?? 0) ?? [];
    super(`cannot write to standard output: ${reason ?? cause.message}`, { cause });
    this.closed = cause.code === "EPIPE" || cause.code === "ECONNRESET";
  }
}

/**
 * Prints a line, or several, on standard output.
 *
 * @throws {OutputError} when standard output is closed or cannot be written
 */
export function printLine(text: string): void {
  writeOut(`${text}\n`);
}

/**
 * Prints an object of the JSON output, in one line.
 *
 * @template Output the type of its schema, which calls name
 */
export function printJson<Output extends object = never>(output: NoInfer<Output>): void {
  printLine(JSON.stringify(output));
}

/** Returns the value of a bound for JSON: null while it is unknown. */
export function provenValue(bound: Bound): number | null {
  return isExact(bound) ? bound.lo : null;
}

/** Returns a game for JSON. */
export function gameAsJson({ shape, tiles }: Game) {
  return { shape: formatShape(shape), tiles };
}

/**
 * Writes all of a text, as {@link visible} shows it, or of some bytes, as they are, to standard
 * output, whatever that is: a file, a pipe or a terminal. By its descriptor, not by
 * `process.stdout`, so that an error arises here and not in an event that comes later.
 *
 * @throws {OutputError} when standard output is closed or cannot be written
 */
export function writeOut(content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(visible(content)) : content;
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(STDOUT, bytes, done);
    } catch (error) {
      const cause = error as NodeJS.ErrnoException;
      if (cause.code !== "EAGAIN") throw new OutputError(cause);
      // A full pipe that another process, or standard error, has made non-blocking.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** Writes lines to standard output, many at once when they come fast, the rest on disposal. */
export function lineWriter() {
  let pending: string[] = [];
  let lastWrite = 0;
  /** Writes the pending lines. */
  const flush = () => {
    lastWrite = performance.now();
    if (pending.length === 0) return;
    const text = `${pending.join("\n")}\n`;
    pending = [];
    writeOut(text);
  };
  /** Writes a line now or with the next ones. */
  const write = (line: string) => {
    pending.push(line);
    if (pending.length >= 256 || lastWrite + WAIT_MS < performance.now()) flush();
  };
  return { write, flush, [Symbol.dispose]: flush };
}

/** Prints a line on standard error. */
export function printError(line: string): void {
  console.error(visibleLine(line));
}

/** Prints notes on how a board was read. */
export function printNotes(read: BoardText): void {
  for (const note of notesOf(read)) printError(`note: ${note}`);
}

/**
 * Prints an error on standard error: one line, or those of a {@link ReadingError}, which quote a
 * board's text line by line.
 *
 * @param place the place of the error in an input, e.g. "line 3"
 */
export function printFault(error: unknown, message: string, place?: string): void {
  const lines = error instanceof ReadingError ? message.split("\n") : [message];
  const [first, ...rest] = lines as [string, ...string[]];
  printError(`error: ${place === undefined ? "" : `${place}: `}${first}`);
  for (const line of rest) printError(line);
}

/** Prints a line on standard error, unless `--quiet` is given. */
export function tell(flags: { readonly quiet?: true }, line: string): void {
  if (!flags.quiet) printError(line);
}

import { createInterface, type ReadLineOptions } from "node:readline/promises";
import { visibleLine } from "./visible.js";

/** Returns whether there is a terminal to ask the user on. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks a question, on standard error by default; only y and yes agree, and Ctrl-C and Ctrl-D do not. */
export async function ask(
  question: string,
  streams: ReadLineOptions = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const terminal = createInterface(streams);
  try {
    return /^\s*y(es)?\s*$/i.test(await terminal.question(visibleLine(question)));
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}

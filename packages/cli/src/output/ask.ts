import { createInterface, type ReadLineOptions } from "node:readline/promises";
import { visibleLine } from "./visible.js";

/** Returns whether there is a terminal to ask the user on. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks a question, by default on standard error; only y and yes agree, not Ctrl-C or Ctrl-D. */
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

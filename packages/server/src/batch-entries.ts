import type { AnswerQuery } from "./look-up.js";
import type { Settings } from "./options.js";
import { readEntry, readQuery } from "./parameters.js";
import { problemOf } from "./problem.js";

/** Characters of an invalid entry that its answer repeats. */
const SHOWN = 200;

/** An entry of a batch. A line has its text, and a value only if it is JSON. */
export interface Entry {
  readonly text?: string;
  readonly value?: unknown;
}

/** The options of a batch, the same for all its entries. */
export interface BatchSettings {
  readonly budget: number | undefined;
  readonly valueOnly: boolean;
  /** The server's limits on the time of a search. */
  readonly options: Pick<Settings, "budget" | "limits">;
}

/** Reads lines, without blank ones. */
export function entriesIn(lines: string): Entry[] {
  return lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(entryOf);
}

function entryOf(line: string): Entry {
  const text = line.trim();
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return { text };
  }
}

/** Returns the query that an entry stands for or, if it is not a board, the answer that says so. */
export function queryOf(
  { text, value }: Entry,
  { budget, valueOnly, options }: BatchSettings,
): AnswerQuery | string {
  try {
    const entry = readEntry(value, text !== undefined);
    const board = typeof entry.board === "string" ? entry.board : JSON.stringify(entry.board);
    return { ...readQuery(entry.shape, { ...entry, board, budget }, options), valueOnly };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status !== 400) throw error;
    const { code } = problem.options;
    const board = givenBoard(value) ?? text ?? JSON.stringify(value);
    return JSON.stringify({ board: board.slice(0, SHOWN), error: (error as Error).message, code });
  }
}

/** Returns the text of the board of an entry, if it has one. */
function givenBoard(value: unknown): string | undefined {
  const board =
    typeof value === "object" && value !== null && "board" in value ? value.board : value;
  return typeof board === "string" ? board : undefined;
}

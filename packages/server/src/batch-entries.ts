import type { AnswerQuery } from "@gridlock/answers";
import type { Refused } from "@gridlock/schemas";
import type { Settings } from "./options.js";
import { readEntry, readQuery } from "./parameters.js";
import { problemOf } from "./problem.js";

/** Characters of an invalid entry that its answer repeats. */
const SHOWN = 200;

/** An entry of a batch: the board to answer, or the reason why it is not a board. */
export type Entry = { readonly query: AnswerQuery } | { readonly refusal: Refused };

/** The options of a batch, the same for all its entries. */
export interface BatchSettings {
  readonly budget: number | undefined;
  readonly valueOnly: boolean;
  readonly settings: Settings;
}

/** Reads lines, without blank ones. */
export function entriesIn(lines: string, settings: BatchSettings): Entry[] {
  return lines.split("\n").flatMap((line) => {
    const text = line.trim();
    return text === "" ? [] : [entryOf(text, settings)];
  });
}

function entryOf(line: string, { budget, valueOnly, settings }: BatchSettings): Entry {
  let value: unknown;
  try {
    value = parsed(line);
    const entry = readEntry(value);
    const board = typeof entry.board === "string" ? entry.board : JSON.stringify(entry.board);
    const query = readQuery(entry.shape, { ...entry, board, budget }, settings);
    return { query: { ...query, valueOnly } };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status !== 400) throw error;
    const { code } = problem.options;
    const board = (givenBoard(value) ?? line).slice(0, SHOWN);
    const refusal = { board, error: (error as Error).message };
    return { refusal: code === undefined ? refusal : { ...refusal, code } };
  }
}

/** Parses JSON; returns `undefined` for other texts. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns the text of the board of an entry, if it has one. */
function givenBoard(value: unknown): string | undefined {
  const board =
    typeof value === "object" && value !== null && "board" in value ? value.board : value;
  return typeof board === "string" ? board : undefined;
}

import { addAbortSignal } from "node:stream";
import { type Answer, asJson, type Worth } from "@gridlock/answers";
import {
  BoardReader,
  type BoardRecord,
  formatBoard,
  MAX_TEXT,
  notesOf,
  shortened,
} from "@gridlock/game";
import { EXIT } from "../exit.js";
import { asLine } from "../output/answer-words.js";
import { boardTable, freeName } from "../output/board-table.js";
import { lineWriter, printError, printFault } from "../output/print.js";
import { type QueryFlags, QuerySources } from "./query-sources.js";

/** Most different notes that are printed on the boards of standard input. */
const MOST_NOTES = 20;
/** Milliseconds between two saves of a batch. */
const SAVE_MS = 200;

/** Answers each board of standard input with a line, an invalid one with its error. */
export async function answerInput(flags: QueryFlags): Promise<number> {
  await using sources = await QuerySources.open(flags);
  using output = lineWriter();
  const reader = new BoardReader(flags);
  const format = formatOf(flags, reader);
  const notes = new Set<string>();
  let code: number = EXIT.ok;
  let saved = performance.now();
  for await (const lines of linesOf(process.stdin, sources.signal)) {
    for (const record of lines.flatMap((line) =>
      line === undefined ? reader.end() : reader.push(line),
    )) {
      const { read, error, line } = record;
      if (error) {
        code = EXIT.usage;
        printFault(error, error.message, `line ${line}`);
        output.write(format(record, undefined));
      } else {
        for (const note of notesOf(read)) {
          if (!notes.has(note) && notes.size < MOST_NOTES)
            printError(`note: line ${line}: ${note}`);
          notes.add(note);
        }
        output.write(format(record, await sources.answer(read)));
        if (sources.signal?.aborted) return EXIT.interrupted;
      }
      if (performance.now() - saved > SAVE_MS) {
        sources.save();
        saved = performance.now();
      }
    }
    output.flush(); // the next lines may be long in coming
  }
  return code;
}

/**
 * Yields the lines of an input, as many at a time as have arrived, and `undefined` after the last
 * one. Of a line that is too long it yields the beginning, which is too long as well.
 *
 * @throws the signal's reason when it aborts
 */
async function* linesOf(
  input: NodeJS.ReadStream,
  signal?: AbortSignal,
): AsyncGenerator<(string | undefined)[]> {
  let rest = "";
  if (signal) addAbortSignal(signal, input);
  try {
    for await (const chunk of input.setEncoding("utf8")) {
      // A line end of two characters may be cut in two.
      const lines = `${rest}${chunk}`.split(/\r\n|\n|\r(?!$)/);
      rest = (lines.pop() as string).slice(0, MAX_TEXT + 1);
      yield lines;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`cannot read standard input: ${(error as Error).message}`, { cause: error });
  }
  yield [...rest.split("\r"), undefined];
}

type Formatter = (record: BoardRecord, answer: Answer | Worth | undefined) => string;

/** Returns the function that formats an answer, or the error of a record without one, in a line. */
function formatOf(flags: QueryFlags, reader: BoardReader): Formatter {
  if (flags.csv) {
    const table = boardTable(flags.values === true);
    return (record, answer) => table(record, answer, reader);
  }
  if (flags.json) return recordAsJson;
  return ({ text }, answer) => {
    if (answer === undefined) return `${shortened(text.split(/[\r\n]+/).join("/"))}: error`;
    const end = "line" in answer ? answer.line?.end : undefined;
    return asLine(answer, end && formatBoard(end));
  };
}

/** Formats an answer or an error as a JSON object, with the board's fields as they were written. */
function recordAsJson(
  { text, fields, error }: BoardRecord,
  answer: Answer | Worth | undefined,
): string {
  const own =
    answer === undefined
      ? { board: text, error: error?.message, code: error?.code }
      : asJson(answer);
  const named = Object.entries(own).map(([name, value]) => [freeName(name, fields), value]);
  const others = [...fields].map(([name, json]) => `,${JSON.stringify(name)}:${json}`);
  return `${JSON.stringify(Object.fromEntries(named)).slice(0, -1)}${others.join("")}}`;
}

import { GameError } from "@gridlock/game";
import { Answer, Refused, Worth } from "@gridlock/schemas/api";
import { z } from "zod";
import type { Answerer, AnswerQuery } from "../answerer.js";
import { hangUp, type Operation, type RequestContext } from "../operation.js";
import { LIMITS, type ServerOptions } from "../options.js";
import {
  BatchEntrySchema,
  BatchParameters,
  readEntry,
  readParameters,
  readQuery,
  shown,
} from "../parameters.js";
import { Problem, problemOf } from "../problem.js";
import { JSON_TYPE, LINES_TYPE, replyStream } from "../reply.js";

/** Milliseconds after which other requests get their turn. */
const TURN_MS = 10;
/** Characters of answers that are sent together if they are known at once. */
const PIECE = 65_536;
/** Milliseconds between two attempts to have a board searched while too many searches are waiting. */
const AGAIN_MS = 200;
/** Characters of an invalid entry that its answer repeats. */
const SHOWN = 200;

/** Entries of an example. */
const EXAMPLES = ['{"board":"2 0 0/0 4 0/0 0 0"}', '{"board":"2 0/0 2","turn":"placer"}'];

const AnswerToEntrySchema = z.union([Answer, Worth, Refused]);

/** The operation that answers many boards. */
export function batchOperation(answerer: Answerer, options: ServerOptions): Operation {
  const { batches, bodyBytes, linesBytes, lineLength } = { ...LIMITS, ...options.limits };
  let underWay = 0;
  return {
    method: "post",
    path: "/v1/query",
    id: "query",
    summary: "Answer many boards, in order, each as soon as it is known",
    description:
      "The body is an array of boards, and the answer an array of their answers. Of newline-delimited JSON each line is a board, which is answered with a line, even before the next one is sent. An entry that is not a board is answered with an error, and the others are answered all the same.",
    group: "Boards",
    query: BatchParameters,
    bodies: [
      {
        type: JSON_TYPE,
        schema: z.array(BatchEntrySchema),
        example: `[${EXAMPLES.join()}]`,
      },
      {
        type: LINES_TYPE,
        schema: BatchEntrySchema,
        example: EXAMPLES.map((line) => `${line}\n`).join(""),
      },
    ],
    replies: [
      { type: JSON_TYPE, schema: z.array(AnswerToEntrySchema) },
      { type: LINES_TYPE, schema: AnswerToEntrySchema },
    ],
    problems: [413, 415, 429, 503],
    async handle(context) {
      const { budget, values } = readParameters(BatchParameters, context.req.url);
      const coding = context.req.header("content-encoding") ?? "identity";
      if (coding.toLowerCase() !== "identity") {
        throw new Problem(415, `the body is encoded as ${shown(coding)}; expected it plain`);
      }
      const asArray = isArray(context);
      const mostBytes = asArray ? bodyBytes : linesBytes;
      if (Number(context.req.header("content-length") ?? 0) > mostBytes) throw tooLarge(mostBytes);
      if (underWay >= batches) {
        throw new Problem(429, `${batches} batches are under way already; try again later`, {
          retryAfter: 5,
        });
      }
      underWay++;
      const done = () => underWay--;
      const settings = { budget, valueOnly: values, options };
      const signal = hangUp(context);
      const answersTo = (entries: Entries, frame: Frame) =>
        answersOf(entries, frame, answerer, settings, signal);
      const body = bodyOf(context);
      if (!asArray) {
        const answers = answersTo(linesOf(body, mostBytes, lineLength), LINES_FRAME);
        return replyStream(context, answers, LINES_TYPE, done);
      }
      try {
        const answers = answersTo([await entriesOf(body, mostBytes)], ARRAY_FRAME);
        return replyStream(context, answers, JSON_TYPE, done);
      } catch (error) {
        done();
        throw error;
      }
    },
  };
}

/** Returns whether a body is said to be JSON; any other type, such as curl's own, means lines. */
function isArray({ req }: RequestContext): boolean {
  return /^application\/json\s*(;|$)/i.test(req.header("content-type") ?? "");
}

function tooLarge(bytes: number): Problem {
  return new Problem(413, `the body is too large; expected at most ${bytes} bytes`);
}

function bodyOf(context: RequestContext): AsyncIterable<Buffer> {
  return context.env.incoming;
}

/** An entry of a batch as it was given: a line with its text, without a value if it is not JSON. */
interface Entry {
  readonly text?: string;
  readonly value?: unknown;
}

/** Entries in the groups in which they have arrived. */
type Entries = AsyncIterable<readonly Entry[]> | Iterable<readonly Entry[]>;

/** The texts before the first answer, before each other one, after each, and after the last one. */
interface Frame {
  readonly first: string;
  readonly next: string;
  readonly after: string;
  readonly last: string;
}

const LINES_FRAME: Frame = { first: "", next: "", after: "\n", last: "" };
const ARRAY_FRAME: Frame = { first: "[", next: ",\n", after: "", last: "]\n" };

interface BatchSettings {
  readonly budget: number | undefined;
  readonly valueOnly: boolean;
  readonly options: ServerOptions;
}

/**
 * Reads a body that is an array.
 *
 * @throws {Problem} 400 if it is not one, 413 if it is too large
 */
async function entriesOf(body: AsyncIterable<Buffer>, mostBytes: number): Promise<Entry[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk);
  }
  const expected = `expected an array of boards, such as [${EXAMPLES[0]}]`;
  let entries: unknown;
  try {
    entries = JSON.parse(Buffer.concat(chunks).toString());
  } catch (error) {
    throw new Problem(400, `the body is not JSON (${(error as Error).message}); ${expected}`);
  }
  if (!Array.isArray(entries)) {
    throw new Problem(400, `the body is ${shown(entries)}; ${expected}`);
  }
  return entries.map((value) => ({ value }));
}

/** Yields the lines of a body, without blank ones, in groups that have arrived together. */
async function* linesOf(
  body: AsyncIterable<Buffer>,
  mostBytes: number,
  mostLength: number,
): AsyncGenerator<Entry[]> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = "";
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() as string;
    if (rest.length > mostLength) {
      throw new Problem(413, `a line is too long; expected at most ${mostLength} characters`);
    }
    yield entriesIn(lines);
  }
  yield entriesIn([rest]);
}

function entriesIn(lines: readonly string[]): Entry[] {
  return lines.filter((line) => line.trim() !== "").map(entryOf);
}

function entryOf(line: string): Entry {
  const text = line.trim();
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return { text };
  }
}

/**
 * Yields the answers to entries, in pieces: those that are known at once are sent together. Ends with an error's when the
 * body cannot be read to its end.
 */
async function* answersOf(
  entries: Entries,
  frame: Frame,
  answerer: Answerer,
  settings: BatchSettings,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let piece = "";
  let before = frame.first;
  const add = (answer: string) => {
    piece += before + answer + frame.after;
    before = frame.next;
  };
  let turnEnds = performance.now() + TURN_MS;
  try {
    for await (const group of entries) {
      for (const entry of group) {
        signal.throwIfAborted();
        const query = queryOf(entry, settings);
        const known = typeof query === "string" ? query : answerer.lookUp(query)?.json;
        if (known === undefined && piece !== "") {
          yield piece;
          piece = "";
        }
        add(known ?? (await searched(query as AnswerQuery, answerer, signal)));
        const isTurnOver = performance.now() > turnEnds;
        if (isTurnOver || piece.length > PIECE) {
          yield piece;
          piece = "";
        }
        if (isTurnOver) {
          await new Promise((resolve) => setImmediate(resolve));
          turnEnds = performance.now() + TURN_MS;
        }
      }
      if (piece !== "") yield piece;
      piece = "";
    }
  } catch (error) {
    if (signal.aborted) return;
    add(JSON.stringify({ board: "", error: problemOf(error).message }));
  }
  // Of an empty array, the frame is all there is.
  const rest = piece + (before === frame.first ? before : "") + frame.last;
  if (rest !== "") yield rest;
}

/** Returns the query that an entry stands for or, if it is not a board, the answer that says so. */
function queryOf(
  { text, value }: Entry,
  { budget, valueOnly, options }: BatchSettings,
): AnswerQuery | string {
  try {
    const entry = readEntry(value);
    const board = typeof entry.board === "string" ? entry.board : JSON.stringify(entry.board);
    return { ...readQuery(entry.shape, { ...entry, board, budget }, options), valueOnly };
  } catch (error) {
    if (!(error instanceof GameError || (error instanceof Problem && error.status === 400)))
      throw error;
    const code = error instanceof GameError ? error.code : error.options.code;
    const board = givenBoard(value) ?? text ?? JSON.stringify(value);
    return JSON.stringify({ board: board.slice(0, SHOWN), error: error.message, code });
  }
}

/** Returns the text of the board of an entry, if it has one. */
function givenBoard(value: unknown): string | undefined {
  const board =
    typeof value === "object" && value !== null && "board" in value ? value.board : value;
  return typeof board === "string" ? board : undefined;
}

/** Has a board searched. A batch has begun to be answered, so it waits for its turn if too many searches are waiting. */
async function searched(
  query: AnswerQuery,
  answerer: Answerer,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    try {
      return (await answerer.answer(query, signal)).json;
    } catch (error) {
      if (!(error instanceof Problem && error.status === 429)) throw error;
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

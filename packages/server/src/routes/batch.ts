import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import type { AnswerQuery } from "@gridlock/answers";
import { Answer, Refused, Worth } from "@gridlock/schemas/api";
import { z } from "zod";
import type { Answerer, Found } from "../answerer.js";
import { type BatchSettings, type Entry, entriesIn } from "../batch-entries.js";
import { hangUp, type Operation, withParameters } from "../operation.js";
import { BatchEntrySchema, BatchParameters, shown } from "../parameters.js";
import { Problem, problemOf } from "../problem.js";
import { LINES_TYPE } from "../reply.js";
import type { Sources } from "../sources.js";

/** Milliseconds after which other requests get their turn. */
const TURN_MS = 10;
/** Characters of answers that are sent together if they are known at once. */
const PIECE = 65_536;
/** Least characters of a group for another thread, 100 boards or so: fewer are faster here. */
const MANY = 2048;
/** Milliseconds between two attempts to have a board searched while too many searches wait. */
const AGAIN_MS = 200;
const EXAMPLE = '{"board":"2 0 0/0 4 0/0 0 0"}\n{"board":"2 0/0 2","turn":"placer"}\n';

const AnswerToEntrySchema = z.union([Answer, Worth, Refused]);

/** The operation that answers many boards. */
export function batchOperation({ answerer, settings }: Sources): Operation {
  const { batches, bodyBytes, lineLength } = settings.limits;
  let underWay = 0;
  return withParameters({
    method: "post",
    path: "/v1/query",
    id: "query",
    summary: "Answer many boards, in order, each as soon as it is known",
    description:
      "The body is newline-delimited JSON. Each line is a board, which is answered with a line, even before the next one is sent. A line that is not a board is answered with an error, and the others are answered all the same.",
    group: "Boards",
    query: BatchParameters,
    body: { type: LINES_TYPE, schema: BatchEntrySchema, example: EXAMPLE },
    reply: { type: LINES_TYPE, schema: AnswerToEntrySchema },
    problems: [413, 415, 429, 503],
    handle(context, { budget, values: valueOnly }) {
      const coding = context.req.header("content-encoding") ?? "identity";
      if (coding.toLowerCase() !== "identity") {
        throw new Problem(415, `the body is encoded as ${shown(coding)}; expected it plain`);
      }
      if (Number(context.req.header("content-length") ?? 0) > bodyBytes) throw tooLarge(bodyBytes);
      if (underWay >= batches) {
        throw new Problem(429, `${batches} batches are under way already; try again later`, {
          retryAfter: 5,
        });
      }
      underWay++;
      context.env.outgoing.once("close", () => underWay--);
      const batch = { budget, valueOnly, settings };
      const signal = hangUp(context);
      const body: AsyncIterable<Buffer> = context.env.incoming;
      const lines = linesOf(body, bodyBytes, lineLength);
      const groups = groupsOf(lines, answerer, batch, signal);
      const headers = { "content-type": LINES_TYPE, "cache-control": "no-store" };
      // Node.js and the DOM type the same class differently.
      const stream = ReadableStream.from(answersOf(groups, answerer, signal)) as BodyInit;
      return new Response(stream, { headers });
    },
  });
}

function tooLarge(bytes: number): Problem {
  return new Problem(413, `the body is too large; expected at most ${bytes} bytes`);
}

/** Entries that have arrived together. */
interface Group {
  /** @throws {Problem} 413 if they are too large */
  entries(): Iterable<Entry>;
  /** For large groups, the answers from another thread; if it failed, they are looked up here. */
  readonly found?: Promise<Found | undefined>;
}

/**
 * Yields the lines of a body that have arrived together.
 *
 * @throws {Problem} 413 if it is too large, or a line of it is
 */
async function* linesOf(
  body: AsyncIterable<Buffer>,
  mostBytes: number,
  mostLength: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = "";
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    const text = rest + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    if (rest.length > mostLength) {
      throw new Problem(413, `a line is too long; expected at most ${mostLength} characters`);
    }
    yield text.slice(0, end);
  }
  yield rest;
}

/** Groups lines. Large groups go to other threads at once, several before the first is answered. */
function groupsOf(
  lines: AsyncIterable<string>,
  answerer: Answerer,
  settings: BatchSettings,
  signal: AbortSignal,
): AsyncIterable<Group> {
  async function* groups(): AsyncGenerator<Group> {
    try {
      for await (const some of lines) {
        const entries = entriesIn(some, settings);
        const group = { entries: () => entries };
        if (some.length < MANY) yield group;
        else yield { ...group, found: answerer.lookUpAll(queriesOf(entries), signal) };
      }
    } catch (error) {
      const entries = () => {
        throw error; // in its turn, after the answers before it
      };
      yield { entries };
    }
  }
  return Readable.from(groups(), { highWaterMark: answerer.lookUpThreads });
}

function queriesOf(entries: readonly Entry[]): AnswerQuery[] {
  return entries.flatMap((entry) => ("query" in entry ? [entry.query] : []));
}

/**
 * Yields the answers to entries as fast as they are read, in pieces of UTF-8: those that are known
 * at once are sent together. Ends with an error's when the body cannot be read to its end.
 */
async function* answersOf(
  groups: AsyncIterable<Group>,
  answerer: Answerer,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let piece = "";
  const takePiece = () => {
    const bytes = Buffer.from(piece);
    piece = "";
    return bytes;
  };
  let turnEnds = performance.now() + TURN_MS;
  try {
    for await (const { entries, found } of groups) {
      const answers = (await found)?.values();
      for (const entry of entries()) {
        signal.throwIfAborted();
        if ("refusal" in entry) piece += `${JSON.stringify(entry.refusal)}\n`;
        else {
          const { query } = entry;
          const known = answers?.next().value ?? answerer.lookUp(query)?.json;
          if (known === undefined && piece !== "") yield takePiece();
          const json = known ?? (await searched(query, answerer, signal));
          piece += `${json}\n`;
        }
        const isTurnOver = performance.now() > turnEnds;
        if (isTurnOver || piece.length > PIECE) yield takePiece();
        if (isTurnOver) {
          await new Promise((resolve) => setImmediate(resolve));
          turnEnds = performance.now() + TURN_MS;
        }
      }
      if (piece !== "") yield takePiece();
    }
  } catch (error) {
    if (signal.aborted) return;
    const refusal: Refused = { board: "", error: problemOf(error).message };
    piece += `${JSON.stringify(refusal)}\n`;
  }
  if (piece !== "") yield takePiece();
}

/** Has a board searched. The reply has begun, so it waits if there are too many searches. */
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

import { AnswerSchema, RefusedSchema, WorthSchema } from "@gridlock/answers";
import { GameError } from "@gridlock/game";
import { z } from "zod";
import type { Answerer } from "../answerer.js";
import { hangUp, type Operation, type RequestContext } from "../operation.js";
import { LIMITS, type ServerOptions } from "../options.js";
import {
  BatchLineSchema,
  BatchParameters,
  check,
  readParameters,
  readQuery,
} from "../parameters.js";
import { Problem, problemOf } from "../problem.js";
import { LINES_TYPE, streamOf } from "../reply.js";

/** Milliseconds after which other requests get their turn. */
const TURN_MS = 10;
/** Milliseconds between two attempts to have a board searched while too many searches are waiting. */
const AGAIN_MS = 200;
/** Characters of an invalid line that its answer repeats. */
const SHOWN = 200;

/** An example of a body. */
const EXAMPLE = '{"board":"2 0 0/0 4 0/0 0 0"}\n{"board":"2 0/0 2","turn":"placer"}\n';

/** The operation that answers many boards, one a line. */
export function batchOperation(answerer: Answerer, options: ServerOptions): Operation {
  const { batches, bodyBytes, lineLength } = { ...LIMITS, ...options.limits };
  let underWay = 0;
  return {
    method: "post",
    path: "/v1/query",
    id: "query",
    summary: "Answer many boards, one per line, in order, each as it arrives",
    description:
      "Each line of the body is an object with a board. Each answer is sent as soon as it is known. A line that is not a board is answered with an error, and the others are answered all the same.",
    group: "Boards",
    query: BatchParameters,
    body: { type: LINES_TYPE, schema: BatchLineSchema, example: EXAMPLE },
    reply: { type: LINES_TYPE, schema: z.union([AnswerSchema, WorthSchema, RefusedSchema]) },
    problems: [413, 429, 503],
    handle(context) {
      const parameters = readParameters(BatchParameters, context.req.url);
      if (Number(context.req.header("content-length") ?? 0) > bodyBytes) throw tooLarge(bodyBytes);
      if (underWay >= batches) {
        throw new Problem(429, `${batches} batches are under way already; try again later`, {
          retryAfter: 5,
        });
      }
      underWay++;
      const settings = {
        budget: parameters.budget,
        valueOnly: parameters.values === "true",
        options,
      };
      const signal = hangUp(context);
      const lines = linesOf(bodyOf(context), bodyBytes, lineLength);
      const answers = answersTo(lines, answerer, settings, signal);
      return new Response(
        streamOf(answers, () => underWay--),
        {
          headers: { "content-type": LINES_TYPE, "cache-control": "no-store" },
        },
      );
    },
  };
}

function tooLarge(bytes: number): Problem {
  return new Problem(413, `the body is too large; expected at most ${bytes} bytes`);
}

function bodyOf(context: RequestContext): AsyncIterable<Buffer> {
  return context.env.incoming;
}

interface BatchSettings {
  readonly budget: string | undefined;
  readonly valueOnly: boolean;
  readonly options: ServerOptions;
}

/** Yields the lines of a body, trimmed and without blank ones, as they arrive. */
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
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() as string;
    if (rest.length > mostLength) {
      throw new Problem(413, `a line is too long; expected at most ${mostLength} characters`);
    }
    for (const line of lines) if (line.trim() !== "") yield line.trim();
  }
  if (rest.trim() !== "") yield rest.trim();
}

/** Yields the answer to each line; ends with an error's line when the body cannot be read to its end. */
async function* answersTo(
  lines: AsyncIterable<string>,
  answerer: Answerer,
  settings: BatchSettings,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let turnEnds = performance.now() + TURN_MS;
  try {
    for await (const line of lines) {
      signal.throwIfAborted();
      yield `${await answerTo(line, answerer, settings, signal)}\n`;
      if (performance.now() > turnEnds) {
        await new Promise((resolve) => setImmediate(resolve));
        turnEnds = performance.now() + TURN_MS;
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    yield `${JSON.stringify({ board: "", error: problemOf(error).message })}\n`;
  }
}

async function answerTo(
  line: string,
  answerer: Answerer,
  { budget, valueOnly, options }: BatchSettings,
  signal: AbortSignal,
): Promise<string> {
  try {
    const given = check(BatchLineSchema, parseLine(line));
    const { board: written, shape, ...reading } = given;
    const board = typeof written === "string" ? written : JSON.stringify(written);
    const query = { ...readQuery(shape, { ...reading, board, budget }, options), valueOnly };
    const known = answerer.lookUp(query);
    return (known ?? (await patiently(() => answerer.answer(query, signal), signal))).json;
  } catch (error) {
    if (!(error instanceof GameError || (error instanceof Problem && error.status === 400)))
      throw error;
    const code = error instanceof GameError ? error.code : error.options.code;
    return JSON.stringify({ board: line.slice(0, SHOWN), error: error.message, code });
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Problem(400, 'the line is not JSON; expected {"board":"2 0 0/0 4 0/0 0 0"}');
  }
}

/** Tries again while too many searches are waiting: a batch has begun to be answered, and waits for its turn. */
async function patiently<T>(answer: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await answer();
    } catch (error) {
      if (!(error instanceof Problem && error.status === 429)) throw error;
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

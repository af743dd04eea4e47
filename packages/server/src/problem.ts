import { STATUS_CODES } from "node:http";
import { GameError } from "@gridlock/game";
import { PlayerError } from "@gridlock/players";
import type { Problem as ProblemJson } from "@gridlock/schemas";
import { StoreError } from "@gridlock/store";
import type { ServerOptions } from "./options.js";
import { reply } from "./reply.js";

/** A request that cannot be answered, with a sentence for its sender. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly status: 400 | 404 | 405 | 413 | 415 | 422 | 429 | 500 | 503,
    message: string,
    readonly options: {
      readonly code?: string;
      /** Seconds after which the client may try again. */
      readonly retryAfter?: number;
      /** The methods that the address takes. */
      readonly allow?: string;
    } = {},
  ) {
    super(message);
  }

  get title(): string {
    return STATUS_CODES[this.status] as string;
  }

  /** The headers of every answer that reports the problem. */
  get headers(): Record<string, string> {
    const { retryAfter, allow } = this.options;
    return {
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
      ...(allow !== undefined && { allow }),
    };
  }

  /** Returns the response. */
  response(): Response {
    const { code } = this.options;
    const problem: ProblemJson = {
      type: "about:blank",
      title: this.title,
      status: this.status,
      detail: this.message,
      ...(code !== undefined && { code }),
    };
    const json = JSON.stringify(problem);
    return reply(json, "application/problem+json", this.headers, this.status);
  }
}

/** Returns the problem with which a request is answered after an error. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof GameError) {
    const parameter = error.code === "bad-shape" ? "shape" : "board";
    return new Problem(400, `${parameter}: ${error.message}`, { code: error.code });
  }
  if (error instanceof PlayerError) return new Problem(422, error.message);
  if (error instanceof StoreError) {
    return new Problem(503, `the database cannot be used: ${error.message}`, { retryAfter: 5 });
  }
  return new Problem(500, "the server failed to answer; its log has the reason");
}

/** Returns the problem to answer with after an error, and warns of the server's own errors. */
export function reported(error: unknown, { warn }: Pick<ServerOptions, "warn">): Problem {
  const problem = problemOf(error);
  if (problem.status !== 500) return problem;
  warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return problem;
}

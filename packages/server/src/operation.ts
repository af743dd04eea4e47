import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { z } from "zod";

/** The environment of a request. */
export interface Env {
  Bindings: HttpBindings;
}

/** A request, and the means to answer it. */
export type RequestContext = Context<Env>;

/** The groups of operations and their contents, in the order in which they are shown. */
export const GROUPS = {
  Boards: "Values of boards, lines of best play, and the starts of games.",
  Pictures: "Boards as pictures.",
  Players: "Published programs that play, and the perfect player.",
  Runs: "Solves that are under way.",
  Files: "The files of results/ and docs/.",
  Server: "The state of the server, and this description.",
} as const;

/** The meanings of the problems that operations name. */
export const PROBLEMS = {
  400: "The request is not valid.",
  404: "There is nothing at this address.",
  413: "The body, or a line of it, is too large.",
  415: "The body has a coding that the server does not read.",
  422: "The request is valid, but cannot be answered for this shape.",
  429: "Too many requests are waiting; Retry-After says when to try again.",
  503: "The database or the Redis server cannot be used now, or the server is stopping.",
};

/** A type of content, and its schema if it is JSON or lines of JSON. */
interface Content {
  readonly type: string;
  readonly schema?: z.ZodType;
}

/** An API operation: its input and output, for the description and the checks, and its handler. */
export interface Operation<Query extends z.ZodObject = z.ZodObject> {
  /** Default: `get`. */
  readonly method?: "post";
  /** With parameters in braces: `/v1/{shape}/starts`. */
  readonly path: string;
  /** A name for programs: `starts`. */
  readonly id: string;
  readonly summary: string;
  /** One or more sentences that say more than the summary. */
  readonly description: string;
  readonly group: keyof typeof GROUPS;
  /** The parameters of the query; without them, the operation takes none. */
  readonly query?: Query;
  /** The body that it takes. */
  readonly body?: Required<Content> & { readonly example: string };
  /** Examples of the parameters in its path; those of a query are in its schema. */
  readonly examples?: Readonly<Record<string, string>>;
  /** Its answer. */
  readonly reply: Content;
  /** The problems that a request can cause, except for 400, which all operations have. */
  readonly problems?: readonly (keyof typeof PROBLEMS)[];
  /** Returns a response, or an object to send as JSON that must not be cached. */
  handle(context: RequestContext, parameters: z.infer<Query>): object | Promise<object>;
}

/** Returns an operation with parameters, whose handler takes those of its schema. */
export function withParameters<Query extends z.ZodObject>(operation: Operation<Query>): Operation {
  return operation;
}

/** Returns an operation's router path: `/v1/:shape/starts`. A last `{path}` takes slashes too. */
export function routeOf({ path }: Operation): string {
  return path.replace(/\{path\}$/, ":path{.+}").replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Returns a signal that aborts when the client hangs up before its request is answered. */
export function hangUp({ env: { outgoing } }: RequestContext): AbortSignal {
  const controller = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) controller.abort(new DOMException("hung up", "AbortError"));
  });
  return controller.signal;
}

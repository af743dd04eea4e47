import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { z } from "zod";
import type { ProblemStatus } from "./problem.js";

/** The environment of a request. */
export interface Env {
  Bindings: HttpBindings;
}

/** A request, and the means to answer it. */
export type RequestContext = Context<Env>;

/** The groups of operations, in the order in which they are shown. */
export const GROUPS = ["Boards", "Pictures", "Players", "Runs", "Files", "Server"] as const;

/** An operation of the API: what it takes and returns, for the description and for the checks, and its handler. */
export interface Operation {
  readonly method: "get" | "post";
  /** With parameters in braces: `/v1/{shape}/line`. */
  readonly path: string;
  /** A name for programs: `line`. */
  readonly id: string;
  readonly summary: string;
  readonly group: (typeof GROUPS)[number];
  readonly query?: z.ZodObject;
  readonly body?: {
    readonly type: string;
    readonly schema: z.ZodType;
    readonly example: string;
  };
  /** Examples of the parameters in its path; those of a query are in its schema. */
  readonly examples?: Readonly<Record<string, string>>;
  /** The type of the content, and its schema if it is JSON or lines or events of JSON. */
  readonly reply: { readonly type: string; readonly schema?: z.ZodType };
  /** The problems that a request can cause. */
  readonly problems: readonly ProblemStatus[];
  handle(context: RequestContext): Response | Promise<Response>;
}

/** Returns the path of an operation as the router takes it: `/v1/:shape/line`. A last parameter takes slashes too. */
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

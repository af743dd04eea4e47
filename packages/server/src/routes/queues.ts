/// <reference path="../bull-board.d.ts" />
import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { HonoAdapter } from "@bull-board/hono";
import type { StatusReader } from "@gridlock/cluster";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Hono } from "hono";
import type { Env } from "../operation.js";
import { Problem } from "../problem.js";

const PATH = "/queues";
/** The style sheet of a font that bull-board's page would load from elsewhere. */
const FOREIGN = /<link\b[^>]*\bhref="https:[^>]*>\s*/g;

/** Shows BullMQ's queue at `/queues` with bull-board, read-only. */
export function addQueues(app: Hono<Env>, { queue }: StatusReader): void {
  const serverAdapter = new HonoAdapter(serveStatic).setBasePath(PATH);
  createBullBoard({
    queues: [new BullMQAdapter(queue as never, { readOnlyMode: true })],
    serverAdapter,
    options: { uiConfig: { boardTitle: "Gridlock" } },
  });
  app.use(`${PATH}/*`, async (context, next) => {
    const { method } = context.req;
    if (method !== "GET" && method !== "HEAD") {
      const sentence = `the queues are read-only; expected GET, not ${method}`;
      return new Problem(405, sentence, { allow: "GET, HEAD" }).response();
    }
    await next();
    if (context.res.status >= 500) {
      context.res = new Problem(503, "Redis is not available now", { retryAfter: 5 }).response();
    }
    if (context.res.headers.get("content-type")?.startsWith("text/html")) {
      const html = await context.res.text();
      context.res = new Response(html.replaceAll(FOREIGN, ""), context.res);
    }
    return undefined;
  });
  app.route(PATH, serverAdapter.registerPlugin() as never);
}

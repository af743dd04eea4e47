import { renderApiPage } from "../api-page.js";
import type { Metrics, Observed } from "../metrics.js";
import { describeApi } from "../openapi.js";
import type { Operation } from "../operation.js";
import { replyJson, replyTagged } from "../reply.js";
import { HealthSchema } from "../schemas.js";

/**
 * Returns the operations about the server itself: its health, its metrics and its API.
 *
 * @param others all other operations
 */
export function serviceOperations(
  others: readonly Operation[],
  version: string,
  metrics: Metrics,
  observe: () => Observed,
): Operation[] {
  const own: Operation[] = [
    {
      method: "get",
      path: "/health",
      id: "health",
      summary: "Get the state of the server",
      reply: { type: "application/json", schema: HealthSchema },
      problems: [],
      handle(context) {
        const { running, waiting } = observe().searches;
        const health = { ok: true, version, searches: running, waiting };
        return replyJson(context, JSON.stringify(health), false);
      },
    },
    {
      method: "get",
      path: "/metrics",
      id: "metrics",
      summary: "Get metrics for Prometheus",
      reply: { type: "text/plain" },
      problems: [],
      async handle() {
        return new Response(await metrics.text(), {
          headers: { "content-type": metrics.contentType, "cache-control": "no-store" },
        });
      },
    },
    {
      method: "get",
      path: "/openapi.json",
      id: "openapi",
      summary: "Get this description of the API",
      reply: { type: "application/json" },
      problems: [],
      handle: (context) => replyTagged(context, JSON.stringify(description), "application/json"),
    },
    {
      method: "get",
      path: "/v1/docs",
      id: "docs",
      summary: "Get this description of the API as a page",
      reply: { type: "text/html" },
      problems: [],
      handle: async (context) => replyTagged(context, await page, "text/html; charset=utf-8"),
    },
  ];
  const operations = [...others, ...own];
  const description = describeApi(operations, version);
  const page = renderApiPage(description, operations);
  return own;
}

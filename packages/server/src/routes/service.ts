import { Health } from "@gridlock/schemas/api";
import type { Metrics } from "../metrics.js";
import { describeApi } from "../openapi.js";
import type { Operation } from "../operation.js";
import { reply, replyTagged } from "../reply.js";
import type { Sources } from "../sources.js";

/**
 * Returns the operations about the server itself: its health, its metrics and its API.
 *
 * @param others all other operations
 */
export function serviceOperations(
  others: readonly Operation[],
  metrics: Metrics,
  { answerer, settings: { version } }: Sources,
): Operation[] {
  const own: Operation[] = [
    {
      path: "/health",
      id: "health",
      summary: "Get the state of the server",
      description: "The answer says that the server is up, and how many searches it is busy with.",
      group: "Server",
      reply: { type: "application/json", schema: Health },
      handle() {
        const { running, waiting } = answerer.searches;
        return { ok: true, version, searches: running, waiting };
      },
    },
    {
      path: "/metrics",
      id: "metrics",
      summary: "Get metrics for Prometheus",
      description:
        "The metrics count the requests of each operation, their times, and the searches.",
      group: "Server",
      reply: { type: "text/plain" },
      async handle() {
        const { registry } = metrics;
        return reply(await registry.metrics(), registry.contentType);
      },
    },
    {
      path: "/openapi.json",
      id: "openapi",
      summary: "Get this description of the API",
      description: "The description is made from the schemas that check the requests.",
      group: "Server",
      reply: { type: "application/json" },
      handle: (context) => replyTagged(context, JSON.stringify(description), "application/json"),
    },
  ];
  const description = describeApi([...others, ...own], version);
  return own;
}

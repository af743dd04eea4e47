import { setTimeout as sleep } from "node:timers/promises";
import { RunState, Runs } from "@gridlock/schemas/api";
import { hangUp, type Operation } from "../operation.js";
import { Problem } from "../problem.js";
import { streamOf } from "../reply.js";
import type { RunWatch } from "../runs.js";
import type { Sources } from "../sources.js";

/** Milliseconds between two events of a run. */
const EVENT_MS = 1000;

/** The operations of solves that are under way. */
export function runOperations({ runs, streams, settings }: Sources): Operation[] {
  const most = settings.limits.streams;
  return [
    {
      path: "/v1/runs",
      id: "runs",
      summary: "List the solves that are under way, or ended in the last minutes",
      description:
        "A run is a solve of a game that writes to the database of this server, or that machines share through a Redis server.",
      group: "Runs",
      replies: [{ type: "application/json", schema: Runs }],
      problems: [503],
      handle: async () => ({ runs: await runs.list() }),
    },
    {
      path: "/v1/runs/{id}/events",
      id: "runEvents",
      summary: "Follow a solve: an event a second with its state, until it ends",
      description:
        "The events are server-sent events, whose data is the state of the run as JSON. The stream closes after the event in which the run has ended.",
      group: "Runs",
      examples: { id: "1" },
      replies: [{ type: "text/event-stream", schema: RunState }],
      problems: [404, 429, 503],
      async handle(context) {
        const id = context.req.param("id") ?? "";
        if (streams.count >= most) {
          throw new Problem(429, `${most} streams are open already; try again later`, {
            retryAfter: 5,
          });
        }
        streams.count++;
        context.env.outgoing.once("close", () => streams.count--);
        if (!(await runs.state(id))) {
          throw new Problem(404, `there is no run ${id.slice(0, 100)}; /v1/runs lists the runs`);
        }
        const signal = AbortSignal.any([hangUp(context), streams.closing]);
        return new Response(streamOf(eventsOf(runs, id, signal)), {
          headers: {
            "content-type": "text/event-stream",
            "cache-control": "no-store",
            "x-accel-buffering": "no", // nginx would pass on several events at a time
          },
        });
      },
    },
  ];
}

/** Yields the state of a run every second, until it ends. */
async function* eventsOf(runs: RunWatch, id: string, signal: AbortSignal): AsyncGenerator<string> {
  while (!signal.aborted) {
    const state = await runs.state(id);
    if (state) yield `data: ${JSON.stringify(state)}\n\n`;
    if (state?.state !== "running") return;
    await sleep(EVENT_MS, undefined, { signal }).catch(() => {}); // aborted
  }
}

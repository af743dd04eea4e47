import { Runs } from "@gridlock/schemas/api";
import type { Operation } from "../operation.js";
import type { Sources } from "../sources.js";

/** The operation that lists solves. */
export function runsOperation({ runs }: Sources): Operation {
  return {
    path: "/v1/runs",
    id: "runs",
    summary: "List the solves that are under way, or ended in the last minutes, with their states",
    description:
      "A run is a solve of a game that writes to the database of this server, or that machines share through a Redis server.",
    group: "Runs",
    reply: { type: "application/json", schema: Runs },
    problems: [503],
    handle: async () => ({ runs: await runs.list() }),
  };
}

import type { WorkerMessage } from "@gridlock/schemas/cluster";
import { NOTHING_SHARED } from "../src/link.js";
import { PROTOCOL } from "../src/messages.js";

/** Returns the status of an idle worker without a run. */
export function statusOf(worker: string, protocol = PROTOCOL): WorkerMessage {
  const counts = { positions: 0, afterstates: 0 };
  return {
    protocol,
    worker,
    host: "h",
    pid: 1,
    version: "0",
    threads: 1,
    memory: 0,
    state: "idle",
    question: null,
    subtree: null,
    answer: null,
    run: null,
    counts,
    nodesPerSecond: 0,
    boundsPerSecond: 0,
    shared: NOTHING_SHARED,
  };
}

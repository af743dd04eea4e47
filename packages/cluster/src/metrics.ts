import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RunMessage, WorkerMessage } from "@gridlock/schemas/cluster";
import type { Registry } from "prom-client";
import { ClusterError } from "./errors.js";
import { UNHEALTHY_MS } from "./timing.js";

/** The state of a coordinator or a worker from which metrics are made. */
export interface Observed {
  readonly run?: RunMessage;
  readonly worker?: WorkerMessage;
  /** The time when Redis last accepted a command, in milliseconds of `performance.now`. */
  readonly heard: number;
}

/**
 * Serves `/metrics`, for Prometheus, and `/health`: 200 while Redis is reachable, 503 otherwise.
 *
 * @param port 0 for any free port
 * @param host an address of this machine, or 0.0.0.0 or :: for all of them
 * @throws {ClusterError} `metrics` if the address cannot be used
 */
export async function serveMetrics(
  { port, host }: { readonly port: number; readonly host: string },
  observe: () => Observed,
): Promise<AsyncDisposable & { readonly port: number }> {
  // Most workers serve no metrics, and need not load this.
  const client = await import("prom-client");
  const server = createServer(async ({ url }, response) => {
    const observed = observe();
    if (url === "/metrics") {
      const registry = registryOf(observed, client);
      response.setHeader("content-type", registry.contentType).end(await registry.metrics());
    } else if (url === "/health") {
      const silent = performance.now() - observed.heard;
      response.statusCode = silent < UNHEALTHY_MS ? 200 : 503;
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ ok: response.statusCode === 200, silentSeconds: silent / 1000 }),
      );
    } else {
      response.statusCode = 404;
      response.end("expected /metrics or /health\n");
    }
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ClusterError(
      "metrics",
      `cannot serve metrics at ${host}, port ${port}: ${REASONS[code ?? ""] ?? message}`,
      { cause: error },
    );
  }
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Problems with an address and their remedies, by the system's error code. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses the port; expected a free one, or --metrics 0 for any",
  EADDRNOTAVAIL:
    "this machine does not have the address; expected --metrics-host with one of its own",
  ENOTFOUND: "the name is not known; expected --metrics-host with an address of this machine",
};

function registryOf({ run, worker }: Observed, client: typeof import("prom-client")): Registry {
  const registry = new client.Registry();
  /** Adds a gauge with one value, or with one for each value of a label. */
  const gauge = (
    name: string,
    help: string,
    values: number | Readonly<Record<string, number>>,
    label = "direction",
  ) => {
    const isOne = typeof values === "number";
    const made = new client.Gauge({
      name: `gridlock_${name}`,
      help,
      registers: [registry],
      labelNames: isOne ? [] : [label],
    });
    if (isOne) made.set(values);
    else for (const [key, value] of Object.entries(values)) made.set({ [label]: key }, value);
  };
  if (worker) {
    gauge("nodes", "Nodes searched in this run.", worker.counts, "kind");
    gauge("nodes_per_second", "Nodes searched in the last second.", worker.nodesPerSecond);
    gauge("threads", "Threads that search.", worker.threads);
    gauge("busy", "1 while a question is under way, else 0.", worker.state === "idle" ? 0 : 1);
    const { sent, received, bytesSent, bytesReceived, refused } = worker.shared;
    const shared = "shared with other workers since this one made its table.";
    gauge("bounds", `Bounds ${shared}`, { sent, received });
    const bytes = { sent: bytesSent, received: bytesReceived };
    gauge("bounds_bytes", `Bytes of bounds ${shared}`, bytes);
    gauge(
      "batches_refused",
      "Batches of bounds that were not readable, or of another run.",
      refused,
    );
  } else if (run) {
    gauge("nodes", "Nodes searched in this run.", run.counts, "kind");
    const solved = run.starts.filter(({ bound }) => bound.lo === bound.hi).length;
    gauge("starts", "Starts of the shape.", run.starts.length);
    gauge("starts_solved", "Starts whose value is proven.", solved);
    gauge("subtrees", "Subtrees searched in this run.", run.subtrees.done);
    gauge("subtrees_queued", "Subtrees that wait or are under search.", run.subtrees.queued);
    gauge("questions", "Questions answered in this run.", run.questions);
    gauge("workers", "Workers in the run.", run.workers.length);
  }
  return registry;
}

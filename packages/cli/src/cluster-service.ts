import { type MetricsServer, type Patience, serveMetrics } from "@gridlock/cluster";
import type { ServiceFlags } from "./options/cluster.js";
import type { loggerOf } from "./output/logger.js";

/** Milliseconds for which a command that starts waits for a server that is away, as it is while it restarts. */
const START_MS = 10_000;

/** Has a command that starts wait some seconds for its server, and say so. */
export function patience(log: ReturnType<typeof loggerOf>): Patience {
  return {
    milliseconds: START_MS,
    onWait: ({ message }) => log.warn({ error: message }, "waiting for Redis"),
  };
}

/** Serves metrics where `--metrics` asks for it. */
export async function metricsFor(
  { metrics }: Pick<ServiceFlags, "metrics">,
  source: { observe(): ReturnType<Parameters<typeof serveMetrics>[1]> },
): Promise<MetricsServer | undefined> {
  return metrics === undefined ? undefined : await serveMetrics(metrics, () => source.observe());
}

import { type MetricsServer, type Patience, START_MS, serveMetrics } from "@gridlock/cluster";
import type { ServiceFlags } from "./options/cluster.js";
import type { loggerOf } from "./output/logger.js";

/** Makes a command wait some seconds for its server at the start, and report it. */
export function patience(log: ReturnType<typeof loggerOf>): Patience {
  return {
    milliseconds: START_MS,
    onWait: ({ message }) => log.warn({ error: message }, "waiting for Redis"),
  };
}

/** Serves metrics if `--metrics` is given. */
export async function metricsFor(
  { metrics: port, metricsHost: host }: Pick<ServiceFlags, "metrics" | "metricsHost">,
  source: { observe(): ReturnType<Parameters<typeof serveMetrics>[1]> },
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  return await serveMetrics({ port, host }, () => source.observe());
}

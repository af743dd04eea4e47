import { type MetricsServer, type Patience, START_MS, serveMetrics } from "@gridlock/cluster";
import { type Logger, pino } from "pino";
import type { ServiceFlags } from "./options/cluster.js";
import { visible } from "./output/visible.js";

/** Makes a command wait some seconds for its server at the start, and report it. */
export function patience(log: Logger): Patience {
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

/** Makes a logger of JSON lines on standard error. */
export function loggerOf({ logLevel }: Pick<ServiceFlags, "logLevel">): Logger {
  const destination = pino.destination({ dest: 2, sync: true });
  destination.on("error", () => {}); // a log that cannot be written does not stop the work
  const write = (line: string) => destination.write(visible(line));
  return pino({ level: logLevel, base: null }, { write });
}

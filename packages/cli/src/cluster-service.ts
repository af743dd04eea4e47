import {
  type ClusterWorker,
  checkServer,
  endpointOf,
  nameOf,
  type RedisOptions,
  serveMetrics,
} from "@gridlock/cluster";
import type { Logger } from "pino";
import type { ServiceFlags } from "./options/cluster.js";
import { loggerOf } from "./output/log.js";

/**
 * Makes a service's log, and checks its server, for which it waits some seconds.
 *
 * @param settings of the service, for the first line of the log
 */
export async function openService(
  redis: RedisOptions,
  flags: ServiceFlags,
  settings: object = {},
): Promise<Logger> {
  const log = loggerOf(flags);
  log.info({ server: nameOf(endpointOf(redis)), prefix: redis.prefix, ...settings }, "starting");
  await checkServer(redis, ({ message }) => log.warn({ error: message }, "waiting for Redis"));
  return log;
}

/** Serves metrics if `--metrics` is given. */
export async function metricsFor(
  { metrics: port, metricsHost: host }: Pick<ServiceFlags, "metrics" | "metricsHost">,
  source: Pick<ClusterWorker, "observe">,
): Promise<AsyncDisposable | undefined> {
  if (port === undefined) return undefined;
  return await serveMetrics({ port, host }, () => source.observe());
}

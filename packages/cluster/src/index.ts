export { Coordinator, type CoordinatorOptions } from "./coordinator.js";
export { ClusterError, type ClusterErrorCode } from "./errors.js";
export {
  ClusterStatusSchema,
  PROTOCOL,
  type RunMessage,
  type WorkerMessage,
} from "./messages.js";
export { type MetricsServer, serveMetrics } from "./metrics.js";
export { isOutage } from "./outage.js";
export type { RedisOptions } from "./redis-options.js";
export { checkServer, type Patience } from "./server-check.js";
export { type ClusterStatus, StatusReader } from "./status.js";
export { START_MS } from "./timing.js";
export { ClusterWorker, type WorkerOptions } from "./worker.js";

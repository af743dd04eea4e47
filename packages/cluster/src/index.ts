export { Coordinator, type CoordinatorOptions } from "./coordinator.js";
export { ClusterError, type ClusterErrorCode } from "./errors.js";
export { PROTOCOL } from "./messages.js";
export { serveMetrics } from "./metrics.js";
export { isOutage } from "./outage.js";
export { endpointOf, nameOf, type RedisOptions } from "./redis-options.js";
export { checkServer } from "./server-check.js";
export { type ClusterStatus, StatusReader } from "./status.js";
export { ClusterWorker, type WorkerOptions } from "./worker.js";

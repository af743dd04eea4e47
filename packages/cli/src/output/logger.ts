import { type Logger, pino } from "pino";
import type { ServiceFlags } from "../options/cluster.js";

/** Logs as JSON, a line each, on standard error. */
export function loggerOf({ logLevel }: Pick<ServiceFlags, "logLevel">): Logger {
  return pino({ level: logLevel, base: null }, pino.destination({ dest: 2, sync: true }));
}

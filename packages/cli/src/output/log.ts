import { type Logger, pino } from "pino";
import type { ServiceFlags } from "../options/cluster.js";
import { visible } from "./visible.js";

/** Makes a logger of JSON lines on standard error. */
export function loggerOf({ logLevel }: Pick<ServiceFlags, "logLevel">): Logger {
  const destination = pino.destination({ dest: 2, sync: true });
  destination.on("error", () => {}); // a log that cannot be written does not stop the work
  const write = (line: string) => destination.write(visible(line));
  return pino({ level: logLevel, base: null }, { write });
}

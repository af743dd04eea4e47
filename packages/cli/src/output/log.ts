import { isatty } from "node:tty";
import { type Logger, pino } from "pino";
import type { ServiceFlags } from "../options/cluster.js";
import { visible, visibleLine } from "./visible.js";

const STDERR = 2;

/** Makes a logger on standard error: of text if that is a terminal, otherwise of JSON lines. */
export function loggerOf({ logLevel }: Pick<ServiceFlags, "logLevel">): Logger {
  const destination = pino.destination({ dest: STDERR, sync: true });
  destination.on("error", () => {}); // a log that cannot be written does not stop the work
  const level = { level: logLevel, base: null };
  if (!isatty(STDERR)) {
    return pino(level, { write: (line: string) => destination.write(visible(line)) });
  }
  const log = pino(level, { write: (line: string) => destination.write(asText(line)) });
  log.child = () => log as never; // the name of the worker or run in each line is for programs
  return log;
}

/** Formats a JSON line of the log for people: `20:31:07 warning: words: error (name value, …)`. */
function asText(line: string): string {
  const { level, time, msg, error, ...fields } = JSON.parse(line);
  const clock = new Date(time).toTimeString().slice(0, 8);
  const severity = level >= 50 ? "error: " : level >= 40 ? "warning: " : "";
  const reason = error === undefined ? "" : `: ${error}`;
  const details = Object.entries(fields).map(([name, value]) => `${name} ${valueAsText(value)}`);
  const list = details.length === 0 ? "" : ` (${details.join(", ")})`;
  return `${visibleLine(`${clock} ${severity}${msg}${reason}${list}`)}\n`;
}

/** Returns a value without the marks of JSON: `lo 352` for a bound. */
function valueAsText(value: unknown): string {
  if (value === null) return "–";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(valueAsText).join(" ");
  const known = Object.entries(value).filter(([, part]) => part !== null);
  return known.map(([name, part]) => `${name} ${valueAsText(part)}`).join(" ");
}

import { type Logger, pino } from "pino";

/** A logger whose messages can be read. */
export interface ReadableLog {
  readonly log: Logger;
  /** All messages so far. */
  readonly messages: string[];
}

export function readableLog(): ReadableLog {
  const messages: string[] = [];
  const write = (line: string) => void messages.push((JSON.parse(line) as { msg: string }).msg);
  return { log: pino({ level: "debug" }, { write }), messages };
}

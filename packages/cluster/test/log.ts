import { type Logger, pino } from "pino";

/** A line of a log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly error?: string;
  readonly seconds?: number;
}

/** A logger whose messages can be read. */
export interface ReadableLog {
  readonly log: Logger;
  /** All messages so far. */
  readonly messages: string[];
  /** The whole lines of these messages. */
  readonly lines: LogLine[];
}

export function readableLog(): ReadableLog {
  const messages: string[] = [];
  const lines: LogLine[] = [];
  const write = (text: string) => {
    const line = JSON.parse(text) as LogLine;
    messages.push(line.msg);
    lines.push(line);
  };
  return { log: pino({ level: "debug" }, { write }), messages, lines };
}

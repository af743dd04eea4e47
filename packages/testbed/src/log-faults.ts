/** Lines that all commands of a run may log together. */
const MOST_LINES = 1000;

/** Sentences of libraries, which tell a user nothing, and warnings of Node. */
const FOREIGN = [
  "maxRetriesPerRequest",
  "max retries per request",
  "enableOfflineQueue",
  "Stream isn't writeable",
  "Socket timeout",
  "Connection is closed",
  "(node:",
  "    at ",
];

/** Returns the faults of what the commands of a run have logged, as sentences. */
export function logFaults(lines: readonly string[]): string[] {
  const faults = FOREIGN.flatMap((text) => {
    const found = lines.filter((line) => line.includes(text));
    const [first] = found;
    return first === undefined
      ? []
      : [`${found.length} lines have "${text.trim()}": ${shorten(first)}`];
  });
  if (lines.length >= MOST_LINES) {
    faults.push(`${lines.length} log lines; expected fewer than ${MOST_LINES}`);
  }
  return faults;
}

/** Returns what a command has logged, as lines. */
export function logLines(stderr: string): string[] {
  return stderr.split("\n").filter((line) => line !== "");
}

/** Shortens a line for a report. */
export function shorten(line: string): string {
  return line.length > 240 ? `${line.slice(0, 237)}...` : line;
}

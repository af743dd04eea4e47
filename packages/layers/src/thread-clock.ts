import { readFileSync } from "node:fs";

/**
 * Returns the seconds of processor time that this thread has used, counted from any moment. Only
 * Linux reports them; on other systems it returns the seconds that have passed, including those
 * used by other programs.
 */
export function threadSeconds(): number {
  // Makes the system update the figure, which could otherwise be 4 ms old.
  process.cpuUsage();
  return usedByThread() ?? performance.now() / 1000;
}

function usedByThread(): number | undefined {
  try {
    const used = readFileSync("/proc/thread-self/schedstat", "latin1");
    return Number.parseInt(used, 10) / 1e9 || undefined; // 0 if the system does not count it
  } catch {
    return undefined;
  }
}

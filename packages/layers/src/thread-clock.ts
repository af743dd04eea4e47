import { readFileSync } from "node:fs";

/**
 * Returns the seconds of processor time that this thread has used, from any moment on. Where the system does not report
 * them (only Linux does), the seconds that have passed, which include those that other programs have taken.
 */
export function threadSeconds(): number {
  // Has the kernel bring the figure up to date, which would be up to 4 ms old.
  process.cpuUsage();
  return usedByThread() ?? performance.now() / 1000;
}

function usedByThread(): number | undefined {
  try {
    const used = readFileSync("/proc/thread-self/schedstat", "latin1");
    return Number.parseInt(used, 10) / 1e9 || undefined; // a kernel that does not count has 0
  } catch {
    return undefined;
  }
}

import { readFileSync } from "node:fs";
import { GRIDLOCK, Process } from "./command.js";
import { until } from "./until.js";

/**
 * Runs `gridlock serve` on a database while `work`, given its address and its process, goes on.
 *
 * @throws {Error} with its output, if it ends before it listens
 */
export async function whileServing<T>(
  db: string,
  work: (url: string, server: Process) => Promise<T>,
): Promise<T> {
  await using server = new Process(GRIDLOCK, ["serve", "--port", "0", "--db", db]);
  const url = await until("the server listens", () => {
    if (!server.isRunning) throw new Error(server.stderr);
    return /(http:\S+)/.exec(server.stdout)?.[1];
  });
  return await work(url, server);
}

/** Returns the bytes of memory that a process has now, under Linux. */
export function memoryOf(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

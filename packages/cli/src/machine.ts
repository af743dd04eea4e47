import { availableParallelism, cpus, totalmem } from "node:os";
import { formatBytes } from "@gridlock/report";

/** Describes the machine in one line, for the log of runs: processor, threads, memory, runtime. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const threads = availableParallelism();
  return `${model}, ${threads} thread${threads === 1 ? "" : "s"}, ${formatBytes(totalmem())}, Node ${process.versions.node} on ${process.platform}`;
}

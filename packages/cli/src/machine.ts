import { existsSync, statfsSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import { counted, formatBytes } from "@gridlock/report";
import type { RunLabel } from "@gridlock/solver";
import { VERSION } from "./version.js";

/** Labels a run of this program in the log of runs. */
export function runLabel(options: RunLabel["options"]): RunLabel {
  return { version: VERSION, machine: describeMachine(), options };
}

/** Returns the free bytes on the disk of a file or folder, which need not exist. */
export function freeSpace(path: string): number {
  let place = path;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize;
}

/** Describes the machine in one line, for the log of runs: processor, threads, memory, runtime. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return `${model}, ${counted(availableParallelism(), "thread")}, ${formatBytes(totalmem())}, Node ${process.versions.node} on ${process.platform}`;
}

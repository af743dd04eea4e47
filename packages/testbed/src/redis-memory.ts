import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterRun } from "./cluster-run.js";
import type { Process } from "./command.js";

/** Bytes of Redis's memory that a run of 2×5 may use. */
const MOST_MEMORY = 16 * 2 ** 20;
/** Entries that an event stream may have; BullMQ's limit of 10,000 is approximate. */
const MOST_EVENTS = 11_000;

/** Returns the bytes of Redis's memory that are used. */
export async function usedMemory(run: ClusterRun): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(`${await run.tell("INFO", "memory")}`)?.[1]);
}

/** Returns the keys of a run. */
async function keysOf(run: ClusterRun): Promise<string[]> {
  return (await run.tell("KEYS", "{gridlock}:*")) as string[];
}

/** Returns the keys that would stay in Redis for ever, as a sentence, or nothing. */
export async function immortal(run: ClusterRun): Promise<string[]> {
  const stay: string[] = [];
  for (const key of await keysOf(run)) {
    if (Number(await run.tell("PTTL", key)) === -1) stay.push(key);
  }
  return stay.length === 0 ? [] : [`keys without expiry: ${stay.sort().join(", ")}`];
}

/** Watches Redis's memory and the event streams until the solve has ended; returns faults, as sentences. */
export async function watchMemory(
  run: ClusterRun,
  solve: Process,
  base: number,
): Promise<string[]> {
  let [memory, events] = [0, 0];
  while (solve.isRunning) {
    memory = Math.max(memory, (await usedMemory(run)) - base);
    for (const key of await keysOf(run)) {
      if (key.endsWith(":events")) events = Math.max(events, Number(await run.tell("XLEN", key)));
    }
    await sleep(250);
  }
  return [
    memory > MOST_MEMORY ? `${memory} bytes of Redis's memory; expected ${MOST_MEMORY}` : "",
    events > MOST_EVENTS ? `${events} events in a stream; expected ${MOST_EVENTS}` : "",
  ].filter((fault) => fault !== "");
}

import { setImmediate } from "node:timers/promises";
import { type Job, mergeTallies, type Tally, work } from "./work.js";

/**
 * Megabytes of stack per thread: a search recurses twice per placement, of which there can be 8,190
 * on 12 cells.
 */
const STACK_MB = 32;
/** Milliseconds that the calling thread works before it lets other tasks run. */
const TURN_MS = 50;

/**
 * Does a job in worker threads.
 *
 * @throws the signal's reason if it is aborted, or an `Error` if a thread fails.
 */
export async function workInThreads(
  job: Job,
  threads: number,
  signal: AbortSignal | undefined,
): Promise<Tally> {
  const { Tinypool } = await import("tinypool"); // only a large check needs threads
  const pool = new Tinypool({
    filename: new URL("./verify-worker.js", import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { stackSizeMb: STACK_MB },
  });
  const stop = () => void pool.destroy(); // fails the running tasks
  signal?.addEventListener("abort", stop);
  try {
    const tallies: Tally[] = await Promise.all(
      Array.from({ length: threads }, () => pool.run(job)),
    );
    return tallies.reduce(mergeTallies);
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`a thread of the check failed: ${(error as Error).message}`, { cause: error });
  } finally {
    signal?.removeEventListener("abort", stop);
    await pool.destroy();
  }
}

/** Does a job in the calling thread, and regularly lets other tasks run. */
export async function workHere(job: Job, signal: AbortSignal | undefined): Promise<Tally> {
  const checking = work(job);
  let turn = performance.now();
  for (;;) {
    const step = checking.next();
    if (step.done) return step.value;
    if (performance.now() - turn > TURN_MS) {
      await setImmediate();
      signal?.throwIfAborted();
      turn = performance.now();
    }
  }
}

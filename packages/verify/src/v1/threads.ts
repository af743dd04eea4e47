import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Job, mergeTallies, type Tally, work } from "./work.js";

/**
 * Megabytes of stack per thread: a search recurses twice per placement, of which there can be 8,190
 * on 12 cells.
 */
const STACK_MB = 32;
/** Milliseconds that the calling thread works before it lets other tasks run. */
const TURN_MS = 50;

/**
 * Does a job in worker threads. They are plain ones: those of `store` belong to the code that this
 * package checks.
 *
 * @throws the signal's reason if it is aborted, or an `Error` if a thread fails.
 */
export async function workInThreads(
  job: Job,
  threads: number,
  signal: AbortSignal | undefined,
): Promise<Tally> {
  signal?.throwIfAborted();
  const workers: Worker[] = [];
  const stop = async () => void (await Promise.all(workers.map((worker) => worker.terminate())));
  signal?.addEventListener("abort", stop); // fails the threads
  try {
    const tallies = Array.from({ length: threads }, () => {
      const worker = new Worker(new URL("./verify-worker.js", import.meta.url), {
        workerData: job,
        resourceLimits: { stackSizeMb: STACK_MB },
      });
      workers.push(worker);
      return tallyOf(worker);
    });
    return (await Promise.all(tallies)).reduce(mergeTallies);
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`a thread of the check failed: ${(error as Error).message}`, { cause: error });
  } finally {
    signal?.removeEventListener("abort", stop);
    await stop();
  }
}

/** Waits for the tally of a thread; fails if it ends without one. */
function tallyOf(worker: Worker): Promise<Tally> {
  const tally = new Promise<Tally>((resolve, reject) => {
    worker.once("message", resolve).once("error", reject);
    worker.once("exit", () => reject(new Error("it ended unexpectedly")));
  });
  tally.catch(() => {}); // reported to whoever awaits it, if all threads could be started
  return tally;
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

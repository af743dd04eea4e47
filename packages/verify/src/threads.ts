import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Job, mergeTallies, type Tally, work } from "./work.js";

/** Megabytes of stack of a thread: a search recurses three times a placement, 8,190 on 12 cells. */
const STACK_MB = 32;
/** Milliseconds that the calling thread works before it lets others have a turn. */
const TURN_MS = 50;

/**
 * Does a job in threads of its own.
 *
 * @throws the signal's reason when it is aborted, or an `Error` when a thread dies.
 */
export async function workInThreads(
  job: Job,
  threads: number,
  signal: AbortSignal | undefined,
): Promise<Tally> {
  const workers = Array.from({ length: threads }, () => hire(job));
  const aborted = abortion(signal);
  try {
    const tallies = Promise.all(workers.map(tallyFrom));
    return (await Promise.race([tallies, aborted.promise])).reduce(mergeTallies);
  } finally {
    aborted.forget();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function hire(job: Job): Worker {
  return new Worker(new URL("./verify-worker.js", import.meta.url), {
    workerData: job,
    resourceLimits: { stackSizeMb: STACK_MB },
  });
}

function tallyFrom(worker: Worker): Promise<Tally> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", (error) =>
      reject(new Error(`a thread of the check failed: ${error.message}`, { cause: error })),
    );
    worker.once("exit", () => reject(new Error("a thread of the check ended before its work did")));
  });
}

/** A promise that rejects once the signal is aborted. */
function abortion(signal: AbortSignal | undefined): { promise: Promise<never>; forget(): void } {
  let onAbort = () => {};
  const promise = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  return { promise, forget: () => signal?.removeEventListener("abort", onAbort) };
}

/** Does a job in the calling thread, and lets others have a turn now and then. */
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

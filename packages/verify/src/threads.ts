import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { CertificateError, type CertificateErrorCode } from "./errors.js";
import { Hand, handOut, type Job, mergeTallies, NOTHING, type Phase, type Tally } from "./work.js";

/** Those who do the phases of a job, one after the other. */
export interface Team extends AsyncDisposable {
  /** Does a phase. */
  do(phase: Phase): Promise<Tally>;
}

/** What a thread answers to a phase: its results, or why it failed. */
export type Answer =
  | { readonly tally: Tally }
  | { readonly code: CertificateErrorCode | undefined; readonly message: string };

/**
 * Megabytes of a thread's heap, its young objects apart: small, so that decoded blocks are
 * collected soon.
 */
const HEAP_MB = 64;
const YOUNG_MB = 4;

/** Makes a team of the calling thread alone. */
export function teamHere(job: Job): Team {
  const hand = new Hand(job);
  return {
    do: async (phase) => {
      handOut(job, phase);
      return hand.do(phase);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/**
 * Starts threads for a job. They are plain ones: those of `store` belong to the code that this
 * package checks.
 *
 * @param signal stops them: a phase then rejects with the signal's reason
 */
export function teamOfThreads(job: Job, threads: number, signal: AbortSignal | undefined): Team {
  signal?.throwIfAborted();
  const workers: Worker[] = [];
  const stop = async () => void (await Promise.all(workers.map((worker) => worker.terminate())));
  const start = () => {
    const worker = new Worker(new URL("./verify-worker.js", import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    workers.push(worker);
  };
  for (let i = 0; i < threads; i++) start();
  signal?.addEventListener("abort", stop); // fails the phase
  return {
    do: async (phase) => {
      handOut(job, phase);
      try {
        const tallies = await Promise.all(workers.map((worker) => ask(worker, phase)));
        return tallies.reduce(mergeTallies, NOTHING);
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      signal?.removeEventListener("abort", stop);
      await stop();
    },
  };
}

/** Has a thread do a phase. */
async function ask(worker: Worker, phase: Phase): Promise<Tally> {
  const listening = new AbortController();
  const { signal } = listening;
  try {
    const ended = once(worker, "exit", { signal }).then(() => {
      throw new Error("a thread of the check ended unexpectedly");
    });
    ended.catch(() => {}); // when an answer comes first
    worker.postMessage(phase);
    // `once` also rejects when the worker emits an error.
    const [answer] = (await Promise.race([once(worker, "message", { signal }), ended])) as [Answer];
    if ("tally" in answer) return answer.tally;
    throw errorOf(answer);
  } finally {
    listening.abort();
  }
}

function errorOf({ code, message }: Extract<Answer, { message: string }>): Error {
  return code === undefined ? new Error(message) : new CertificateError(code, message);
}

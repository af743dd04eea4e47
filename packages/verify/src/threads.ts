import { orAborted, Thread, Threads } from "@gridlock/threads";
import { Hand, handOut, type Job, mergeTallies, NOTHING, type Phase, type Tally } from "./work.js";

/** Those who do the phases of a job, one after the other. */
export interface Team extends AsyncDisposable {
  /** Does a phase. */
  do(phase: Phase): Promise<Tally>;
}

/**
 * Limits of a thread's heap, its young objects apart: small, so that decoded blocks are collected
 * soon.
 */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

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
 * Starts threads for a job.
 *
 * @param signal stops a phase, which rejects with the signal's reason
 */
export function teamOfThreads(job: Job, count: number, signal: AbortSignal | undefined): Team {
  signal?.throwIfAborted();
  const module = new URL("./verify-worker.js", import.meta.url);
  const options = { name: "a thread of the check", workerData: job, resourceLimits: HEAP };
  const threads = new Threads<Phase, Tally>(count, () => new Thread(module, options));
  return {
    do: async (phase) => {
      handOut(job, phase);
      const work = threads.askAll(new Array<Phase>(count).fill(phase));
      const tallies = await (signal ? orAborted(work, signal) : work);
      return tallies.reduce(mergeTallies, NOTHING);
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}

/* The thread of `Snapshots`. */

import { workerData } from "node:worker_threads";
import { answerRequests, notify, orFail, patiently, type Waiting } from "@gridlock/store";
import { SnapshotWriter } from "./snapshot-writer.js";
import type { SavedWork, SnapshotRequest, SnapshotWorkerData } from "./snapshots.js";

/** Milliseconds between two drains of the journal. */
const DRAIN_MS = 40;
/** The longest delay of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

const data = workerData as SnapshotWorkerData;

const waiting: Waiting = {
  isStopped: () => Atomics.load(data.hurried, 0) !== 0,
  onWait: notify,
};

void orFail(async () => {
  const writer = await patiently(data.databaseFile, () => new SnapshotWriter(data), waiting);
  const timers: NodeJS.Timeout[] = [];
  const stop = () => {
    for (const timer of timers) clearInterval(timer);
    writer[Symbol.dispose]();
  };
  /** Does work at regular intervals; the first error stops all work. */
  const repeat = (work: () => void, ms: number) => {
    const guarded = () => {
      try {
        work();
      } catch (error) {
        stop();
        throw error;
      }
    };
    timers.push(setInterval(() => void orFail(guarded), ms));
  };
  repeat(() => {
    writer.drain();
    if (writer.isFull) writer.save();
  }, DRAIN_MS);
  if (data.every > 0) repeat(() => writer.save(), Math.min(1000 * data.every, LONGEST_MS));
  answerRequests(async ({ boundsOnly }: SnapshotRequest): Promise<SavedWork> => {
    try {
      return await writer.finish(boundsOnly, waiting);
    } finally {
      stop();
    }
  });
});

/* The thread of `Snapshots`. */

import { workerData } from "node:worker_threads";
import { answerRequests, notify, orFail, patiently, type Waiting } from "@gridlock/store";
import { SnapshotWriter } from "./snapshot-writer.js";
import type { SavedWork, SnapshotRequest, SnapshotWorkerData } from "./snapshots.js";

/** The longest delay of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

const data = workerData as SnapshotWorkerData;

const waiting: Waiting = {
  isStopped: () => Atomics.load(data.hurried, 0) !== 0,
  onWait: notify,
};

void orFail(async () => {
  const writer = await patiently(data.databaseFile, () => new SnapshotWriter(data), waiting);
  const timers = new Set<NodeJS.Timeout>();
  const stop = () => {
    for (const timer of timers) clearTimeout(timer);
    writer[Symbol.dispose]();
  };
  /** Does work again and again, with a pause before each time; the first error stops all work. */
  const repeat = (work: () => void, pause: () => number) => {
    const doOnce = () => {
      timers.delete(timer);
      try {
        work();
      } catch (error) {
        stop();
        throw error;
      }
      repeat(work, pause);
    };
    const timer = setTimeout(() => void orFail(doOnce), pause());
    timers.add(timer);
  };
  const drain = () => {
    writer.drain();
    if (writer.isFull) writer.save();
  };
  repeat(drain, () => writer.pause);
  const every = Math.min(1000 * data.every, LONGEST_MS);
  if (data.every > 0) {
    repeat(
      () => writer.save(),
      () => every,
    );
  }
  answerRequests(async ({ boundsOnly }: SnapshotRequest): Promise<SavedWork> => {
    try {
      return await writer.finish(boundsOnly, waiting);
    } finally {
      stop();
    }
  });
});

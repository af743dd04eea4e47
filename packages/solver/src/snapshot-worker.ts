/* The thread of `Snapshots`. */

import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { patiently, type Waiting } from "@gridlock/store";
import { answerRequests, notify, orFail } from "@gridlock/threads";
import { SnapshotWriter } from "./snapshot-writer.js";
import type { SavedWork, SnapshotRequest, SnapshotWorkerData } from "./snapshots.js";

/** Milliseconds between two drains of the journal. */
const DRAIN_MS = 40;

const data = workerData as SnapshotWorkerData;

const waiting: Waiting = {
  isStopped: () => Atomics.load(data.hurried, 0) !== 0,
  onWait: notify,
};

void orFail(async () => {
  using writer = await patiently(data.databaseFile, () => new SnapshotWriter(data), waiting);
  let isFinished = false;
  answerRequests(async ({ boundsOnly }: SnapshotRequest): Promise<SavedWork> => {
    try {
      return await writer.finish(boundsOnly, waiting);
    } finally {
      isFinished = true;
      writer[Symbol.dispose](); // before the reply, after which the thread is terminated
    }
  });
  let savedAt = performance.now();
  for (;;) {
    await sleep(DRAIN_MS);
    if (isFinished) return;
    writer.drain();
    if (!writer.isFull && performance.now() - savedAt < 1000 * data.every) continue;
    writer.save();
    savedAt = performance.now();
  }
});

/* The thread of `Snapshots`. */
import { parentPort, workerData } from "node:worker_threads";
import { SnapshotWriter } from "./snapshot-writer.js";
import type { SnapshotReply, SnapshotRequest, SnapshotWorkerData } from "./snapshots.js";
import { postedError } from "./thread-error.js";

/** Milliseconds between two looks at the journal. */
const DRAIN_MS = 40;
/** The longest that a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;

const data = workerData as SnapshotWorkerData;
const timers: NodeJS.Timeout[] = [];

/** Ends the thread with a reply: its work when it was told to, or the error of whatever failed. */
function reply(work: () => SnapshotReply | undefined): void {
  let answer: SnapshotReply | undefined;
  try {
    answer = work();
  } catch (error) {
    answer = { failed: postedError(error) };
  }
  if (answer === undefined) return;
  timers.forEach(clearInterval);
  parentPort?.postMessage(answer);
  parentPort?.close();
}

reply(() => {
  const writer = new SnapshotWriter(data);
  const act = (action: () => void) => () => reply(() => void action());
  timers.push(
    setInterval(
      act(() => {
        writer.drain();
        if (writer.isFull) writer.save();
      }),
      DRAIN_MS,
    ),
  );
  if (data.every > 0) {
    timers.push(
      setInterval(
        act(() => writer.save()),
        Math.min(1000 * data.every, LONGEST_MS),
      ),
    );
  }
  parentPort?.on("message", ({ skipNew }: SnapshotRequest) => {
    reply(() => ({ saved: writer.finish(skipNew) }));
  });
  return undefined;
});

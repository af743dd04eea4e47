/*
 * Preloaded into a command (`node --import`): sends the process SIGINT as soon as it handles that
 * signal. A signal sent from outside could arrive before the command handles it, or after its work
 * is done. With AGAIN_MS, the command hears the signal once more that many milliseconds later, and
 * nothing else happens in between.
 */
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const { AGAIN_MS } = process.env;
  const hearAgain = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(AGAIN_MS));
    process.emit("SIGINT", "SIGINT");
  };
  const interruptOnce = (event: string | symbol) => {
    if (event !== "SIGINT") return;
    process.off("newListener", interruptOnce);
    setImmediate(() => {
      if (AGAIN_MS !== undefined) process.once("SIGINT", hearAgain); // after the command's own listener
      process.kill(process.pid, "SIGINT");
    });
  };
  process.on("newListener", interruptOnce);
}

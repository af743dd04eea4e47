/*
 * Preloaded into a command (`node --import`): sends the process SIGINT as soon as it handles that
 * signal. A signal sent from outside could arrive before the command handles it, or after its work
 * is done.
 */
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const interruptOnce = (event: string | symbol) => {
    if (event !== "SIGINT") return;
    process.off("newListener", interruptOnce);
    setImmediate(() => process.kill(process.pid, "SIGINT"));
  };
  process.on("newListener", interruptOnce);
}

/*
 * Preloaded into a command (`node --import`): sends the process SIGINT as soon as it handles that
 * signal. A signal sent from outside could arrive before the command handles it, or after its work
 * is done. With INTERRUPTS=2, it sends the signal twice, so that nothing else happens in between.
 */
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const { INTERRUPTS = "1" } = process.env;
  const times = Number(INTERRUPTS);
  const interruptOnce = (event: string | symbol) => {
    if (event !== "SIGINT") return;
    process.off("newListener", interruptOnce);
    setImmediate(() => {
      for (let i = 0; i < times; i++) process.kill(process.pid, "SIGINT");
    });
  };
  process.on("newListener", interruptOnce);
}

/* Imported into a measured process (`node --import`): writes its peak memory in KiB when it ends. */
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** The file descriptor that `command.js` reads it from. */
const PEAK_FD = 3;

if (isMainThread) {
  process.on("exit", () => writeSync(PEAK_FD, String(process.resourceUsage().maxRSS)));
}

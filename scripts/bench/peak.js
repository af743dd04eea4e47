/* Imported into a process that is measured (`node --import`): tells its peak memory, in KiB, when it ends. */
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** The channel that `command.js` reads it from. */
const PEAK_FD = 3;

if (isMainThread) {
  process.on("exit", () => writeSync(PEAK_FD, String(process.resourceUsage().maxRSS)));
}

/* Required by a measured process: writes what it has used on the file descriptor 3 when it ends. */
const { writeSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

if (isMainThread) {
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeSync(
      3,
      JSON.stringify({ processor: (userCPUTime + systemCPUTime) / 1e6, peak: 1024 * maxRSS }),
    );
  });
}

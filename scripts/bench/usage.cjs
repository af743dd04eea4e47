/* Required by a measured process: writes what it has used into the file USAGE_FILE when it ends. */
const { writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

if (isMainThread) {
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { processor: (userCPUTime + systemCPUTime) / 1e6, peak: 1024 * maxRSS };
    writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
  });
}

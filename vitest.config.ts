import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One more than there are processors: much of what is tested waits for locks, servers and other processes.
    maxWorkers: availableParallelism() + 1,
  },
});

import { ClusterRun } from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";

/** Starts a solve with a server that nobody needs to reach, and waits for its end. */
async function solve(shape: string, ...args: string[]) {
  const run = new ClusterRun({ shape });
  onTestFinished(() => run[Symbol.asyncDispose]());
  return await run.start(["solve", shape, "--redis", "redis://127.0.0.1:1", ...args]).ended;
}

describe("a solve", () => {
  it.each([
    [["--method", "layers"], "needs a folder that all machines reach; add --data DIR"],
    [["--data", "shared"], "--data needs --method layers and --redis"],
  ])("with --redis and %j is rejected", async (args, words) => {
    const { code, stderr } = await solve("2x2", ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  // Nothing can be written to /proc.
  it.skipIf(process.platform !== "linux")(
    "whose folder is on a disk that is too small is rejected",
    async () => {
      const { code, stderr } = await solve("2x5", "--method", "layers", "--data", "/proc/none");
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /2x5.* layer by layer would take about .* but only 0 B is free in .proc;/,
      );
    },
  );
});

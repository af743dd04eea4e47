import { ClusterRun, endure, FAULTS, SHARING, valuesHere, valuesOf } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/** Milliseconds for which a process is stopped or a connection cut: longer than until it counts as gone. */
const PAUSE_MS = 15_000;
const OPTIONS = { shape: "2x4", slow: 300 };
const PATIENCE_MS = 240_000;

describe("a run of 2x4 survives", () => {
  const values = valuesHere("2x4");

  it.concurrent.each(Object.keys(FAULTS))("%s", { timeout: PATIENCE_MS }, async (name) => {
    await endure(name, { ...OPTIONS, pause: PAUSE_MS, values: await values });
  });

  it.concurrent.each(["joins-late", "keys-of-wrong-type", "other-kernel", "streams-garbage"])(
    "%s",
    { timeout: PATIENCE_MS },
    async (name) => {
      const kind = SHARING[name];
      if (kind === undefined) throw new Error(`there is no kind ${name}`);
      await using run = new ClusterRun(OPTIONS);
      await run.startRedis();
      const { solve, after } = await kind.inflict(run);
      expect(await valuesOf(solve)).toBe(await values);
      expect((await after?.()) ?? []).toEqual([]);
      const workers = run.workerProcesses;
      const ended = workers.map((worker) => worker.kill("SIGTERM"));
      expect((await Promise.all(ended)).map(({ code }) => code)).toEqual(workers.map(() => 0));
    },
  );
});

import { ClusterRun, FAULTS, SHARING, valuesHere, valuesOf, workerFaults } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const OPTIONS = { shape: "2x4", slow: 300 };
const PATIENCE_MS = 240_000;
/** Milliseconds within which a worker must end after SIGTERM. */
const LEAVE_MS = 60_000;

/** The kinds that are tested each time, which end processes, lose data, cut connections, and damage what is shared. */
const SHORT = ["coordinator-killed", "redis-killed-with-loss", "worker-cut-off"];
const SHORT_SHARING = ["keys-of-wrong-type", "other-kernel"];
/** The other kinds of `FAULTS`, and those of `SHARING` that need no second run. */
const LONG = Object.keys(FAULTS).filter((name) => !SHORT.includes(name));
const LONG_SHARING = ["joins-late", "streams-garbage"];

describe.each([
  { names: [...SHORT, ...SHORT_SHARING], tags: [] },
  { names: [...LONG, ...LONG_SHARING], tags: ["long"] },
])("a run of 2x4 survives", ({ names, tags }) => {
  const values = valuesHere("2x4");

  it.concurrent.each(names)("%s", { timeout: PATIENCE_MS, tags }, async (name) => {
    const kind = { ...FAULTS, ...SHARING }[name];
    if (kind === undefined) throw new Error(`there is no kind ${name}`);
    await using run = new ClusterRun(OPTIONS);
    await run.startRedis();
    const { solve, after } = await kind.inflict(run);
    expect(await valuesOf(solve)).toBe(await values);
    expect((await after?.()) ?? []).toEqual([]);
    expect(await workerFaults(run.workerProcesses, {}, LEAVE_MS)).toEqual([]);
  });
});

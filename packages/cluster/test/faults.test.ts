import { ClusterRun, FAULTS, SHARING, valuesHere, valuesOf, workerFaults } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const PATIENCE_MS = 240_000;
/** Milliseconds within which a worker must end after SIGTERM. */
const LEAVE_MS = 60_000;

/** The kinds that are tested each time, which end processes, lose data, cut connections, and damage what is shared. */
const SHORT = ["coordinator-killed", "redis-killed-with-loss", "worker-cut-off"];
const SHORT_SHARING = ["keys-of-wrong-type"];
/** The other kinds of `FAULTS`, and those of `SHARING` that need no second run. */
const LONG = Object.keys(FAULTS).filter((name) => !SHORT.includes(name));
const LONG_SHARING = ["joins-late", "streams-garbage", "other-kernel"];

describe.each([
  { shape: "2x3", slow: 300, names: [...SHORT, ...SHORT_SHARING], tags: [] },
  { shape: "2x4", slow: 300, names: [...LONG, ...LONG_SHARING], tags: ["long"] },
])("a run of $shape survives", ({ shape, slow, names, tags }) => {
  it.concurrent.each(names)("%s", { timeout: PATIENCE_MS, tags }, async (name) => {
    const kind = { ...FAULTS, ...SHARING }[name];
    if (kind === undefined) throw new Error(`there is no kind ${name}`);
    await using run = new ClusterRun({ shape, slow });
    await run.startRedis();
    const { solve, after } = await kind.inflict(run);
    expect(await valuesOf(solve)).toBe(await valuesHere(shape));
    expect((await after?.()) ?? []).toEqual([]);
    expect(await workerFaults(run.workerProcesses, {}, LEAVE_MS)).toEqual([]);
  });
});

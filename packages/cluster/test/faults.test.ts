import { ClusterRun, endure, FAULTS, SHARING, valuesHere, valuesOf } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/** Milliseconds for which a process is stopped or a connection cut: longer than until it counts as gone. */
const PAUSE_MS = 15_000;
const OPTIONS = { shape: "2x4", slow: 300 };
const PATIENCE_MS = 240_000;

/** The kinds that are tested each time, which end processes, lose data, and cut connections. */
const SHORT = ["coordinator-killed", "redis-killed-with-loss", "worker-cut-off"];
/** The kinds of `FAULTS`, and those of `SHARING` that need no second run. */
const LONG = Object.keys(FAULTS).filter((name) => !SHORT.includes(name));
const SHORT_SHARING = ["keys-of-wrong-type", "other-kernel"];
const LONG_SHARING = ["joins-late", "streams-garbage"];
const PATIENT = { timeout: PATIENCE_MS };

describe.each([
  { faults: SHORT, sharing: SHORT_SHARING, tags: [] },
  { faults: LONG, sharing: LONG_SHARING, tags: ["long"] },
])("a run of 2x4 survives", ({ faults, sharing, tags }) => {
  const values = valuesHere("2x4");

  it.concurrent.each(faults)("%s", { ...PATIENT, tags }, async (name) => {
    await endure(name, { ...OPTIONS, pause: PAUSE_MS, values: await values });
  });

  it.concurrent.each(sharing)("%s", { ...PATIENT, tags }, async (name) => {
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
  });
});

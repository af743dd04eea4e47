import {
  CLUSTER_FAULTS,
  ClusterRun,
  checkSolve,
  checkWorkers,
  inflictOnCluster,
} from "@gridlock/testbed";
import { describe, it } from "vitest";

const PATIENCE_MS = 240_000;
/** Milliseconds within which a worker must end after SIGTERM. */
const LEAVE_MS = 60_000;

/** The faults that are tested each time, which end processes, lose data, cut connections, and damage what is shared. */
const SHORT = [
  "coordinator-killed",
  "redis-killed-with-loss",
  "worker-cut-off",
  "keys-of-wrong-type",
];
const LONG = [
  ...["worker-killed", "freeze-worker-15", "redis-killed", "coordinator-cut-off"],
  ...["all-killed-three-times", "worker-replaced"],
  ...["joins-late", "streams-garbage", "other-kernel"],
];

describe.each([
  { shape: "2x3", slow: 300, names: SHORT, tags: [] },
  { shape: "2x4", slow: 300, names: LONG, tags: ["long"] },
])("a run of $shape survives", ({ shape, slow, names, tags }) => {
  it.concurrent.each(names)("%s", { timeout: PATIENCE_MS, tags }, async (name) => {
    const fault = CLUSTER_FAULTS[name];
    if (fault === undefined) throw new Error(`there is no fault ${name}`);
    await using run = new ClusterRun({ shape, slow });
    const { after } = await inflictOnCluster(fault, run);
    await checkSolve(run.coordinator, shape);
    await after?.();
    await checkWorkers(run.workerProcesses, undefined, LEAVE_MS);
  });
});

import { CLUSTER_FAULTS, choicesOf, FAULT_RUNS, FAULT_SHAPE, inflict } from "@gridlock/testbed";
import { describe, it } from "vitest";

/** Seconds that a run may take besides its fault, and those of the longest fault and the ends. */
const LASTS_S = FAULT_SHAPE === "2x5" ? 120 : 600;
const FAULT_S = 280;
/** Milliseconds of an undisturbed run of 2×5 in which its second and later runs are disturbed. */
const LATEST_MS = 8000;

/** Faults tested each time: ended processes, lost data, cut connections, damaged shared keys. */
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

const SERIES = [
  { shape: "2x3", slow: 300, names: SHORT, tags: [] as string[], runs: 1 },
  { shape: "2x4", slow: 300, names: LONG, tags: ["long"], runs: 1 },
  {
    shape: FAULT_SHAPE,
    slow: FAULT_SHAPE === "2x5" ? 60 : 0, // larger shapes take long enough by themselves
    names: Object.keys(CLUSTER_FAULTS),
    tags: ["fault"],
    runs: FAULT_RUNS,
  },
].filter(({ runs }) => runs > 0);

for (const { shape, slow, names, tags, runs } of SERIES) {
  describe(`a run of ${shape} ends as it should`, () => {
    for (const run of Array.from({ length: runs }, (_, i) => i + 1)) {
      for (const name of names) {
        const fault = CLUSTER_FAULTS[name];
        const timeout = 1000 * (LASTS_S + FAULT_S);
        it.concurrent(`${name}: ${fault?.what}`, { timeout, tags }, async () => {
          if (fault === undefined) throw new Error(`there is no fault ${name}`);
          // Early in the first run, and at random moments in others.
          const delay = run === 1 ? undefined : LATEST_MS * choicesOf(`${name} ${run}`).random();
          await inflict(fault, { shape, slow, lasts: LASTS_S, delay });
        });
      }
    }
  });
}

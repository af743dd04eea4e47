import {
  CLUSTER_FAULTS,
  type ClusterFault,
  choicesOf,
  FAULT_RUNS,
  FAULT_SHAPE,
  inflict,
} from "@gridlock/testbed";
import { describe, it } from "vitest";

/** Seconds that a run may take besides its fault, and those of the longest fault and the ends. */
const LASTS_S = FAULT_SHAPE === "2x5" ? 120 : 600;
const FAULT_S = 280;
/** Most milliseconds of search before a fault that comes at a random moment. */
const LATEST_MS = 8000;
/** Seconds that all faults may take, one after another. */
const ALL_FAULTS_S = 4 * 3600;
/** Least milliseconds of each search of a run that all faults disturb, and seconds it may take. */
const SLOW_MS = 1000;
const SLOW_LASTS_S = FAULT_SHAPE === "2x5" ? 600 : 1800;

/** Faults tested each time: ended processes, lost data, cut connections, damaged shared keys. */
const SHORT = [
  "worker-cut-off",
  "coordinator-killed",
  "redis-killed-with-loss",
  "keys-of-wrong-type",
];
const LONG = [
  ...["coordinator-cut-off", "worker-killed", "freeze-worker-15", "redis-killed"],
  ...["all-killed-three-times", "worker-replaced"],
  ...["joins-late", "streams-garbage", "other-kernel"],
];

/** Returns the fault of a name. */
function faultOf(name: string): ClusterFault {
  const fault = CLUSTER_FAULTS[name];
  if (fault === undefined) throw new Error(`there is no fault ${name}`);
  return fault;
}

/** Inflicts faults, one after another, on as few runs as last long enough. */
async function inflictAll(faults: ClusterFault[], options: Parameters<typeof inflict>[1]) {
  while (faults.length > 0) faults.splice(0, await inflict(faults, options));
}

describe("runs end as they should", () => {
  const timeout = 1000 * (LASTS_S + FAULT_S);
  const few = { slow: 600, lasts: LASTS_S, delay: () => 1000 };
  it.concurrent(`with four faults, one after another: ${SHORT}`, { timeout }, async () => {
    await inflictAll(SHORT.map(faultOf), { shape: "2x3", ...few });
  });
  it.concurrent(`with more: ${LONG}`, { timeout: 3 * timeout, tags: ["long"] }, async () => {
    await inflictAll(LONG.map(faultOf), { shape: "2x4", ...few });
  });
});

describe.runIf(FAULT_RUNS > 0)(`a run of ${FAULT_SHAPE} ends as it should`, () => {
  const slow = FAULT_SHAPE === "2x5" ? 60 : 0; // larger shapes take long enough by themselves
  const options = { timeout: 1000 * (LASTS_S + FAULT_S), tags: ["fault"] };
  for (let run = 1; run <= FAULT_RUNS; run++) {
    for (const [name, fault] of Object.entries(CLUSTER_FAULTS)) {
      it.concurrent(`${name}: ${fault.what}`, options, async () => {
        const { random } = choicesOf(`${name} ${run}`);
        // Early in the first run, and at random moments in others.
        const delay = run === 1 ? undefined : () => LATEST_MS * random();
        await inflict([fault], { shape: FAULT_SHAPE, slow, lasts: LASTS_S, delay });
      });
    }
  }
});

/** Returns all faults in random order, in groups that a run may suffer one after another. */
function faultsTogether(random: () => number): ClusterFault[][] {
  const groups = new Map<string, ClusterFault[]>();
  const chances = Object.entries(CLUSTER_FAULTS).map((entry) => ({ entry, chance: random() }));
  for (const { entry } of chances.sort((a, b) => a.chance - b.chance)) {
    const [name, fault] = entry;
    const isAlone = fault.solve !== undefined || fault.isIdle; // decides how a run begins or ends
    const group = isAlone ? name : `${fault.isCluster}`;
    groups.set(group, [...(groups.get(group) ?? []), fault]);
  }
  // A proxied process must still be there, and what is checked at the end must come last.
  const rank = ({ proxied, after }: ClusterFault) => (proxied ? 0 : after ? 2 : 1);
  return [...groups.values()].map((faults) => faults.sort((a, b) => rank(a) - rank(b)));
}

describe.runIf(FAULT_RUNS > 0)(`runs of ${FAULT_SHAPE} end as they should`, () => {
  const options = { timeout: 1000 * ALL_FAULTS_S, tags: ["fault"] };
  for (let run = 1; run <= FAULT_RUNS; run++) {
    it.concurrent(`with all faults, one after another (${run})`, options, async () => {
      const { random } = choicesOf(`all faults ${run}`);
      const delay = () => LATEST_MS * random();
      const slow = { shape: FAULT_SHAPE, slow: SLOW_MS, lasts: SLOW_LASTS_S, delay };
      for (const faults of faultsTogether(random)) await inflictAll(faults, slow);
    });
  }
});

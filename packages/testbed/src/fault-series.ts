import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { seededRandom } from "@gridlock/game";
import { CHANGED_FILES } from "./changed-files.js";
import { type ClusterFault, clusterFault } from "./cluster-fault.js";
import type { FaultKind, FaultOptions, Inflict } from "./fault-kind.js";
import { TemporaryFolder } from "./folder.js";
import { KILLS } from "./kills.js";
import { NONSENSE } from "./nonsense.js";
import { OUTAGES } from "./outages.js";
import { SHARING } from "./sharing.js";
import { atMost, PATIENCE_MS } from "./until.js";

/** The kinds of fault of a run on a cluster, by name. */
export const CLUSTER_FAULTS: Readonly<Record<string, ClusterFault>> = { ...OUTAGES, ...SHARING };

/** All kinds of fault, by name. */
export const FAULT_KINDS: Readonly<Record<string, FaultKind>> = {
  ...Object.fromEntries(
    Object.entries(CLUSTER_FAULTS).map(([name, fault]) => [name, clusterFault(fault)]),
  ),
  ...KILLS,
  ...CHANGED_FILES,
  ...NONSENSE,
};

/** The report of a run. */
export interface FaultReport {
  readonly kind: string;
  readonly run: number;
  readonly seconds: number;
  /** How it ended, in a few words. */
  readonly outcome: string;
  /** What was wrong, as a sentence. */
  readonly failure?: string;
}

/**
 * Inflicts faults, as often as the options say. Kinds take turns, so that a series that is cut short
 * has runs of all.
 *
 * @param kinds names of {@link FAULT_KINDS}
 * @param tell receives each report
 * @param known reports of an earlier series with the same options, whose runs are not repeated
 * @returns all reports, also those that were known
 */
export async function inflictFaults(
  kinds: readonly string[],
  options: FaultOptions,
  tell: (report: FaultReport) => void = () => {},
  known: readonly FaultReport[] = [],
): Promise<FaultReport[]> {
  using root = new TemporaryFolder();
  const done = new Set(known.map(({ kind, run }) => `${kind} ${run}`));
  const waiting = kinds
    .flatMap((name) => {
      const kind = FAULT_KINDS[name];
      if (kind === undefined) throw new RangeError(`there is no kind of fault ${name}`);
      const folder = join(root.path, name);
      mkdirSync(folder);
      let prepared: Promise<Inflict> | undefined;
      const prepare = () => {
        prepared ??= Promise.resolve(kind.prepare(options, folder));
        return prepared;
      };
      const runs = Array.from({ length: options.runs ?? kind.times }, (_, i) => i + 1);
      return runs.map((run) => ({ kind: name, run, prepare, folder: `${folder}-${run}` }));
    })
    .filter(({ kind, run }) => !done.has(`${kind} ${run}`))
    .sort((a, b) => a.run - b.run);
  const reports = [...known];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { kind, run, prepare, folder } = next;
      const random = seededRandom(crc32(`${options.seed} ${kind} ${run}`));
      const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
      const began = performance.now();
      mkdirSync(folder);
      const end = await prepare()
        .then((inflict) => atMost(PATIENCE_MS, inflict({ run, folder, random, pick })))
        .then(
          (outcome) =>
            outcome === undefined
              ? { outcome: "hangs", failure: `not over after ${PATIENCE_MS / 1000} s` }
              : { outcome },
          (error: Error) => ({ outcome: "failed", failure: error.message }),
        );
      rmSync(folder, { recursive: true, force: true });
      const report = { kind, run, seconds: (performance.now() - began) / 1000, ...end };
      reports.push(report);
      tell(report);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return reports;
}

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { seededRandom } from "@gridlock/game";
import { atMost } from "./ending-faults.js";
import type { FaultEnd, FaultOptions, Inflict } from "./fault-kind.js";
import { FAULT_KINDS } from "./fault-kinds.js";
import { TemporaryFolder } from "./folder.js";
import { PATIENCE_MS } from "./until.js";

/** The report of a run. */
export interface FaultReport extends FaultEnd {
  readonly kind: string;
  readonly run: number;
  readonly seconds: number;
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
      return runs.map((run) => ({ kind: name, run, prepare }));
    })
    .filter(({ kind, run }) => !done.has(`${kind} ${run}`))
    .sort((a, b) => a.run - b.run);
  const reports = [...known];
  const deadline = performance.now() + 1000 * (options.seconds ?? Number.POSITIVE_INFINITY);
  const work = async () => {
    while (performance.now() < deadline) {
      const next = waiting.shift();
      if (next === undefined) return;
      const { kind, run, prepare } = next;
      const began = performance.now();
      const folder = join(root.path, `${kind}-${run}`);
      const end = await inflict(kind, run, prepare, options, folder);
      const report = { kind, run, seconds: (performance.now() - began) / 1000, ...end };
      reports.push(report);
      tell(report);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return reports;
}

async function inflict(
  kind: string,
  run: number,
  prepare: () => Promise<Inflict>,
  options: FaultOptions,
  folder: string,
): Promise<FaultEnd> {
  const random = seededRandom(crc32(`${options.seed} ${kind} ${run}`));
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  mkdirSync(folder);
  try {
    const once = await prepare();
    const end = await atMost(PATIENCE_MS, once({ options, run, folder, random, pick }));
    return end ?? { outcome: "hangs", failures: [`not over after ${PATIENCE_MS / 1000} s`] };
  } catch (error) {
    return { outcome: "failed", failures: [(error as Error).message] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

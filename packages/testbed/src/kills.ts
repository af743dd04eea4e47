import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseShape } from "@gridlock/game";
import { Database, SnapshotFile, snapshotFileOf } from "@gridlock/store";
import { valuesIn } from "./cluster-run.js";
import { GRIDLOCK, hookOf, Process } from "./command.js";
import type { Outcome } from "./command-host.js";
import type { FaultKind, FaultOptions } from "./fault-kind.js";

/** Number of kills at random moments after which a run may finish undisturbed. */
const MOST_KILLS = 12;
/** Options of a run that is killed at random moments: snapshots often enough to be hit. */
const OFTEN = ["--snapshot-every", "0.05"];

/**
 * Ways to kill a solve: SIGKILL to the process; the sudden end of one of its threads, after which
 * the process must end by itself; both; and SIGKILL while a snapshot is being written.
 */
const WAYS = ["process", "thread", "both", "snapshot"] as const;

/** Makes a kind that kills a solve and resumes it until it is done; without `every` seconds at random moments. */
function killed(what: string, usual: string, times: number, every?: number): FaultKind {
  const solve = (
    { shape = usual, memory }: FaultOptions,
    db: string,
    env: Record<string, string> = {},
  ) => {
    const more = [...(memory ? ["--memory", memory] : []), ...(every ? [] : OFTEN)];
    const args = ["solve", shape, "--json", "--quiet", "--db", db, ...more];
    const node = ["--import", hookOf("kill-thread")];
    return new Process(GRIDLOCK, args, { node, env: { ...process.env, ...env } });
  };
  const prepare: FaultKind["prepare"] = async (options, folder) => {
    const began = performance.now();
    const { code, stdout, stderr } = await solve(options, join(folder, "calm.db")).ended;
    if (code !== 0) throw new Error(stderr);
    const span = performance.now() - began;
    const { positions, afterstates } = JSON.parse(stdout).nodes;
    const game = { shape: parseShape(options.shape ?? usual), tiles: [2, 4] } as const;
    return async ({ folder: own, random, pick }) => {
      const db = join(own, "killed.db");
      const snapshot = snapshotFileOf(db, game);
      const failures: string[] = [];
      let midway = 0;

      /** Kills the solve at a moment, unless it ends first. */
      const kill = async (way: (typeof WAYS)[number]): Promise<Outcome> => {
        const at = every === undefined ? random() * span : 1000 * every;
        const killsThread = way === "thread" || way === "both";
        await using one = solve(options, db, killsThread ? { KILL_THREAD_AFTER: `${at}` } : {});
        if (way !== "thread") {
          const deadline = performance.now() + (way === "both" ? at + random() * 50 : at);
          while (one.isRunning && performance.now() < deadline) await sleep(1);
          if (way === "snapshot" && one.isRunning && isBeingWritten(snapshot, span)) midway++;
          one.child.kill("SIGKILL");
        }
        return await one.ended;
      };

      for (let kills = 0; ; kills++) {
        const isLast = every === undefined && kills >= MOST_KILLS;
        const way = every === undefined ? pick(WAYS) : "process";
        const end = isLast ? await solve(options, db).ended : await kill(way);
        const wrong = [
          ...faultsIn(db, (file) => Database.open(file, { readOnly: true })),
          ...faultsIn(snapshot, (file) => SnapshotFile.open(file, { readOnly: true })),
        ];
        failures.push(...wrong.map((fault) => `after kill ${kills}: ${fault}`));
        if (end.code === 0) {
          if (valuesIn(end.stdout) !== valuesIn(stdout)) failures.push("wrong values");
          const nodes = every ? `, ${(nodesIn(db) / (positions + afterstates)).toFixed(2)} ×` : "";
          const outcome = `${kills} kills, ${midway} midway in a snapshot${nodes}`;
          return { outcome, failures };
        }
        const wasKilled = end.signal === "SIGKILL" || (end.code === 1 && /thread/.test(end.stderr));
        if (isLast || !wasKilled) failures.push(`exit ${end.code}, ${end.stderr}`);
        if (isLast || !(wasKilled || end.code === 1)) return { outcome: "given up", failures };
      }
    };
  };
  return { what, times, prepare };
}

/**
 * Waits for up to `patience` milliseconds until a snapshot's journal is not empty, which means that
 * batches are being written; returns whether they are.
 */
function isBeingWritten(snapshot: string, patience: number): boolean {
  const deadline = performance.now() + patience;
  while (performance.now() < deadline) {
    if ((statSync(`${snapshot}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return true;
  }
  return false;
}

/** Lists the faults of a file. An empty one is intact: the kill came before the first write. */
function faultsIn(
  file: string,
  open: (file: string) => { faults(): readonly string[] } & Disposable,
): readonly string[] {
  if (!existsSync(file)) return [];
  try {
    using opened = open(file);
    return opened.faults();
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Returns the most nodes of all solves on a database: a killed one logged its nodes up to a second earlier. */
function nodesIn(db: string): number {
  using database = Database.open(db, { readOnly: true });
  let nodes = 0;
  for (const { positions, afterstates, seconds, outcome } of database.runs.all()) {
    const logged = positions + afterstates;
    nodes += logged + (outcome === "unfinished" && seconds > 0 ? logged / seconds : 0);
  }
  return nodes;
}

/** Kinds of kills of a solve on one machine, by name. */
export const KILLS: Readonly<Record<string, FaultKind>> = {
  "solve-killed": killed("a solve is killed in all ways at random moments, and resumed", "3x3", 20),
  "solve-killed-every-10-s": killed(
    "a solve is killed each 10 s, and resumed; says how many times the nodes that takes",
    "2x6",
    1,
    10,
  ),
};

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseShape } from "@gridlock/game";
import { Database, SnapshotFile, snapshotFileOf } from "@gridlock/store";
import { checkSolve } from "./cluster-fault.js";
import { GRIDLOCK, Process } from "./command.js";
import type { Choices } from "./fault-runs.js";

/** Number of kills at random moments after which a run may finish undisturbed. */
const MOST_KILLS = 12;
/** Options of a run that is killed at random moments: snapshots often enough to be hit. */
const OFTEN = ["--snapshot-every", "0.05"];

/**
 * Ways to kill a solve: SIGKILL to the process; the sudden end of one of its threads, after which
 * the process must end by itself; both; and SIGKILL while a snapshot is being written.
 */
const WAYS = ["process", "thread", "both", "snapshot"] as const;

/**
 * Kills a solve in all ways at random moments, and resumes it until it is done, with the published
 * values; its files are intact after each kill.
 *
 * @param folder an empty folder
 * @returns how often it was killed, in words
 * @throws {Error} saying what was wrong
 */
export async function killAndResume(
  shape: string,
  folder: string,
  { random, pick }: Choices,
): Promise<string> {
  const solve = (db: string, env: Record<string, string> = {}) => {
    const args = ["solve", shape, "--json", "--quiet", "--db", db, ...OFTEN];
    return new Process(GRIDLOCK, args, { hook: "kill-thread", env: { ...process.env, ...env } });
  };
  const began = performance.now();
  await checkSolve(solve(join(folder, "calm.db")), shape);
  const span = performance.now() - began;
  const game = { shape: parseShape(shape), tiles: [2, 4] } as const;
  const db = join(folder, "killed.db");
  const snapshot = snapshotFileOf(db, game);
  let midway = 0;
  for (let kills = 0; ; kills++) {
    const isLast = kills >= MOST_KILLS;
    const way = pick(WAYS);
    const at = random() * span;
    const killsThread = way === "thread" || way === "both";
    await using one = solve(db, killsThread && !isLast ? { KILL_THREAD_AFTER: `${at}` } : {});
    if (way !== "thread" && !isLast) {
      const deadline = performance.now() + (way === "both" ? at + random() * 50 : at);
      while (one.isRunning && performance.now() < deadline) await sleep(1);
      if (way === "snapshot" && one.isRunning && isBeingWritten(snapshot, span)) midway++;
      one.child.kill("SIGKILL");
    }
    const { code, signal, stderr } = await one.ended;
    demandIntact(db, (file) => Database.open(file, { readOnly: true }));
    demandIntact(snapshot, (file) => SnapshotFile.open(file, { readOnly: true }));
    if (code === 0) {
      await checkSolve(one, shape);
      return `${kills} kills, ${midway} midway in a snapshot`;
    }
    const wasKilled = signal === "SIGKILL" || (code === 1 && /thread/.test(stderr));
    if (isLast || !wasKilled) throw new Error(`exit ${code} after ${kills} kills: ${stderr}`);
  }
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

/** Throws with a file's faults. An empty file is intact: the kill came before the first write. */
function demandIntact(
  file: string,
  open: (file: string) => { faults(): readonly string[] } & Disposable,
): void {
  if (!existsSync(file)) return;
  using opened = open(file);
  const faults = opened.faults();
  if (faults.length > 0) throw new Error(`${file}: ${faults.join("; ")}`);
}

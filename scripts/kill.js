/*
 * Kills solves at random moments, again and again, and resumes them until they are done; then checks that all
 * values are those of a run that nobody disturbed, and that no file was ever damaged.
 *
 *     npm run kill -- 3x3 --runs 200
 *     npm run kill -- 2x5 --runs 20 --seed 2
 *     npm run kill -- 2x6 --kill-every 10 --memory 3G     how many nodes it costs to be killed
 *
 * A kill is one of: SIGKILL to the process; the sudden end of one of its threads, after which the process must
 * end by itself; both; SIGKILL while a snapshot is being written.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseShape, seededRandom } from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import { Database, SnapshotFile, snapshotFileOf } from "@gridlock/store";

const BIN = fileURLToPath(new URL("../packages/cli/bin/gridlock.js", import.meta.url));
const HOOK = new URL("./kill-thread.js", import.meta.url).href;
/** A run that has been killed so often is left to end. */
const MOST_KILLS = 12;
const KINDS = ["process", "thread", "both", "snapshot"];

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    memory: { type: "string" },
    "kill-every": { type: "string" },
    "snapshot-every": { type: "string" },
  },
});
const shape = positionals[0] ?? "3x3";
const game = { shape: parseShape(shape), tiles: [2, 4] };
const killEvery = flags["kill-every"] === undefined ? undefined : Number(flags["kill-every"]);

const random = seededRandom(Number(flags.seed));

/** Starts a solve; `ended` gives its exit code, null after a signal, and what it printed. */
function solve(db, env = {}) {
  const every = flags["snapshot-every"] ?? (killEvery === undefined ? "0.05" : undefined);
  const args = [
    ...["--import", HOOK, BIN, "solve", shape, "--json", "--quiet", "--db", db],
    ...(flags.memory ? ["--memory", flags.memory] : []),
    ...(every ? ["--snapshot-every", every] : []),
  ];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const ended = new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

function valuesOf({ stdout }) {
  return JSON.stringify(JSON.parse(stdout).starts.map(({ board, value }) => [board, value]));
}

/** Everything that is wrong with the files of a run; nothing with one that was killed before it held anything. */
function faultsOf(db) {
  return [
    [db, Database.open],
    [snapshotFileOf(db, game), SnapshotFile.open],
  ].flatMap(([file, open]) => {
    if (!existsSync(file)) return [];
    try {
      const opened = open(file, { readOnly: true });
      try {
        return opened.faults();
      } finally {
        opened.close();
      }
    } catch (error) {
      return / is empty; /.test(error.message) ? [] : [error.message];
    }
  });
}

/**
 * Waits until the snapshot's journal has something in it, which is while batches are being written, but so many
 * milliseconds at most; returns whether it has.
 */
function isBeingWritten(db, patience) {
  const journal = `${snapshotFileOf(db, game)}-journal`;
  const deadline = performance.now() + patience;
  while (performance.now() < deadline) {
    if ((statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0) return true;
  }
  return false;
}

/** Kills a run as `kind` says, at some moment within `span` milliseconds, unless it ends before. */
async function killOnce(db, kind, span) {
  const at = killEvery === undefined ? random() * span : 1000 * killEvery;
  const env = kind === "thread" || kind === "both" ? { KILL_THREAD_AFTER: String(at) } : {};
  const { child, ended } = solve(db, env);
  const deadline = performance.now() + (kind === "both" ? at + random() * 50 : at);
  let running = true;
  ended.then(() => {
    running = false;
  });
  if (kind !== "thread") {
    while (running && performance.now() < deadline) await sleep(1);
    if (kind === "snapshot" && running && isBeingWritten(db, span)) midway++;
    child.kill("SIGKILL");
  }
  return ended;
}

/** Kills in the middle of a snapshot. */
let midway = 0;
const folder = mkdtempSync(join(tmpdir(), "gridlock-kill-"));
const failures = [];
const kills = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
try {
  const began = performance.now();
  const calm = join(folder, "calm.db");
  const undisturbed = await solve(calm).ended;
  if (undisturbed.code !== 0) throw new Error(undisturbed.stderr);
  const span = performance.now() - began;
  const right = valuesOf(undisturbed);
  const { positions, afterstates } = JSON.parse(undisturbed.stdout).nodes;
  console.log(
    `${shape}: undisturbed ${(span / 1000).toFixed(2)} s, ${formatCount(positions + afterstates)} nodes`,
  );
  for (let run = 1; run <= Number(flags.runs); run++) {
    const db = join(folder, `run${run}.db`);
    let result;
    for (let kill = 0; ; kill++) {
      const last = killEvery === undefined && kill >= MOST_KILLS;
      const kind = killEvery === undefined ? KINDS[Math.floor(random() * KINDS.length)] : "process";
      result = last ? await solve(db).ended : await killOnce(db, kind, span);
      const faults = faultsOf(db);
      if (faults.length > 0) failures.push(`run ${run}, after kill ${kill}: ${faults.join("; ")}`);
      if (result.code === 0) break;
      if (last || (result.code !== 1 && result.signal !== "SIGKILL")) {
        failures.push(`run ${run}: exit ${result.code}, ${result.stderr}`);
        break;
      }
      if (result.code === 1 && !/thread/.test(result.stderr)) {
        failures.push(`run ${run}: ${result.stderr}`);
      }
      kills[kind]++;
      if (killEvery !== undefined) console.log(`killed ${kill + 1} times`);
    }
    if (result.code === 0 && valuesOf(result) !== right) failures.push(`run ${run}: wrong values`);
    if (killEvery !== undefined) tellNodes(db, positions + afterstates);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Nodes of all runs on a database. A killed run has logged its nodes up to a second before its end. */
function tellNodes(db, undisturbed) {
  const database = Database.open(db, { readOnly: true });
  let nodes = 0;
  for (const { positions, afterstates, seconds, outcome } of database.runs.all()) {
    const logged = positions + afterstates;
    nodes += logged + (outcome === "unfinished" && seconds > 0 ? logged / seconds : 0);
  }
  database.close();
  console.log(
    `${formatCount(nodes)} nodes in all, at most: ${(nodes / undisturbed).toFixed(3)} times the undisturbed run's`,
  );
}

const told = KINDS.map((kind) => `${kills[kind]} ${kind}`).join(", ");
console.log(
  `${flags.runs} runs, killed: ${told}; ${midway} times while a snapshot was being written`,
);
for (const failure of failures.slice(0, 20)) console.error(`FAILED ${failure}`);
console.log(
  failures.length === 0 ? "all values right, all files whole" : `${failures.length} failures`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

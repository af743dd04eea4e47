/*
 * Kills solves repeatedly at random moments and resumes them until they are done. Checks that all values are those of an
 * undisturbed run, and that no file was ever damaged.
 *
 *     node scripts/release/kill.js 3x3 --runs 200
 *     node scripts/release/kill.js 2x5 --runs 20 --seed 2
 *     node scripts/release/kill.js 2x6 --kill-every 10 --memory 3G  reports the extra nodes caused by kills
 *     node scripts/release/kill.js 2x5 --snapshot-every 1           with a snapshot each second
 */
import { KILL_KINDS, killAndResume } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    memory: { type: "string" },
    "kill-every": { type: "string" },
    "snapshot-every": { type: "string" },
  },
});
const { kills, midway, failures } = await killAndResume(
  {
    shape: positionals[0] ?? "3x3",
    runs: Number(flags.runs),
    seed: Number(flags.seed),
    memory: flags.memory,
    killEvery: flags["kill-every"] === undefined ? undefined : Number(flags["kill-every"]),
    snapshotEvery: flags["snapshot-every"],
  },
  console.log,
);
const counts = KILL_KINDS.map((kind) => `${kills[kind]} ${kind}`).join(", ");
console.log(
  `${flags.runs} runs; kills: ${counts}; ${midway} times while a snapshot was being written`,
);
for (const failure of failures.slice(0, 20)) console.error(`FAILED ${failure}`);
console.log(
  failures.length === 0 ? "all values right, all files whole" : `${failures.length} failures`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

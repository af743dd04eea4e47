/*
 * Inflicts failures of machines and networks on a run over several processes, and checks that the run finishes with the
 * same values as a run on one machine.
 *
 *     npm run faults                             every fault, on 2×5 with searches that are slowed down
 *     npm run faults -- 2x6 --slow 0             the same on 2×6, at full speed
 *     npm run faults -- 2x5 --only redis         the faults whose names contain "redis"
 *     npm run faults -- 2x5 --method layers --runs 20 --seed 1
 *                                                proofs by layers, each disturbed at a random moment (needs root,
 *                                                to mount their folder)
 *
 * All processes and the Redis server are real; a TCP proxy between them cuts connections.
 */
import { parseArgs } from "node:util";
import { disturbLayers, endure, FAULTS, takeOver, valuesHere } from "@gridlock/testbed";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slow: { type: "string", default: "100" },
    only: { type: "string", default: "" },
    memory: { type: "string" },
    pause: { type: "string", default: "30" },
    method: { type: "string", default: "search" },
    runs: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});
const shape = positionals[0] ?? "2x5";

if (flags.method === "layers") {
  const options = { shape, runs: Number(flags.runs), seed: Number(flags.seed) };
  const failures = await disturbLayers(options, console.log);
  console.log(failures.length === 0 ? "all values and files right" : `${failures.length} failures`);
  if (failures.length > 0) process.exitCode = 1;
} else {
  const values = await valuesHere(shape);
  const pause = 1000 * Number(flags.pause);
  const options = { shape, values, pause, memory: flags.memory, slow: Number(flags.slow) };
  if (flags.only === "") {
    console.log(
      `a job whose worker was killed is on the queue again after ${(await takeOver()).toFixed(1)} s`,
    );
  }
  for (const name of Object.keys(FAULTS)) {
    if (!name.includes(flags.only)) continue;
    const began = performance.now();
    try {
      await endure(name, options);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${name}: ${seconds} s, all values right`);
    } catch (error) {
      console.log(`FAILED ${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

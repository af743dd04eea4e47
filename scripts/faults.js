/*
 * Inflicts failures of machines and networks on a run over several processes, and checks that the run finishes with the
 * same values as a run on one machine.
 *
 *     npm run faults                             every fault, on 2×5 with searches that are slowed down
 *     npm run faults -- 2x6 --slow 0             the same on 2×6, at full speed
 *     npm run faults -- 2x5 --only redis         the faults whose names contain "redis"
 *
 * All processes and the Redis server are real; a TCP proxy between them cuts connections.
 */
import { parseArgs } from "node:util";
import { endure, FAULTS, takeOver, valuesHere } from "@gridlock/testbed";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slow: { type: "string", default: "100" },
    only: { type: "string", default: "" },
    memory: { type: "string" },
    pause: { type: "string", default: "30" },
  },
});
const shape = positionals[0] ?? "2x5";
const values = await valuesHere(shape, { memory: flags.memory });
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

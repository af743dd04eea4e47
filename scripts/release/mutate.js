/*
 * Changes the files of all formats at random, also so that their checksums are right, and checks that each command that
 * reads them ends with the right values or a sentence, in little memory, and changes no other files.
 *
 *     node scripts/release/mutate.js --count 1000 --seed 1 --only snapshot --verbose
 */
import { mutateFiles } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";

const { values: flags } = parseCommandLine({
  options: {
    count: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    verbose: { type: "boolean" },
  },
});
const { outcomes, faults, memory } = await mutateFiles({
  count: Number(flags.count),
  seed: Number(flags.seed),
  only: flags.only,
  log: flags.verbose ? console.log : undefined,
});
for (const [outcome, count] of outcomes) console.log(`${outcome}: ${count}`);
for (const fault of faults.slice(0, 100)) console.error(`FAILED ${fault}`);
console.log(`${faults.length} faults; at most ${Math.ceil(memory / 2 ** 20)} MiB of memory`);
if (outcomes.size === 0) console.error("FAILED nothing was changed: no format has this name");
process.exitCode = faults.length === 0 && outcomes.size > 0 ? 0 : 1;

/*
 * Falsifies a certificate in a thousand ways, one at a time, and checks that verify finds each false claim and reports a
 * deletion that leaves a gap as a missing proof.
 *
 *     node scripts/release/corrupt.js 2x3 --count 1000 --seed 1
 */
import { corruptCertificate } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
  },
});
const [name = "2x3"] = positionals;
const { claims, outcomes, faults } = await corruptCertificate(
  name,
  Number(flags.count),
  Number(flags.seed),
);
console.log(`${name}: ${flags.count} corruptions of ${claims} claims`);
for (const [outcome, count] of [...outcomes].sort()) console.log(`  ${outcome}: ${count}`);
for (const fault of faults.slice(0, 20)) console.error(`FAILED ${fault}`);
console.log(
  faults.length === 0
    ? "each was reported correctly"
    : `${faults.length} were not reported correctly`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

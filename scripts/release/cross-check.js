/*
 * Compares results of different origin: the values of a tabulation; the kernel's answers for the
 * same positions or a sample of them; its static lower bounds of the afterstates of their slides; and
 * the bounds that a solve stored in the database. Exits with 1 if any two disagree, or if the counts
 * of the tabulation are not those of the shape's file in results/positions/. Also prints the expected
 * score of the ordinary game.
 *
 *     node scripts/release/cross-check.js 2x2 2x3 2x4
 *     node scripts/release/cross-check.js 3x3 --sample 1000000 --seed 2 --db results/gridlock.db
 *
 * Tabulates and solves shapes that are missing from the database; without --db it uses a temporary
 * folder.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseShape } from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import { crossCheck, runGridlock, TemporaryFolder } from "@gridlock/testbed";
import { parseCommandLine, wholeNumber } from "../command-line.js";

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    db: { type: "string" },
  },
});
const folder = new TemporaryFolder().path;
const db = resolve(flags.db ?? join(folder, "check.db"));
const sample = wholeNumber("sample", flags.sample, 1);
const seed = wholeNumber("seed", flags.seed, 0);

for (const name of positionals.length > 0 ? positionals : ["2x2", "2x3", "2x4"]) {
  const began = performance.now();
  for (const command of ["tabulate", "solve"]) {
    runGridlock(folder, command, name, "--quiet", "--json", "--db", db);
  }
  const game = { shape: parseShape(name), tiles: [2, 4] };
  const { counts, expected, tallies } = crossCheck(game, { db, sample, seed });
  for (const { what, disagreements } of tallies) {
    for (const sentence of disagreements) console.error(`${what}: ${sentence}`);
  }
  const sizes = [
    `${formatCount(counts.positions)} positions, ${formatCount(counts.terminal)} of them without a slide`,
    `${formatCount(counts.afterstates)} afterstates`,
  ];
  console.log(`${name}: ${sizes.join(", ")}; expected score ${expected.toFixed(2)}`);
  const published = publishedText(name);
  for (const size of sizes) {
    if (published === undefined || published.includes(size)) continue;
    console.error(`results/positions/${name}.md has other counts, not ${size}`);
    process.exitCode = 1;
  }
  const checks = tallies.map(
    ({ what, checked, wrong }) => `${what} ${formatCount(checked)} (${wrong} wrong)`,
  );
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${name}: ${checks.join(", ")}; ${seconds} s`);
  if (tallies.some(({ wrong }) => wrong > 0)) process.exitCode = 1;
}

/** Returns the text of the published statistics of a shape, on one line, if there are any. */
function publishedText(name) {
  const file = new URL(`../../results/positions/${name}.md`, import.meta.url);
  return existsSync(file) ? readFileSync(file, "utf8").replaceAll(/\s+/g, " ") : undefined;
}

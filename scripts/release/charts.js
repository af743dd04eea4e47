/*
 * Draws the charts of results/paper again, from the JSON beside them: after a change of how charts look, without running
 * the experiments.
 *
 *     node scripts/release/charts.js
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXPERIMENTS, picturesOf } from "@gridlock/lab";
import { writeWhole } from "@gridlock/report";
import { parseCommandLine } from "../command-line.js";
import { readData, writeChart } from "../results.js";

parseCommandLine({});

for (const experiment of EXPERIMENTS) {
  const data = JSON.parse(readFileSync(join(FOLDER, `${experiment.name}.json`), "utf8"));
  for (const { name, svg } of await picturesOf(experiment, data)) {
    writeWhole(join(FOLDER, `${name}.svg`), `${svg}\n`);
    console.log(`drew ${name}.svg`);
  }
}

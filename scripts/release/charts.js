/*
 * Draws the charts of results/paper again, from the JSON beside them: after a change of how charts
 * look, without running the experiments.
 *
 *     node scripts/release/charts.js
 */
import { EXPERIMENTS, picturesOf } from "@gridlock/lab";
import { parseCommandLine } from "../command-line.js";
import { readData, writeChart } from "../results.js";

parseCommandLine({});

for (const experiment of EXPERIMENTS) {
  const data = readData(`paper/${experiment.name}.json`);
  for (const { name, svg } of await picturesOf(experiment, data)) {
    writeChart(`paper/${name}.svg`, `${svg}\n`);
    console.log(`drew ${name}.svg`);
  }
}

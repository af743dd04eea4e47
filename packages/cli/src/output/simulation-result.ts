import { join } from "node:path";
import { type Run, saysYes } from "@gridlock/cluster";
import { formatCount } from "@gridlock/report";
import { gameAsJson } from "./json.js";
import { makeOutFolder, writeResult } from "./result-files.js";
import {
  chartOf,
  figuresOf,
  pageOf,
  questionInWords,
  type SimulatedRun,
  tableOf,
} from "./simulate-report.js";
import { printLine } from "./stdout.js";

/** Writes the page and the chart of some runs into a folder. */
export async function writeSimulation(
  folder: string,
  name: string,
  all: readonly SimulatedRun[],
  single: Run,
): Promise<void> {
  const picture = await chartOf(name, all, single);
  makeOutFolder(folder);
  writeResult("--out", join(folder, `${name}.md`), pageOf(commandLine(), all, single, picture));
  writeResult("--out", join(folder, `${name}.svg`), `${picture.svg}\n`);
}

/** Returns the command line, quoted to be typed again. */
function commandLine(): string {
  const quoted = process.argv
    .slice(2)
    .map((word) => (/^[\w./:,=+-]+$/.test(word) ? word : `"${word}"`));
  return ["npx gridlock", ...quoted].join(" ");
}

/** Prints the table of some runs beside one thread by itself, or JSON. */
export function printSimulation(all: readonly SimulatedRun[], single: Run, json: boolean): void {
  const [{ options }] = all as readonly [SimulatedRun];
  const { game, question } = options;
  if (json) {
    printLine(
      JSON.stringify({
        ...gameAsJson(game),
        question: questionInWords(options),
        answer: saysYes(single.bound, question.threshold),
        alone: single.nodes,
        runs: all.map((one) => figuresOf(one, single)),
      }),
    );
    return;
  }
  const answer = saysYes(single.bound, question.threshold) ? "yes" : "no";
  printLine(
    `${questionInWords(options)}: ${answer}, ${formatCount(single.time)} nodes by one thread\n`,
  );
  printLine(tableOf(all, single));
}

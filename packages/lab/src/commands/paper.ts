import { join } from "node:path";
import {
  DEFAULT_DB,
  EXIT,
  jsonOption,
  makeOutFolder,
  outOption,
  parseInteger,
  printError,
  printLine,
  requireCharts,
  showWork,
  watchInterrupts,
  workersOption,
} from "@gridlock/cli/command";
import { formatSeconds } from "@gridlock/report";
import { Command, Option } from "commander";
import { Bench, type BenchProgress } from "../bench.js";
import { type Experiment, type Report, run } from "../experiment.js";
import { EXPERIMENTS, LONGEST_FIRST } from "../paper/experiments/index.js";
import { commandOf, DEFAULTS, writeReport } from "./experiments.js";
import { paperPlayersCommand } from "./paper-players.js";

const DEFAULT_OUT = "results/paper";
const DEFAULT_SEED = 0;
/** Milliseconds between two lines about the progress in a pipe. */
const LINE_MS = 10_000;

interface PaperFlags {
  readonly out: string;
  readonly workers: number;
  readonly seed?: number;
  readonly mostNodes?: number;
  readonly json?: true;
  readonly quiet?: true;
}

/** Makes the command `gridlock paper`. */
export function paperCommand(): Command {
  const command = new Command("paper").addHelpText(
    "after",
    `
Each experiment writes Markdown, JSON and SVG charts that compare the paper's figures with ours.

Examples:
  $ gridlock paper table3
  $ gridlock paper all                     every experiment, some minutes
  $ gridlock paper figure9 --json | jq '.rows[0].both.ours.value'`,
  );
  for (const experiment of EXPERIMENTS) {
    command.addCommand(experimentCommand(experiment.name, experiment.summary, [experiment]));
  }
  return command
    .addCommand(experimentCommand("all", "every experiment of Qiu's paper", LONGEST_FIRST))
    .addCommand(paperPlayersCommand());
}

function experimentCommand(
  name: string,
  summary: string | undefined,
  experiments: readonly Experiment[],
): Command {
  const command = new Command(name)
    .description(summary ?? "")
    .addOption(outOption(DEFAULT_OUT))
    .addOption(workersOption());
  const settings = experiments.flatMap(({ settings = [] }) => settings);
  if (settings.includes("seed")) {
    command.addOption(
      new Option("--seed <n>", "seed of the sampled boards")
        .default(DEFAULT_SEED)
        .argParser((text) => parseInteger(text, 0, 2 ** 32 - 1)),
    );
  }
  if (settings.includes("mostNodes")) {
    command.addOption(
      new Option("--most-nodes <n>", "most nodes of each full solution of 3x3")
        .default(DEFAULTS.mostNodes)
        .argParser((text) => parseInteger(text, 1, 1e9)),
    );
  }
  return command
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .action(async (flags: PaperFlags) => {
      process.exitCode = await runExperiments(name, experiments, flags);
    });
}

async function runExperiments(
  name: string,
  experiments: readonly Experiment[],
  flags: PaperFlags,
): Promise<number> {
  const began = performance.now();
  requireCharts();
  makeOutFolder(flags.out);
  using watch = watchInterrupts("stopping; finished experiments are written");
  const { signal } = watch;
  let standing: BenchProgress = { done: 0, total: 0 };
  const look = () => standing;
  using display = flags.quiet
    ? undefined
    : showWork(`paper ${name}`, "searches and sweeps", look, { lineMs: LINE_MS, signal });
  await using bench = new Bench({
    ...{ ...DEFAULTS, seed: DEFAULT_SEED, db: DEFAULT_DB, ...flags },
    onProgress: (progress) => {
      standing = progress;
    },
  });
  const interrupted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined));
  });
  const reports = new Map<string, Report>();
  const running = Promise.all(
    experiments.map(async (experiment) => {
      const report = await run(experiment, bench);
      const command = commandOf("paper", experiment, bench.settings, DEFAULT_SEED);
      writeReport(flags.out, experiment, report, command);
      if (display && !process.stderr.isTTY) {
        printError(`wrote ${join(flags.out, experiment.name)}.md`);
      }
      reports.set(experiment.name, report);
      return true;
    }),
  );
  if ((await Promise.race([running, interrupted])) === undefined) return EXIT.interrupted;
  display?.stop();
  const [only] = experiments;
  if (flags.json) {
    const data = EXPERIMENTS.flatMap(({ name }) => {
      const report = reports.get(name);
      return report === undefined ? [] : [[name, report.data] as const];
    });
    printLine(JSON.stringify(experiments.length === 1 ? data[0]?.[1] : Object.fromEntries(data)));
  } else if (experiments.length === 1 && only !== undefined) {
    printLine(`${only.title}\n\n${reports.get(only.name)?.text.trim()}`);
  }
  if (!flags.quiet) {
    printError(`done in ${formatSeconds((performance.now() - began) / 1000)}`);
  }
  return EXIT.ok;
}

import { join } from "node:path";
import {
  asArgument,
  asked,
  dbOption,
  EXIT,
  isInterruption,
  makeOutFolder,
  outOption,
  parseInteger,
  requireCharts,
  seedOption,
  showWork,
  tell,
  UsageError,
  watchInterrupts,
  workersOption,
} from "@gridlock/cli/command";
import { formatShape, parseShape, type Shape } from "@gridlock/game";
import { formatSeconds } from "@gridlock/report";
import { Command, Option } from "commander";
import { Bench, type BenchProgress } from "../bench.js";
import { canSweep } from "../exact/assess.js";
import { type Experiment, type Report, run } from "../experiment.js";
import { PLAYERS_EXPERIMENTS } from "../players/index.js";
import { commandOf, DEFAULTS, writeReport } from "./experiments.js";

const DEFAULT_OUT = "results/players";
const DEFAULT_SEED = 1;
const MOST_GAMES = 10_000_000;

interface PaperPlayersFlags {
  readonly out: string;
  readonly seed: number;
  readonly shapes: readonly Shape[];
  readonly mostGames?: number;
  readonly db: string;
  readonly workers: number;
  readonly quiet?: true;
}

/** The experiments of the papers on players. */
export function paperPlayersCommand(): Command {
  return new Command("players")
    .description("repeat the published experiments of four programs that play 2048")
    .argument(
      "[experiment...]",
      "strategies, estimate, gradient, zaky, exact, moves, simulated, held (default: all, in this order)",
    )
    .addOption(outOption(DEFAULT_OUT))
    .addOption(seedOption("seed of the games").default(DEFAULT_SEED))
    .addOption(
      new Option(
        "--most-games <n>",
        "most games of each player (default: the experiment's)",
      ).argParser((text) => parseInteger(text, 1, MOST_GAMES)),
    )
    .addOption(
      new Option("--shapes <shapes>", "shapes of exact, moves and simulated, at most 9 cells each")
        .default(DEFAULTS.shapes, DEFAULTS.shapes.map(formatShape).join())
        .argParser(asArgument(parseShapes)),
    )
    .addOption(dbOption())
    .addOption(workersOption())
    .option("--quiet", "hide progress")
    .addHelpText(
      "after",
      `
Writes Markdown, JSON and charts, which docs/players.md explains. exact, moves and simulated need a
tabulation of each shape beside the database (gridlock tabulate).

Examples:
  $ gridlock paper players                 every experiment, two hours or more
  $ gridlock paper players strategies
  $ gridlock paper players exact --shapes 2x3,2x4
  $ gridlock paper players zaky --most-games 10`,
    )
    .action(async (names: string[], flags: PaperPlayersFlags) => {
      process.exitCode = await runExperiments(names, flags);
    });
}

/** Parses shapes such as `2x3,2x4`. */
function parseShapes(text: string): Shape[] {
  return text.split(",").map((name) => parseShape(name));
}

async function runExperiments(names: string[], flags: PaperPlayersFlags): Promise<number> {
  const experiments = chosen(PLAYERS_EXPERIMENTS, names);
  const { out, shapes } = flags;
  requireCharts();
  const large = shapes.find((shape) => !canSweep(shape));
  if (large) throw new UsageError(`--shapes has ${formatShape(large)}; expected at most 9 cells`);
  let standing: BenchProgress = { done: 0, total: 1, text: "" };
  using watch = watchInterrupts("stopping; finished experiments are written");
  const { signal } = watch;
  await using bench = new Bench({
    ...{ ...DEFAULTS, ...flags, signal },
    onProgress: (progress) => {
      standing = progress;
    },
  });
  if (experiments.some(({ settings = [] }) => settings.includes("shapes"))) {
    await asked(() => bench.expectTabulations());
  }
  makeOutFolder(out);
  const began = performance.now();
  using display = flags.quiet
    ? undefined
    : showWork("paper players", "done", () => standing, { signal });
  for (const experiment of experiments) {
    let report: Report;
    try {
      report = await run(experiment, bench);
    } catch (error) {
      if (isInterruption(error, signal)) return EXIT.interrupted;
      throw error;
    }
    const command = commandOf("paper players", experiment, bench.settings, DEFAULT_SEED);
    writeReport(out, experiment, report, command);
  }
  display?.stop();
  const took = formatSeconds((performance.now() - began) / 1000);
  const files = experiments.map(({ name }) => join(out, `${name}.md`));
  tell(flags, `wrote ${files.join(", ")} in ${took}`);
  return EXIT.ok;
}

/** Returns the experiments of some names in their order, or all. */
function chosen(all: readonly Experiment[], names: string[]): readonly Experiment[] {
  if (names.length === 0) return all;
  return names.map((name) => {
    const experiment = all.find((one) => one.name === name);
    if (experiment) return experiment;
    const known = all.map((one) => one.name).join(", ");
    throw new UsageError(`there is no experiment "${name}"; expected ${known}`);
  });
}

import { join } from "node:path";
import {
  asArgument,
  asked,
  DEFAULT_DB,
  dbOption,
  describeMachine,
  jsonOption,
  makeOutFolder,
  outOption,
  parseInteger,
  printLine,
  requireCharts,
  seedOption,
  showWork,
  tell,
  UsageError,
  watchInterrupts,
  workersOption,
  writeResult,
} from "@gridlock/cli/command";
import { formatShape, parseShape } from "@gridlock/game";
import { formatSeconds } from "@gridlock/report";
import { orAborted } from "@gridlock/threads";
import { Command, Option } from "commander";
import { Bench, type BenchProgress, type BenchSettings } from "../bench.js";
import { canSweep } from "../exact/assess.js";
import { type Experiment, filesOf, inTurn, type Report, run } from "../experiment.js";
import { EXPERIMENTS, LONGEST_FIRST } from "../paper/experiments/index.js";
import { PLAYERS_EXPERIMENTS } from "../players/index.js";

/** The default settings of all experiments. */
const DEFAULTS = {
  /** Enough for the best ordering to solve 3×3; all of Qiu's experiments take only minutes. */
  mostNodes: 18_000_000,
  shapes: ["2x3", "2x4", "3x3"].map(parseShape),
  db: DEFAULT_DB,
};

/** The experiments of Qiu's paper: searches that can run at the same time. */
const QIU = { words: "paper", seed: 0, unit: "searches and sweeps", isAtOnce: true };
/** The experiments of the papers on players, each of which uses all threads. */
const PLAYERS = { words: "paper players", seed: 1, unit: "done", isAtOnce: false };

const MOST_GAMES = 10_000_000;

interface PaperFlags extends Partial<BenchSettings> {
  readonly out: string;
  readonly workers: number;
  readonly json?: true;
  readonly quiet?: true;
}

/** Makes the command `gridlock paper`. */
export function paperCommand(): Command {
  const command = new Command("paper")
    .description("run the experiments of Qiu's paper, and of papers on programs that play 2048")
    .helpGroup("Research:")
    .addHelpText(
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
    .addCommand(playersCommand());
}

function experimentCommand(
  name: string,
  summary: string | undefined,
  experiments: readonly Experiment[],
): Command {
  const command = new Command(name)
    .description(summary ?? "")
    .addOption(outOption("results/paper"))
    .addOption(workersOption());
  const settings = experiments.flatMap(({ settings = [] }) => settings);
  if (settings.includes("seed")) {
    command.addOption(seedOption("seed of the sampled boards").default(QIU.seed));
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
    .action((flags: PaperFlags) => runPaper(name, experiments, flags));
}

async function runPaper(
  name: string,
  experiments: readonly Experiment[],
  flags: PaperFlags,
): Promise<void> {
  const began = performance.now();
  const reports = await runAll(experiments, QIU, `paper ${name}`, flags);
  const isAll = experiments.length > 1;
  if (flags.json) {
    const dataOf = (one: Experiment) => reports[experiments.indexOf(one)]?.data;
    const all = EXPERIMENTS.map((one) => [one.name, dataOf(one)]);
    printLine(JSON.stringify(isAll ? Object.fromEntries(all) : reports[0]?.data));
  } else if (!isAll) {
    printLine(`${experiments[0]?.title}\n\n${reports[0]?.text.trim()}`);
  }
  tell(flags, `done in ${formatSeconds((performance.now() - began) / 1000)}`);
}

function playersCommand(): Command {
  return new Command("players")
    .description("repeat the published experiments of four programs that play 2048")
    .argument(
      "[experiment...]",
      "strategies, estimate, gradient, zaky, exact, moves, held (default: all, in this order)",
    )
    .addOption(outOption("results/players"))
    .addOption(seedOption("seed of the games").default(PLAYERS.seed))
    .addOption(
      new Option(
        "--most-games <n>",
        "most games of each player (default: the experiment's)",
      ).argParser((text) => parseInteger(text, 1, MOST_GAMES)),
    )
    .addOption(
      new Option("--shapes <shapes>", "shapes of exact and moves, at most 9 cells each")
        .default(DEFAULTS.shapes, DEFAULTS.shapes.map(formatShape).join())
        .argParser(asArgument((text) => text.split(",").map((name) => parseShape(name)))),
    )
    .addOption(dbOption())
    .addOption(workersOption())
    .option("--quiet", "hide progress")
    .addHelpText(
      "after",
      `
Writes Markdown, JSON and charts, which docs/players.md explains. exact and moves need a tabulation of
each shape beside the database (gridlock tabulate).

Examples:
  $ gridlock paper players                 every experiment, two hours or more
  $ gridlock paper players strategies
  $ gridlock paper players exact --shapes 2x3,2x4
  $ gridlock paper players zaky --most-games 10`,
    )
    .action(runPlayers);
}

async function runPlayers(names: string[], flags: PaperFlags): Promise<void> {
  const began = performance.now();
  const experiments = chosen(names);
  const large = flags.shapes?.find((shape) => !canSweep(shape));
  if (large) throw new UsageError(`--shapes has ${formatShape(large)}; expected at most 9 cells`);
  await runAll(experiments, PLAYERS, PLAYERS.words, flags);
  const took = formatSeconds((performance.now() - began) / 1000);
  const files = experiments.map(({ name }) => join(flags.out, `${name}.md`));
  tell(flags, `wrote ${files.join(", ")} in ${took}`);
}

/** Returns the experiments on players of some names in their order, or all. */
function chosen(names: string[]): readonly Experiment[] {
  if (names.length === 0) return PLAYERS_EXPERIMENTS;
  return names.map((name) => {
    const experiment = PLAYERS_EXPERIMENTS.find((one) => one.name === name);
    if (experiment) return experiment;
    const known = PLAYERS_EXPERIMENTS.map((one) => one.name).join(", ");
    throw new UsageError(`there is no experiment "${name}"; expected ${known}`);
  });
}

/**
 * Runs experiments and writes the files of each that is finished; returns their reports.
 *
 * @param name the work's name in the display of progress
 */
async function runAll(
  experiments: readonly Experiment[],
  group: typeof QIU,
  name: string,
  flags: PaperFlags,
): Promise<readonly Report[]> {
  requireCharts();
  using watch = watchInterrupts("stopping; finished experiments are written");
  const { signal } = watch;
  using display = showWork(name, group.unit, { done: 0, total: 0 }, { signal, quiet: flags.quiet });
  const onProgress = (progress: BenchProgress) => display.show(progress);
  await using bench = new Bench({ ...DEFAULTS, seed: group.seed, ...flags, signal, onProgress });
  if (experiments.some(({ settings = [] }) => settings.includes("shapes"))) {
    await asked(() => bench.expectTabulations());
  }
  makeOutFolder(flags.out);
  const finish = async (experiment: Experiment) => {
    const report = await run(experiment, bench);
    const command = commandOf(group, experiment, bench.settings);
    const date = new Date().toISOString().slice(0, 10);
    const files = filesOf(experiment, report, { command, machine: describeMachine(), date });
    for (const [file, content] of files) writeResult("--out", join(flags.out, file), content);
    if (group.isAtOnce && !process.stderr.isTTY) {
      tell(flags, `wrote ${join(flags.out, experiment.name)}.md`);
    }
    return report;
  };
  const all = group.isAtOnce ? Promise.all(experiments.map(finish)) : inTurn(experiments, finish);
  return await orAborted(all, signal);
}

/**
 * Returns the command that repeats an experiment, with the settings on which its result depends and
 * that are not the defaults.
 */
function commandOf(
  { words, seed: defaultSeed }: typeof QIU,
  { name, settings = [] }: Experiment,
  { seed, mostNodes, mostGames, shapes }: BenchSettings,
): string {
  const options: Record<keyof BenchSettings, string | false> = {
    seed: seed !== defaultSeed && `--seed ${seed}`,
    mostNodes: mostNodes !== DEFAULTS.mostNodes && `--most-nodes ${mostNodes}`,
    mostGames: mostGames !== undefined && `--most-games ${mostGames}`,
    shapes: shapes !== DEFAULTS.shapes && `--shapes ${shapes.map(formatShape)}`,
  };
  const given = (Object.keys(options) as (keyof BenchSettings)[]).flatMap((setting) =>
    settings.includes(setting) ? options[setting] || [] : [],
  );
  return ["npx gridlock", words, name, ...given].join(" ");
}

import { join } from "node:path";
import { filesOf } from "@gridlock/paper";
import type { PlayersExperiment } from "@gridlock/players";
import { formatSeconds } from "@gridlock/report";
import { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { describeMachine } from "../machine.js";
import { dbOption, outOption, seedOption, workersOption } from "../options/options.js";
import { showWork } from "../output/display.js";
import { makeOutFolder, requireCharts, writeResult } from "../output/result-files.js";

const DEFAULT_OUT = "results/players";
const DEFAULT_SEED = 1;

interface PaperPlayersFlags {
  readonly out: string;
  readonly seed: number;
  readonly db: string;
  readonly workers: number;
  readonly quiet?: true;
}

/** The experiments of the papers on players. */
export function paperPlayersCommand(): Command {
  return new Command("players")
    .description("repeat what four programs that play 2048 have published of their scores")
    .argument("[experiment...]", "strategies, estimate, gradient, zaky, exact (default: all)")
    .addOption(outOption(DEFAULT_OUT))
    .addOption(seedOption("seed of the games").default(DEFAULT_SEED))
    .addOption(dbOption())
    .addOption(workersOption())
    .option("--quiet", "hide progress")
    .addHelpText(
      "after",
      `
Writes Markdown, JSON and charts. docs/players.md tells what comes of it. "exact" needs tabulations of 2x3, 2x4 and
3x3 beside the database (gridlock tabulate).

Examples:
  $ gridlock paper players                 every experiment, some half an hour
  $ gridlock paper players strategies`,
    )
    .action(async (names: string[], flags: PaperPlayersFlags) => {
      process.exitCode = await runExperiments(names, flags);
    });
}

async function runExperiments(names: string[], flags: PaperPlayersFlags): Promise<number> {
  const { GamesBench, PLAYERS_EXPERIMENTS } = await import("@gridlock/players");
  const experiments = chosen(PLAYERS_EXPERIMENTS, names);
  const { out, seed, db, workers } = flags;
  requireCharts();
  makeOutFolder(out);
  const began = performance.now();
  let standing = { done: 0, total: 1, text: "" };
  using watch = watchInterrupts("stopping; finished experiments are written");
  const { signal } = watch;
  using display = flags.quiet
    ? undefined
    : showWork("paper players", "games", () => standing, { signal });
  const bench = new GamesBench({
    ...{ seed, db, workers, signal },
    onProgress: (text, done, total) => {
      standing = { done, total, text };
    },
  });
  const made = { machine: describeMachine(), date: new Date().toISOString().slice(0, 10) };
  for (const experiment of experiments) {
    try {
      const report = await experiment.run(bench);
      const command = `npx gridlock paper players ${experiment.name}${seed === DEFAULT_SEED ? "" : ` --seed ${seed}`}`;
      for (const [file, content] of filesOf(experiment, report, { ...made, command })) {
        writeResult("--out", join(out, file), content);
      }
    } catch (error) {
      if (signal.aborted) return EXIT.interrupted;
      throw error;
    }
  }
  display?.stop();
  const took = formatSeconds((performance.now() - began) / 1000);
  if (!flags.quiet) {
    const files = experiments.map(({ name }) => join(out, `${name}.md`));
    console.error(`wrote ${files.join(", ")} in ${took}`);
  }
  return EXIT.ok;
}

function chosen(all: readonly PlayersExperiment[], names: string[]): readonly PlayersExperiment[] {
  for (const name of names) {
    if (all.some((experiment) => experiment.name === name)) continue;
    const known = all.map((experiment) => experiment.name).join(", ");
    throw new UsageError(`there is no experiment "${name}"; expected ${known}`);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

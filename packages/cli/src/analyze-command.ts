import { join } from "node:path";
import { describeGame, type Game, type Tiles } from "@gridlock/game";
import {
  canTabulate,
  columnFileOf,
  MAX_SWEEP_CELLS,
  survey,
  Tabulation,
} from "@gridlock/retrograde";
import { Command, Option } from "commander";
import { chartsOf, reportOf } from "./analyze-report.js";
import { EXIT, UsageError } from "./exit.js";
import { formatSeconds } from "./format.js";
import { commandOf, dbOption, gameOf, parseInteger, tilesOption } from "./options.js";
import { makeOutFolder, writeWhole } from "./write-whole.js";

interface AnalyzeFlags {
  readonly tiles: Tiles;
  readonly db: string;
  readonly sample: number;
  readonly seed: number;
  readonly out: string;
  readonly quiet?: true;
}

/** Positions whose moves are looked at, unless told otherwise. */
const DEFAULT_SAMPLE = 20_000;

export function analyzeCommand(): Command {
  return new Command("analyze")
    .description("tell of all positions of a tabulated shape, in tables and charts")
    .argument("<shape>", "rows x columns, such as 3x3")
    .addOption(tilesOption())
    .addOption(dbOption())
    .addOption(
      new Option("--sample <n>", "how many positions to look at move by move")
        .default(DEFAULT_SAMPLE)
        .argParser((text) => parseInteger(text, 1, 2 ** 31 - 1)),
    )
    .addOption(
      new Option("--seed <n>", "determines which positions these are")
        .default(1)
        .argParser((text) => parseInteger(text, 0, 2 ** 32 - 1)),
    )
    .addOption(
      new Option("--out <folder>", "the folder to write results into").default("results/positions"),
    )
    .option("--quiet", "say nothing while at it")
    .addHelpText(
      "after",
      `
Counts by tile sum, largest tile and value; the longest lines of best play; the hardest placements; how
often each slide is best. gridlock tabulate SHAPE comes first.

Example:
  $ gridlock analyze 3x3          half a minute; writes results/positions/3x3.md`,
    )
    .action(async (shape: string, flags: AnalyzeFlags) => {
      process.exitCode = await runAnalyze(gameOf(shape, flags.tiles), flags);
    });
}

async function runAnalyze(game: Game, flags: AnalyzeFlags): Promise<number> {
  const began = performance.now();
  if (!canTabulate(game.shape)) {
    throw new UsageError(
      `${describeGame(game)} cannot be tabulated; expected a shape of at most ${MAX_SWEEP_CELLS} cells`,
    );
  }
  const tabulation = Tabulation.open(game, ["minimax", "expected"], (column) =>
    columnFileOf(flags.db, game, column),
  );
  try {
    makeOutFolder(flags.out);
    const found = survey(tabulation, flags);
    const name = commandOf("", tabulation.game).trim().replaceAll(" ", "").replace("--", "-");
    const pictures = await chartsOf(name, tabulation, found);
    const command = `npx gridlock ${commandOf("analyze", tabulation.game)}`;
    const report = reportOf(command, tabulation, found, pictures);
    for (const { name: file, svg } of pictures) writeWhole(join(flags.out, `${file}.svg`), svg);
    writeWhole(join(flags.out, `${name}.md`), report);
    console.log(report);
    if (!flags.quiet) {
      const seconds = formatSeconds((performance.now() - began) / 1000);
      console.error(`${describeGame(game)}: wrote ${join(flags.out, name)}.md in ${seconds}`);
    }
    return EXIT.ok;
  } finally {
    tabulation.close();
  }
}

import { dirname, join } from "node:path";
import { describeGame, type Game } from "@gridlock/game";
import { formatRough, formatSeconds, wrapMarkdown } from "@gridlock/report";
import type { AnalyzeOutput } from "@gridlock/schemas";
import {
  canTabulate,
  columnFileOf,
  MAX_SWEEP_CELLS,
  type Survey,
  type SweepProgress,
  survey,
  Tabulation,
} from "@gridlock/tablebase";
import { type Command, Option } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { commandOf, gameOf } from "../options/game.js";
import {
  type GameFlags,
  gameCommand,
  jsonOption,
  sweepMemoryOption,
  workersOption,
} from "../options/options.js";
import { parseFile } from "../options/parse.js";
import { chartsOf, reportOf, summaryOf, surveyAsJson } from "../output/analyze-report.js";
import { tell } from "../output/display.js";
import { makeOutFolder, requireCharts, writeResult } from "../output/result-files.js";
import { printJson, printLine } from "../output/stdout.js";
import { printError } from "../output/visible.js";
import { type SweepFlags, sweepShown } from "../shown-sweep.js";
import { analyzeBoard } from "./analyze-board.js";

interface AnalyzeFlags extends SweepFlags, GameFlags {
  readonly out?: string;
  readonly board?: string;
}

/** Makes the command `gridlock analyze`. */
export function analyzeCommand(): Command {
  return gameCommand(
    "analyze",
    "report statistics of every position of a tabulated shape, with charts",
  )
    .addOption(workersOption())
    .addOption(sweepMemoryOption())
    .option(
      "--out <folder>",
      "folder to write the page and its charts to (default: positions, beside the database)",
      parseFile,
    )
    .addOption(
      new Option(
        "--board <board>",
        "only follow perfect play from this board, with values from the tabulation or by search",
      ).conflicts(["out", "memory", "workers"]),
    )
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Counts positions by tile sum, largest tile and value, and how often each slide is best; finds the longest
lines of best play, where they end, the hardest placements, and boards on which nobody wants to move (mutual
zugzwang). Writes a page in Markdown with charts in SVG, and prints a
summary. Run gridlock tabulate SHAPE first. When stopped, it writes nothing.

With --board, counts the boards that both players can reach from this one by best moves alone, and those
where such play ends; needs no tabulation, and writes nothing.

Examples:
  $ gridlock analyze 3x3              two minutes; writes results/positions/3x3.md
  $ gridlock analyze 3x3 --out .      writes 3x3.md into this folder
  $ gridlock analyze 2x3 --json       every count, as JSON
  $ gridlock analyze 2x5 --board "2 2 0 0 0/0 0 0 0 0"`,
    )
    .action(async (shape: string, flags: AnalyzeFlags) => {
      const game = gameOf(shape, flags.tiles);
      if (flags.board !== undefined) await analyzeBoard(game, flags.board, flags);
      else process.exitCode = await runAnalyze(game, flags);
    });
}

async function runAnalyze(game: Game, flags: AnalyzeFlags): Promise<number> {
  const began = performance.now();
  if (!canTabulate(game.shape)) {
    throw new UsageError(
      `${describeGame(game)} cannot be tabulated; expected a shape of at most ${MAX_SWEEP_CELLS} cells`,
    );
  }
  using tabulation = Tabulation.open(game, ["minimax"], (column) =>
    columnFileOf(flags.db, game, column),
  );
  requireCharts();
  const out = flags.out ?? join(dirname(flags.db), "positions");
  makeOutFolder(out);
  const found = await surveyAll(tabulation, flags);
  if (found === undefined) {
    printError("stopped; nothing was written");
    return EXIT.interrupted;
  }
  const name = commandOf("", tabulation.game).trim().replace(" --", "-").replace(" ", "-");
  const pictures = await chartsOf(name, tabulation, found);
  const command = `npx gridlock ${commandOf("analyze", tabulation.game)}`;
  const report = reportOf(command, tabulation, found, pictures);
  for (const { name: file, svg } of pictures) {
    writeResult("--out", join(out, `${file}.svg`), svg);
  }
  const page = join(out, `${name}.md`);
  writeResult("--out", page, wrapMarkdown(report));
  if (flags.json) printJson<AnalyzeOutput>(surveyAsJson(tabulation, found));
  else printLine(summaryOf(tabulation, found));
  const seconds = formatSeconds((performance.now() - began) / 1000);
  tell(flags, `wrote ${page} and ${pictures.length} charts in ${seconds}`);
  return EXIT.ok;
}

/** Surveys a tabulation and displays the progress; returns `undefined` when stopped by Ctrl-C. */
function surveyAll(tabulation: Tabulation, flags: AnalyzeFlags): Promise<Survey | undefined> {
  let latest: SweepProgress = { sum: 0, layers: 0, positions: 0 };
  const { positions } = tabulation.counts();
  const look = () => ({
    done: latest.layers,
    total: tabulation.layers.length,
    text: `surveyed tile sum ${latest.sum}, ${formatRough(latest.positions)} positions`,
    part: latest.positions / positions,
  });
  return sweepShown(tabulation.game, flags, look, (options) =>
    survey(tabulation, {
      ...options,
      onProgress: (progress) => {
        latest = progress;
      },
    }),
  );
}

import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Library } from "@gridlock/answers";
import {
  type Board,
  describeGame,
  formatBoard,
  type Game,
  isExact,
  type Node,
} from "@gridlock/game";
import { formatCount, formatRough, formatSeconds, wrapMarkdown } from "@gridlock/report";
import type { AnalyzeBoardOutput, AnalyzeOutput } from "@gridlock/schemas";
import {
  canTabulate,
  MAX_SWEEP_CELLS,
  type PerfectPlay,
  PerfectPlays,
  type Survey,
  type SweepProgress,
  survey,
  Tabulation,
} from "@gridlock/tablebase";
import type { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { positionOf } from "../options/boards.js";
import { commandOf, gameOf } from "../options/game.js";
import { queryMemory } from "../options/memory.js";
import {
  type GameFlags,
  gameCommand,
  jsonOption,
  sweepMemoryOption,
  workersOption,
} from "../options/options.js";
import { folderOption } from "../options/paths.js";
import {
  chartsOf,
  perfectAsJson,
  reportOf,
  summaryOf,
  surveyAsJson,
} from "../output/analyze-report.js";
import { showWork } from "../output/display.js";
import { gameAsJson, printError, printJson, printLine, tell } from "../output/print.js";
import { makeOutFolder, requireCharts, writeResult } from "../output/result-files.js";
import { type SweepFlags, sweepShown } from "../shown-sweep.js";

interface AnalyzeFlags extends SweepFlags, GameFlags {
  readonly out?: string;
  readonly board?: string;
}

/** Most seconds of the search for one value. The first takes longest: later ones find its table. */
const BUDGET_S = 60;

/** Milliseconds of walking between two looks at other things to do, such as displaying progress. */
const TURN_MS = 50;

/** Makes the command `gridlock analyze`. */
export function analyzeCommand(): Command {
  return gameCommand(
    "analyze",
    "report statistics of every position of a tabulated shape, with charts",
  )
    .addOption(workersOption())
    .addOption(sweepMemoryOption())
    .addOption(
      folderOption(
        "--out <folder>",
        "folder to write the page and its charts to (default: positions, beside the database)",
      ),
    )
    .option(
      "--board <board>",
      "only follow perfect play from this board, with values from the tabulation or by search",
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
  using tabulation = Tabulation.open(game, ["minimax"], flags.db);
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
  const command = `gridlock ${commandOf("analyze", tabulation.game)}`;
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
  const all = tabulation.counts().positions;
  const standing = ({ sum, layers, positions }: SweepProgress) => ({
    done: layers,
    total: tabulation.layers.length,
    text: `surveyed tile sum ${sum}, ${formatRough(positions)} positions`,
    part: positions / all,
  });
  const first = standing({ sum: 0, layers: 0, positions: 0 });
  return sweepShown(tabulation.game, flags, first, (options, display) =>
    survey(tabulation, { ...options, onProgress: (step) => display.show(standing(step)) }),
  );
}

/** Follows perfect play from a position, with values from files beside the database or a search. */
async function analyzeBoard(
  game: Game,
  text: string,
  { db, quiet, json }: AnalyzeFlags,
): Promise<void> {
  const board = positionOf(game.shape, text);
  using library = new Library({
    db,
    published: false,
    tableBytes: (of) => queryMemory(of, undefined),
    warn: printError,
  });
  const worthOf = (node: Node): number => {
    const { bound } = library.worth({ ...node, tiles: game.tiles, budget: BUDGET_S });
    if (isExact(bound)) return bound.lo;
    throw new Error(
      `the value of ${formatBoard(node.board, node.turn)} was not found in ${BUDGET_S} seconds; run gridlock solve or gridlock tabulate first`,
    );
  };
  const perfect = await walkShown(game, new PerfectPlays(game.tiles, worthOf), board, quiet);
  if (json) {
    const asked = { ...gameAsJson(game), board: formatBoard(board) };
    printJson<AnalyzeBoardOutput>({ ...asked, ...perfectAsJson(perfect) });
  } else printLine(wordsOf(board, perfect));
}

/** Walks through perfect play and displays the progress. */
async function walkShown(
  game: Game,
  plays: PerfectPlays,
  board: Board,
  quiet?: true,
): Promise<PerfectPlay> {
  let found = 0;
  const look = () => ({ done: 0, total: 0, text: `${formatCount(found)} positions found` });
  using _display = showWork(describeGame(game), "positions", look, { quiet });
  const walk = plays.walk([board]);
  for (let turned = performance.now(); ; ) {
    const { done, value } = walk.next();
    if (done) return value;
    found = value;
    if (performance.now() - turned < TURN_MS) continue;
    await setImmediate();
    turned = performance.now();
  }
}

function wordsOf(board: Board, { positions, afterstates, ends, endsBy }: PerfectPlay): string {
  const { corner, edge, centre } = endsBy;
  return [
    `From ${formatBoard(board)}, perfect play visits ${formatCount(positions)} positions and ${formatCount(afterstates)} afterstates.`,
    `It ends on ${formatCount(ends)} boards: the largest tile lies in a corner on ${formatCount(corner)} of them, on an edge on ${formatCount(edge)}, and inside on ${formatCount(centre)}.`,
  ].join("\n");
}

import { type SolvedStart, solvedStarts, startsAsJson } from "@gridlock/answers";
import {
  describeGame,
  formatBoard,
  formatShape,
  type Game,
  isExact,
  largestTileOn,
} from "@gridlock/game";
import {
  csvTable,
  drawPlay,
  formatBound,
  formatCount,
  formatSeconds,
  tableOf,
  wrapMarkdown,
} from "@gridlock/report";
import type { ExportOutput } from "@gridlock/schemas";
import { storedStarts } from "@gridlock/solver";
import { Database, isRunOf, type Run } from "@gridlock/store";
import { type Command, Option } from "commander";
import { UsageError } from "../exit.js";
import { commandOf, gameOf, holdsNothing, howToFindLines } from "../options/game.js";
import { type GameFlags, gameCommand } from "../options/options.js";
import { fileOption } from "../options/paths.js";
import { gameAsJson, printError, writeOut } from "../output/print.js";
import { writeResult } from "../output/result-files.js";
import { visibleLine } from "../output/visible.js";
import { VERSION } from "../version.js";

/** The formats, each with the function that writes it. */
const WRITERS = {
  md: (table: ExportTable) => wrapMarkdown(asMarkdown(table)),
  json: asJson,
  csv: asCsv,
  svg: asAnimation,
} as const;

interface ExportFlags extends GameFlags {
  readonly format: keyof typeof WRITERS;
  readonly output?: string;
}

/** Makes the command `gridlock export`. */
export function exportCommand(): Command {
  return gameCommand(
    "export",
    "write the starts of a shape with their values and lines of best play",
  )
    .addOption(
      new Option(
        "--format <format>",
        "table as Markdown, JSON or CSV, or best play as an animated SVG",
      )
        .choices(Object.keys(WRITERS))
        .default("md"),
    )
    .addOption(fileOption("--output <file>", "file to write (default: standard output)"))
    .addHelpText(
      "after",
      `
Markdown and JSON name the commands that make the table, and the run that solved the shape; CSV has only
the column names and the rows. A line of best play lists the slider's moves as directions and the placer's
as tile@row,column.

Examples:
  $ gridlock export 3x3 --output results/3x3.md
  $ gridlock export 2x3 --tiles 2 --format csv
  $ gridlock export 3x3 --format svg --output best-play.svg`,
    )
    .action((shape: string, flags: ExportFlags) => {
      const { output, tiles } = flags;
      const content = exportGame(gameOf(shape, tiles), flags);
      if (output === undefined) writeOut(content);
      else {
        writeResult("--output", output, content);
        printError(`wrote ${output}`);
      }
    });
}

/** Returns the starts of a game in a format. */
function exportGame(game: Game, { db, format }: ExportFlags): string {
  using database = Database.open(db, { readOnly: true });
  const boards = database.starts(game);
  if (boards.length === 0) throw holdsNothing(db, game);
  const starts = solvedStarts(game, storedStarts(game, database, boards), database);
  const missing = howToFindLines(game, starts, database);
  if (missing !== undefined && format !== "svg") printError(`note: ${missing}`);
  const searched = ({ positions, afterstates }: Run) => positions + afterstates > 0;
  const runs = database.runs.all().filter((run) => isRunOf(game, run) && searched(run));
  return WRITERS[format]({ game, starts, runs, missing });
}

interface ExportTable {
  readonly game: Game;
  readonly starts: readonly SolvedStart[];
  /** The runs that searched for them, the latest first. */
  readonly runs: readonly Run[];
  /** Advice on how to find missing lines; `undefined` if none is missing. */
  readonly missing: string | undefined;
}

/** Returns the commands that make a table, with each run's time unless all starts are solved. */
function commandsOf({ game, starts, runs }: ExportTable, format: "md" | "json"): string {
  const solves = starts.every(({ bound }) => isExact(bound))
    ? [`gridlock ${commandOf("solve", game)}`]
    : runs.map((run) => commandOfRun(game, run)).toReversed();
  const suffix = format === "md" ? "" : ` --format ${format}`;
  return [...solves, `gridlock ${commandOf("export", game)}${suffix}`].join(" && ");
}

/** Returns the command that repeats a run that was stopped. */
function commandOfRun(game: Game, { options, seconds }: Run): string {
  const { workers, memory, seed, guess, lowerBounds } = options;
  const flags = [
    lowerBounds === true ? "--lower-bounds" : "--force",
    ...(typeof workers === "number" ? [`--workers ${workers}`] : []),
    ...(typeof memory === "number" ? [`--memory ${Math.floor(memory / 2 ** 20)}M`] : []),
    ...(typeof seed === "number" ? [`--seed ${seed}`] : []),
    ...(typeof guess === "number" ? [`--guess ${guess}`] : []),
    `--for ${Math.ceil(seconds)}s`,
  ];
  return `gridlock ${commandOf("solve", game)} ${flags.join(" ")}`;
}

/** Describes the last run that solved all starts or, if there is none, all runs. */
function sentenceOf(runs: readonly Run[]): string | undefined {
  const run = runs.find(({ outcome }) => outcome === "solved");
  if (run !== undefined) {
    return `Last run: version ${run.version}, ${run.started.slice(0, 10)}, ${costOf([run])} (${run.machine}).`;
  }
  const [last] = runs;
  return (
    last &&
    `${runs.length === 1 ? "One run" : `${runs.length} runs`}: ${costOf(runs)} (${last.machine}).`
  );
}

function costOf(runs: readonly Run[]): string {
  const sum = (of: (run: Run) => number) => runs.reduce((all, run) => all + of(run), 0);
  const positions = formatCount(sum((run) => run.positions));
  const afterstates = formatCount(sum((run) => run.afterstates));
  return `${positions} positions and ${afterstates} afterstates in ${formatSeconds(sum((run) => run.seconds))}`;
}

function asMarkdown(table: ExportTable): string {
  const { game, starts, runs } = table;
  const sentence = sentenceOf(runs);
  const solved = starts.filter(({ bound }) => isExact(bound)).length;
  return [
    `# Adversarial 2048 on ${describeGame(game)}`,
    "",
    `Made by \`${commandsOf(table, "md")}\`.`,
    ...(sentence ? [visibleLine(sentence)] : []),
    "",
    `The score that the slider can force from each start, whatever the placer does: ${solved} of ${starts.length}`,
    "starts solved. Starts that are images of each other count as one. In a line of best play the slider's moves",
    "are directions and the placer's are `tile@row,column`.",
    "",
    tableOf(starts, [
      ["#", (_, i) => i + 1],
      ["start", ({ board }) => `\`${formatBoard(board)}\``],
      ["value", ({ bound }) => formatBound(bound), "right"],
      ["end", ({ line }) => (line ? `\`${formatBoard(line.end)}\`` : "–")],
      ["largest tile", ({ line }) => (line ? String(largestTileOn(line.end)) : "–"), "right"],
      ["a line of best play", ({ line }) => line?.moves.map(({ name }) => name).join(" ") ?? "–"],
    ]),
    "",
  ].join("\n");
}

function asJson(table: ExportTable): string {
  const { game, starts, runs } = table;
  const result: ExportOutput = {
    madeBy: commandsOf(table, "json"),
    solvedBy: sentenceOf(runs) ?? null,
    version: VERSION,
    ...gameAsJson(game),
    starts: startsAsJson(starts),
  };
  return `${JSON.stringify(result, null, 2)}\n`;
}

function asCsv({ starts }: ExportTable): string {
  const rows = startsAsJson(starts).map(({ board, value, lo, hi, end, line }) => {
    return [board, value, lo, hi, end, line.join(" ")];
  });
  return csvTable(["start", "value", "lo", "hi", "end", "line"], rows);
}

/** Draws best play from the first start that is solved and has a line. */
function asAnimation({ game, starts, missing }: ExportTable): string {
  const shape = formatShape(game.shape);
  const solved = starts.find(({ line }) => line !== undefined);
  if (solved?.line === undefined) {
    throw new UsageError(
      missing ?? `no start of ${describeGame(game)} is solved yet; only solved ones can be shown`,
    );
  }
  return drawPlay({
    title: `Best play on ${describeGame(game)} from ${formatBoard(solved.board)}: ${solved.bound.lo} points`,
    start: solved.board,
    moves: solved.line.moves,
    notes: [
      `Both play perfectly on ${shape}.`,
      `The slider can force ${solved.bound.lo}`,
      "points here, and no more.",
    ],
  });
}

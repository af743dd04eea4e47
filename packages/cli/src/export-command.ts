import { closeSync, openSync, writeFileSync } from "node:fs";
import {
  describeGame,
  formatBoard,
  formatShape,
  formatTiles,
  type Game,
  isExact,
  largestTileOn,
  type Tiles,
} from "@gridlock/game";
import { Analyst, storedStarts } from "@gridlock/solver";
import { Database } from "@gridlock/store";
import { encodeCertificate } from "@gridlock/verify";
import { Command, Option } from "commander";
import { storedCertificate } from "./certificate.js";
import { UsageError } from "./exit.js";
import { formatBound, formatCount, formatSeconds } from "./format.js";
import { commandOf, dbOption, gameOf, holdsNothing, tilesOption } from "./options.js";
import { type SolvedStart, solvedStarts, startsAsJson } from "./solution.js";
import { VERSION } from "./version.js";

const FORMATS = ["md", "json", "csv", "certificate"] as const;

interface ExportFlags {
  readonly tiles: Tiles;
  readonly db: string;
  readonly format: (typeof FORMATS)[number];
  readonly output?: string;
}

export function exportCommand(): Command {
  return new Command("export")
    .description("write the starts of a shape, their values and lines of best play as a table")
    .argument("<shape>", "rows x columns, such as 3x3")
    .addOption(tilesOption())
    .addOption(dbOption())
    .addOption(
      new Option("--format <format>", "the starts as Markdown, JSON or CSV, or their certificate")
        .choices(FORMATS)
        .default("md"),
    )
    .option("--output <file>", "write to a file (default: standard output)")
    .addHelpText(
      "after",
      `
Examples:
  $ gridlock export 3x3 --output results/3x3.md
  $ gridlock export 2x3 --tiles 2 --format csv
  $ gridlock export 3x3 --format certificate --output 3x3.certificate`,
    )
    .action((shape: string, flags: ExportFlags) => {
      const game = gameOf(shape, flags.tiles);
      if (flags.format === "certificate" && flags.output === undefined && process.stdout.isTTY) {
        throw new UsageError("a certificate is no text for a terminal; name a file with --output");
      }
      const parts = exportGame(game, flags);
      if (flags.output === undefined) {
        for (const part of parts) process.stdout.write(part);
      } else {
        writeOutput(flags.output, parts);
        console.error(`wrote ${flags.output}`);
      }
    });
}

function writeOutput(file: string, parts: Iterable<string | Uint8Array>): void {
  try {
    const handle = openSync(file, "w");
    try {
      for (const part of parts) writeFileSync(handle, part);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new UsageError(`--output ${file} cannot be written (${(error as Error).message})`);
  }
}

/** What is to be written, in parts. */
function exportGame(game: Game, flags: ExportFlags): Iterable<string | Uint8Array> {
  const database = Database.open(flags.db, { readOnly: true });
  try {
    const boards = database.starts(game);
    if (boards.length === 0) {
      throw holdsNothing(flags.db, game);
    }
    if (flags.format === "certificate") return certificateParts(game, database);
    const analyst = new Analyst(game, database.bounds(game), undefined);
    const starts = solvedStarts(game, storedStarts(game, database, boards), analyst, 0);
    const table = { game, starts, solvedBy: solvingRun(game, database) };
    if (flags.format === "json") return [asJson(table)];
    return [flags.format === "csv" ? asCsv(table) : asMarkdown(table)];
  } finally {
    database.close();
  }
}

function certificateParts(game: Game, database: Database): Iterable<Uint8Array> {
  const certificate = storedCertificate(game, database);
  if (certificate === undefined) {
    throw new UsageError(
      `${database.file} holds no certificate of ${describeGame(game)}; gridlock ${commandOf("prove", game)} makes one`,
    );
  }
  return encodeCertificate(certificate);
}

interface ExportTable {
  readonly game: Game;
  readonly starts: readonly SolvedStart[];
  /** The last run that ended with all starts solved, in a sentence. */
  readonly solvedBy: string | undefined;
}

function commandsOf(game: Game, format: string): string {
  const suffix = format === "md" ? "" : ` --format ${format}`;
  return `gridlock ${commandOf("solve", game)} && gridlock ${commandOf("export", game)}${suffix}`;
}

function solvingRun(game: Game, database: Database): string | undefined {
  const run = database.runs
    .all()
    .find(
      ({ game: of, outcome }) =>
        outcome === "solved" &&
        formatTiles(of.tiles) === formatTiles(game.tiles) &&
        of.shape.rows * of.shape.cols === game.shape.rows * game.shape.cols &&
        Math.min(game.shape.rows, game.shape.cols) === of.shape.rows,
    );
  if (run === undefined) return undefined;
  return `Last run: version ${run.version}, ${run.started.slice(0, 10)}, ${formatCount(run.positions)} positions and ${formatCount(run.afterstates)} afterstates in ${formatSeconds(run.seconds)} (${run.machine}).`;
}

function asMarkdown({ game, starts, solvedBy }: ExportTable): string {
  const solved = starts.filter(({ bound }) => isExact(bound)).length;
  const rows = starts.map(({ board, bound, line }, i) => [
    String(i + 1),
    `\`${formatBoard(board)}\``,
    formatBound(bound),
    line ? `\`${formatBoard(line.end)}\`` : "–",
    line ? String(largestTileOn(line.end)) : "–",
    line ? line.moves.map(({ name }) => name).join(" ") : "–",
  ]);
  const head = ["#", "start", "value", "end", "largest tile", "a line of best play"];
  return [
    `# Adversarial 2048 on ${describeGame(game)}`,
    "",
    `Made by \`${commandsOf(game, "md")}\`.`,
    ...(solvedBy ? [solvedBy] : []),
    "",
    `The score that the slider can force from each start, whatever the placer does: ${solved} of ${starts.length}`,
    "starts solved. Starts that are images of each other are one. In a line of best play the slider's moves",
    "are directions and the placer's are `tile@row,column`.",
    "",
    `| ${head.join(" | ")} |`,
    "| ---: | --- | ---: | --- | ---: | --- |",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
    "",
  ].join("\n");
}

function asJson({ game, starts, solvedBy }: ExportTable): string {
  const table = {
    madeBy: commandsOf(game, "json"),
    solvedBy: solvedBy ?? null,
    version: VERSION,
    shape: formatShape(game.shape),
    tiles: game.tiles,
    starts: startsAsJson(starts),
  };
  return `${JSON.stringify(table, null, 2)}\n`;
}

function asCsv({ game, starts }: ExportTable): string {
  const rows = starts.map(({ board, bound, line }) =>
    [
      formatBoard(board),
      isExact(bound) ? bound.lo : "",
      bound.lo,
      bound.hi,
      line ? formatBoard(line.end) : "",
      // Quoted, since a placement holds a comma.
      line ? `"${line.moves.map(({ name }) => name).join(" ")}"` : "",
    ].join(","),
  );
  const head = "start,value,lo,hi,end,line";
  return [`# made by ${commandsOf(game, "csv")}`, head, ...rows, ""].join("\n");
}

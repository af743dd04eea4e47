import { join } from "node:path";
import {
  type Board,
  canonical,
  formatBoard,
  formatShape,
  packBoard,
  type Shape,
  type Tiles,
} from "@gridlock/game";
import {
  type Column,
  drawChart,
  formatCount,
  formatNumber,
  formatPoints,
  formatTable,
  type Picture,
  tableOf,
  wrapMarkdown,
} from "@gridlock/report";
import type { VariantsOutput } from "@gridlock/schemas";
import type { Series, Variant } from "@gridlock/tablebase";
import { likelyStarts } from "@gridlock/tablebase";
import { describeMachine } from "../machine.js";

/** A variant and what was found of it. */
export interface SolvedVariant {
  readonly variant: Variant;
  /** Number of positions that were valued. */
  readonly positions: number;
  readonly seconds: number;
  /** The boards of the report or, of starts that the rules tell apart, every image. */
  readonly boards: readonly Board[];
  /** Values of each board, in points, for each state. */
  readonly values: readonly (readonly number[])[];
}

/** Variants of a shape, solved. */
export interface VariantsReport {
  readonly shape: Shape;
  readonly tiles: readonly number[];
  /** Names of the variants that were asked for; empty for the usual ones. */
  readonly variants: readonly string[];
  readonly boards: readonly Board[];
  /** True if the boards are all starts. */
  readonly areStarts: boolean;
  readonly solved: readonly SolvedVariant[];
  readonly seconds: number;
}

/** Returns the value of each board in a series. */
function valuesIn({ values }: SolvedVariant, { states }: Series): number[] {
  return values.map((ofBoard) => Math.min(...states.map((state) => ofBoard[state] as number)));
}

/** Returns the tiles as those of a game of this project; `undefined` if it has no such game. */
export function ordinaryTiles(tiles: readonly number[]): Tiles | undefined {
  return ([[2], [2, 4]] as const).find((known) => known.join() === tiles.join());
}

/** Returns true if chance takes part in a variant. */
function hasChance({ states }: Variant): boolean {
  return states.some(
    ({ tile, cell, share }) => tile === "chance" || cell === "chance" || share < 1,
  );
}

/**
 * Returns the mean of the starts' values as often as the ordinary game begins with each;
 * `undefined` if no chance takes part, the rules tell images of a start apart, or the tiles are not
 * those of that game.
 */
function meanOf(report: VariantsReport, one: SolvedVariant, values: readonly number[]) {
  const tiles = ordinaryTiles(report.tiles);
  const isMean = report.areStarts && hasChance(one.variant) && one.variant.image === undefined;
  if (tiles === undefined || !isMean) return undefined;
  const byBoard = new Map(
    one.boards.map((board, i) => [packBoard(canonical(board)), values[i] as number]),
  );
  return likelyStarts({ shape: report.shape, tiles }).reduce(
    (sum, { board, chance }) => sum + chance * (byBoard.get(packBoard(board)) as number),
    0,
  );
}

/** Returns the results for JSON. */
export function variantsAsJson(report: VariantsReport): VariantsOutput {
  const { shape, tiles, boards, solved, seconds } = report;
  return {
    shape: formatShape(shape),
    tiles,
    boards: boards.map((board) => formatBoard(board)),
    variants: solved.map((one) => ({
      variant: one.variant.name,
      title: one.variant.title,
      positions: one.positions,
      states: one.variant.states.length,
      seconds: one.seconds,
      ...(one.boards.length !== boards.length && {
        boards: one.boards.map((board) => formatBoard(board)),
      }),
      series: one.variant.series.map((series) => {
        const values = valuesIn(one, series);
        const mean = meanOf(report, one, values);
        return { name: series.name, values, ...(mean === undefined ? {} : { mean }) };
      }),
    })),
    seconds,
  };
}

/** Most boards that have a column of their own. */
const MOST_COLUMNS = 3;

/** Returns the rows and columns of a variant's table. */
function cellsOf(report: VariantsReport, one: SolvedVariant) {
  const { areStarts } = report;
  const { variant, boards } = one;
  const shown = areStarts ? boards.slice(0, 1) : boards.slice(0, MOST_COLUMNS);
  const isSpread = boards.length > shown.length;
  const means = variant.series.map((series) => meanOf(report, one, valuesIn(one, series)));
  const hasMeans = means.every((mean) => mean !== undefined);
  const spread = isSpread ? (areStarts ? ["least of all starts", "most"] : ["least", "most"]) : [];
  const text = hasChance(variant) ? formatPoints : formatNumber;
  const rows = variant.series.map((series, i) => {
    const values = valuesIn(one, series);
    return [
      series.name,
      ...shown.map((_, n) => text(values[n] as number)),
      ...(isSpread ? [text(Math.min(...values)), text(Math.max(...values))] : []),
      ...(hasMeans ? [text(means[i] as number)] : []),
    ];
  });
  const heads = [...shown.map((board) => formatBoard(board)), ...spread];
  if (hasMeans) heads.push("random start");
  const columns = heads.map((head, i): Column<string[]> => [head, (row) => row[i + 1], "right"]);
  const named: Column<string[]> = ["", ([name]) => name];
  return [variant.isLimited ? withoutTail(rows) : rows, [named, ...columns]] as const;
}

/** Returns the rows up to the first of those at the end that have the same values. */
function withoutTail(rows: readonly string[][]): string[][] {
  const valuesOf = (row: readonly string[]) => row.slice(1).join();
  const last = valuesOf(rows.at(-1) as string[]);
  const first = rows.findLastIndex((row) => valuesOf(row) !== last) + 1;
  const [name, ...values] = rows[first] as [string, ...string[]];
  const isLast = first === rows.length - 1;
  return [...rows.slice(0, first), [isLast ? name : `${name} or more`, ...values]];
}

/** Returns the results of a variant as text for a terminal. */
export function textOf(report: VariantsReport, one: SolvedVariant): string {
  return `${one.variant.title}:\n${formatTable(...cellsOf(report, one))}`;
}

/** Fewest values of a series to draw a chart of. */
const FEWEST_DRAWN = 5;

/**
 * Draws a variant that has a number as parameter, for the first board; returns `undefined` if it
 * has too few values.
 */
async function pictureOf(report: VariantsReport, one: SolvedVariant): Promise<Picture | undefined> {
  const { variant } = one;
  const points = variant.series.flatMap((series) => {
    const number = /^\d+(\.\d+)?/.exec(series.name)?.[0];
    const value = valuesIn(one, series)[0] as number;
    return number === undefined ? [] : [[Number(number), value] as const];
  });
  if (points.length < FEWEST_DRAWN) return undefined;
  const board = formatBoard(report.boards[0] as Board);
  return await drawChart({
    name: `${nameOf(report)}-${variant.name.replace(/[=,].*/, "")}`,
    title: `${formatShape(report.shape)}, from ${board}`,
    x: { name: variant.title.replace(/^The /, "the ") },
    y: { name: "points", log: points.every(([, value]) => value > 0) },
    series: [{ name: "points", points }],
  });
}

/** Returns the name of a report's files, without extension. */
function nameOf({ shape, tiles }: VariantsReport): string {
  const name = formatShape(shape);
  return tiles.join() === "2,4" ? name : `${name}-tiles-${tiles.join("-")}`;
}

/** Returns the command that repeats a report. */
function commandOf({ shape, tiles, variants, boards, areStarts }: VariantsReport): string {
  const words = ["gridlock variants", formatShape(shape), ...variants];
  if (tiles.join() !== "2,4") words.push(`--tiles ${tiles.join()}`);
  if (!areStarts)
    words.push(`--board ${boards.map((board) => `"${formatBoard(board)}"`).join(" ")}`);
  return words.join(" ");
}

/**
 * Returns the files of a report in a folder that change with its last variant: a page, its data,
 * and a chart if the variant has one.
 *
 * @param pictures the charts of the variants, to which this one's is added
 */
export async function reportFiles(
  folder: string,
  report: VariantsReport,
  pictures: Map<Variant, Picture>,
): Promise<{ readonly path: string; readonly contents: string }[]> {
  const one = report.solved.at(-1);
  const picture = one && (await pictureOf(report, one));
  if (one && picture) pictures.set(one.variant, picture);
  const name = nameOf(report);
  const [command, machine] = [commandOf(report), describeMachine()];
  const made = { command, machine, date: new Date().toISOString().slice(0, 10) };
  const data = { ...made, ...variantsAsJson(report) };
  const file = (ending: string, contents: string) => ({ path: join(folder, ending), contents });
  return [
    file(`${name}.md`, wrapMarkdown(pageOf(name, report, made, pictures))),
    file(`${name}.json`, `${JSON.stringify(data, undefined, 1)}\n`),
    ...(picture ? [file(`${picture.name}.svg`, picture.svg)] : []),
  ];
}

function pageOf(
  name: string,
  report: VariantsReport,
  { command, machine, date }: { command: string; machine: string; date: string },
  pictures: ReadonlyMap<Variant, Picture>,
): string {
  const sections = report.solved.map((one) => {
    const picture = pictures.get(one.variant);
    return `## ${one.variant.title}

\`${one.variant.name}\`: ${formatCount(one.positions)} positions${one.variant.states.length > 1 ? ` in ${one.variant.states.length} states each` : ""}.

${tableOf(...cellsOf(report, one))}
${picture === undefined ? "" : `\n![${picture.title}](${picture.name}.svg)\n`}`;
  });
  return `# Variants of ${formatShape(report.shape)}${report.tiles.join() === "2,4" ? "" : ` with tiles ${report.tiles.join(", ")}`}

Made by \`${command} --out results/variants\` on ${date}, on ${machine}. The values repeat to the
digit. [${name}.json](${name}.json) has those of all boards.

${sections.join("\n")}`;
}

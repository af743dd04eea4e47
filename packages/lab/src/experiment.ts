import { type Chart, drawChart, type Picture, wrapMarkdown } from "@gridlock/report";
import type { Bench, BenchSettings, Played } from "./bench.js";

/** The results of an experiment, for people and for programs. */
export interface Report {
  /** Markdown below the title: method, tables, findings. {@link filesOf} adds the pictures. */
  readonly text: string;
  readonly pictures: readonly Picture[];
  /** The same results as an object that can be written as JSON. */
  readonly data: object;
}

/** An experiment of a paper, or one about it: a table, a figure or a claim. */
export interface Experiment<Data extends object = object> {
  /** The name of its files and in commands, such as `table3`. */
  readonly name: string;
  readonly title: string;
  /** One line for `--help`, if it has a subcommand of its own. */
  readonly summary?: string;
  /** The bench's settings on which its results depend. */
  readonly settings?: readonly (keyof BenchSettings)[];
  measure(bench: Bench): Promise<{ readonly text: string; readonly data: Data }>;
  /** Its pictures show nothing but its data, which may have been written as JSON and read again. */
  draw?(data: Data): readonly (Chart | Picture)[];
}

/** Runs an experiment. */
export async function run(experiment: Experiment, bench: Bench): Promise<Report> {
  const { text, data } = await experiment.measure(bench);
  return { text, pictures: await picturesOf(experiment, data), data };
}

/** Draws the pictures of an experiment from its data. */
export async function picturesOf(experiment: Experiment, data: object): Promise<Picture[]> {
  const charts = experiment.draw?.(data) ?? [];
  return await Promise.all(charts.map((one) => ("svg" in one ? one : drawChart(one))));
}

/** Does something with each of some items, one after another. */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Leaves out what does not repeat. */
export function withoutTime<P extends Played>({ seconds: _, ...played }: P) {
  return played;
}

/** The origin of results: the command that reproduces them, its machine and its date. */
export interface Provenance {
  readonly command: string;
  readonly machine: string;
  /** The date as `2026-01-31`. */
  readonly date: string;
}

/** Returns the files of a report by name: Markdown, JSON and pictures. */
export function filesOf(
  { name, title }: Pick<Experiment, "name" | "title">,
  { text, pictures, data }: Report,
  { command, machine, date }: Provenance,
): Map<string, string> {
  const markdown = [
    `# ${title}`,
    `Made by \`${command}\` on ${date}, on ${machine}. Counts repeat to the digit; times vary.`,
    text.trim(),
    ...pictures.map((picture) => `![${picture.title}](${picture.name}.svg)`),
  ];
  const json = { experiment: name, title, command, machine, date, ...data };
  return new Map([
    [`${name}.md`, `${wrapMarkdown(markdown.join("\n\n"))}\n`],
    [`${name}.json`, `${JSON.stringify(json, null, 2)}\n`],
    ...pictures.map(({ name, svg }) => [`${name}.svg`, `${svg}\n`] as const),
  ]);
}

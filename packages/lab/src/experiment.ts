import { type Chart, drawChart, type Picture, wrapMarkdown } from "@gridlock/report";
import type { Bench, BenchSettings } from "./bench.js";

/** The results of an experiment, for people and for programs. */
export interface Report {
  /** Markdown below the title: method, tables, findings. {@link filesOf} adds the pictures. */
  readonly text: string;
  readonly pictures: readonly Picture[];
  /** The same results as an object that can be written as JSON. */
  readonly data: object;
}

/** An experiment of a paper, or one about it: a table, a figure or a claim. */
export interface Experiment {
  /** The name of its files and in commands, such as `table3`. */
  readonly name: string;
  readonly title: string;
  /** The bench's settings on which its results depend. */
  readonly settings?: readonly (keyof BenchSettings)[];
  run(bench: Bench): Promise<Report>;
}

/** An experiment with a subcommand of its own, whose pictures show nothing but its data. */
export interface DrawnExperiment extends Experiment {
  /** One line for `--help`. */
  readonly summary: string;
  /** Draws its pictures from its data, also from data that were written as JSON and read again. */
  draw(data: object): Promise<readonly Picture[]>;
}

/** The parts of a {@link DrawnExperiment}. */
interface Definition<Data extends object> extends Omit<DrawnExperiment, "run" | "draw"> {
  measure(bench: Bench): Promise<{ readonly text: string; readonly data: Data }>;
  draw(data: Data): readonly (Chart | Picture)[];
}

/** Makes a drawn experiment of its parts. */
export function experimentOf<Data extends object>({
  measure,
  draw: chartsOf,
  ...about
}: Definition<Data>): DrawnExperiment {
  const draw = (data: Data) =>
    Promise.all(chartsOf(data).map((one) => ("svg" in one ? one : drawChart(one))));
  return {
    ...about,
    async run(bench) {
      const { text, data } = await measure(bench);
      return { text, pictures: await draw(data), data };
    },
    draw: (data) => draw(data as Data),
  };
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

import { type Picture, wrapMarkdown } from "@gridlock/report";
import type { Bench } from "./bench.js";

/** The results of an experiment, for people and for programs. */
export interface Report {
  /** Markdown below the title: method, tables, findings. {@link filesOf} adds the pictures. */
  readonly text: string;
  readonly pictures: readonly Picture[];
  /** The same results as an object that can be written as JSON. */
  readonly data: object;
}

/** A setting of the bench that a user can choose. */
type Setting = "seed" | "mostNodes";

/** An experiment of the paper, or one about it: a table, a figure or a claim. */
export interface Experiment {
  /** The name of its subcommand and of its files, such as `table3`. */
  readonly name: string;
  readonly title: string;
  /** One line for `--help`. */
  readonly summary: string;
  /** The bench's settings that its results depend on. */
  readonly settings?: readonly Setting[];
  run(bench: Bench): Promise<Report>;
  /** Draws its pictures from its data, also from data that were written as JSON and read again. */
  draw(data: object): Promise<readonly Picture[]>;
}

/** An experiment whose pictures show nothing but its data. */
interface Definition<Data extends object> extends Omit<Experiment, "run" | "draw"> {
  measure(bench: Bench): Promise<{ readonly text: string; readonly data: Data }>;
  draw(data: Data): Promise<readonly Picture[]>;
}

/** Makes an experiment of its parts. */
export function experimentOf<Data extends object>({
  measure,
  draw,
  ...about
}: Definition<Data>): Experiment {
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

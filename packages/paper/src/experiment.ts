import type { Picture } from "@gridlock/report";
import type { Bench } from "./bench.js";

/** What an experiment found, for people and for programs. */
export interface Report {
  /** Markdown below the title: what was done, tables, what they show. Pictures are added by the publisher. */
  readonly text: string;
  readonly pictures: readonly Picture[];
  /** The same as an object of plain values. */
  readonly data: object;
}

/** A setting of the bench that a user may choose. */
type Setting = "seed" | "mostNodes";

/** One experiment of the paper, or one about it: a table, a figure or a claim. */
export interface Experiment {
  /** Its subcommand and the name of its files, such as `table3`. */
  readonly name: string;
  readonly title: string;
  /** One line for `--help`. */
  readonly summary: string;
  /** Which of the bench's settings its results depend on. */
  readonly settings?: readonly Setting[];
  run(bench: Bench): Promise<Report>;
}

/** How results came to be: the command that makes them again, and where and when it ran. */
export interface Provenance {
  readonly command: string;
  readonly machine: string;
  /** As `2026-01-31`. */
  readonly date: string;
}

/** The report of an experiment as files by their names: Markdown, JSON and pictures. */
export function filesOf(
  { name, title }: Experiment,
  { text, pictures, data }: Report,
  { command, machine, date }: Provenance,
): Map<string, string> {
  const markdown = [
    `# ${title}`,
    `Made by \`${command}\` on ${date}, on ${machine}. Nodes repeat to the digit, times do not.`,
    text.trim(),
    ...pictures.map((picture) => `![${picture.title}](${picture.name}.svg)`),
  ];
  const json = { experiment: name, title, command, machine, date, ...data };
  return new Map([
    [`${name}.md`, `${markdown.join("\n\n")}\n`],
    [`${name}.json`, `${JSON.stringify(json, null, 2)}\n`],
    ...pictures.map(({ name, svg }) => [`${name}.svg`, `${svg}\n`] as const),
  ]);
}

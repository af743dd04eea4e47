import { readFileSync } from "node:fs";

/** A fenced block of a Markdown page. */
export interface Snippet {
  /** The line of the page that opens the fence, counted from 1. */
  readonly line: number;
  /** The first word after the fence, `console` or `json`; empty if there is none. */
  readonly language: string;
  /** The comment on the line above, `<!-- not run: needs an hour -->`, without its marks. */
  readonly note: string | undefined;
  readonly lines: readonly string[];
}

/** A command of a console snippet, and the output shown below it. */
export interface Step {
  readonly command: string;
  readonly output: readonly string[];
}

/** Returns the fenced blocks of a Markdown page. */
export function snippetsOf(file: string): Snippet[] {
  const found: Snippet[] = [];
  const lines = readFileSync(file, "utf8").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const [, indent = "", fence, language = ""] =
      /^( *)(`{3,}|~{3,})\s*(\S*)/.exec(lines[i] as string) ?? [];
    if (fence === undefined) continue;
    const end = lines.findIndex((line, j) => j > i && line.trim() === fence);
    if (end < 0) throw new Error(`${file}:${i + 1}: the fence is not closed`);
    const above = lines.slice(0, i).findLast((line) => line.trim() !== "");
    const note = /^<!-- (.*) -->$/.exec(above?.trim() ?? "")?.[1];
    const content = lines.slice(i + 1, end).map((line) => line.slice(indent.length));
    found.push({ line: i + 1, language, note, lines: content });
    i = end;
  }
  return found;
}

/**
 * Splits a console snippet into its commands, each with its output. A command follows `$ `; it has
 * several lines if all but the last end with a backslash.
 */
export function stepsOf({ line, lines }: Snippet): Step[] {
  const steps: { command: string; output: string[] }[] = [];
  let isCommand = false;
  for (const text of lines) {
    const last = steps.at(-1);
    if (text.startsWith("$ ")) steps.push({ command: text.slice(2), output: [] });
    else if (last === undefined) throw new Error(`line ${line}: expected "$ " before the command`);
    else if (isCommand) last.command += `\n${text}`;
    else last.output.push(text);
    isCommand = (isCommand || text.startsWith("$ ")) && text.endsWith("\\");
  }
  return steps;
}

/** Times, rates and sizes of memory, which differ from run to run and from machine to machine. */
const VARYING = [
  /\d[\d,.]* (?:ms|s|min|h)(?: \d+ (?:s|min|h))?(?![a-z])/,
  /\d[\d,.]*(?= threads?\b| a second\b)/,
  /\d[\d,.]* [KMG]iB(?= of table)/,
];
/**
 * Figures that also vary in a search: node counts with several threads, and the best line found.
 */
const VARYING_IN_SEARCH = [
  /\d[\d,.]*(?= (?:positions|afterstates|claims|lower|upper|bounds|nodes searched))/,
  /(?<=sums up to )\d+/,
  /(?<=best play: ).*/,
  /(?<=^[\d /]+ {2,}\d+ {2,})\d[\d /]*$/,
];
/** Commands that search. */
const SEARCHES = /\bgridlock (?:solve|prove|verify|query|export)\b/;

/**
 * Returns the pattern that the whole output of a command must match. A line of `…` stands for any
 * lines, and `…` in a line for any text. Times, sizes of tables, and figures that vary in a search
 * match any figure.
 */
export function patternOf({ command, output }: Step): RegExp {
  const varying = SEARCHES.test(command) ? [...VARYING, ...VARYING_IN_SEARCH] : VARYING;
  const lines = output.map((line) =>
    line.trim() === "…" ? "(?:.*\\n)*?" : `${patternOfLine(line, varying)}\\n`,
  );
  return new RegExp(`^${lines.join("")}$`);
}

function patternOfLine(line: string, varying: readonly RegExp[]): string {
  const parts = new RegExp(
    [...varying, / {2,}/, /…/].map(({ source }) => `(?:${source})`).join("|"),
    "g",
  );
  let pattern = "";
  let at = 0;
  for (const match of line.trimEnd().matchAll(parts)) {
    const [text] = match;
    pattern += escapedPattern(line.slice(at, match.index));
    // Columns are as wide as their widest entry, which may be a time.
    if (text.trim() === "") pattern += " +";
    else pattern += text === "…" ? ".*" : "[^\\n]+?";
    at = match.index + text.length;
  }
  return `${pattern}${escapedPattern(line.trimEnd().slice(at))} *`;
}

function escapedPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

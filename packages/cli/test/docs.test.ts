/*
 * The pages of the project are true: commands print what is shown below them, or at least have the
 * options that they are given. A comment above a fence says why its commands are not run,
 * `<!-- not run: takes an hour -->`, or which command prints the JSON in it,
 * `<!-- printed by: npx gridlock status --json -->`.
 */
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  GRIDLOCK,
  patternOf,
  type Snippet,
  type Step,
  snippetsOf,
  stepsOf,
  temporaryFolder,
} from "@gridlock/testbed";
import { Command, type CommanderError } from "commander";
import { describe, expect, it } from "vitest";

const { PATH } = process.env;
const SURROUNDINGS = { NO_COLOR: "1", GRIDLOCK_MEMORY: "64M" };
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGES = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", ...pagesIn("docs")],
  // The README of the published package stands alone, away from this repository.
  ...readmesIn("packages").filter((page) => page !== "packages/gridlock/README.md"),
];
const SCRIPTS = Object.keys(
  JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts as object,
);

type Fields = Record<string, unknown>;

/** The errors of commands in a line of text, which may lack arguments; `--help` counts as one. */
const UNFINISHED = [
  "commander.missingArgument",
  "commander.missingMandatoryOptionValue",
  "commander.optionMissingArgument",
  "commander.helpDisplayed",
];

function pagesIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md"));
  return files.sort().map((name) => join(folder, name));
}

function readmesIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder)).map((name) => join(folder, name, "README.md"));
  return files.filter((file) => existsSync(join(ROOT, file))).sort();
}

function isRun({ language, note }: Snippet): boolean {
  return language === "console" && !note?.startsWith("not run: ");
}

/** A folder like a clone of the repository, in which commands can be run as a reader would. */
function clone(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "bin"));
  program(folder, "npx", `shift; exec "${process.execPath}" "${GRIDLOCK}" "$@"`);
  // Everything is installed already.
  program(folder, "npm", '[ "$*" = ci ] || { echo "run by a test: npm $*"; exit 1; }');
  symlinkSync(join(ROOT, "scripts"), join(folder, "scripts"));
  return folder;
}

function program(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/**
 * Runs a command in a shell; returns its exit code, and its standard output and error as a terminal
 * shows them. By default its tables are small: the system fills large ones with zeros, of which
 * examples need few.
 */
function run(folder: string, { command }: Pick<Step, "command">, path = PATH) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("GRIDLOCK_")),
  );
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      "/bin/bash",
      ["-c", `exec 2>&1\n${command}`],
      { cwd: folder, env: { ...env, ...SURROUNDINGS, PATH: `${join(folder, "bin")}:${path}` } },
      (error, output) => resolve({ code: error === null ? 0 : Number(error.code ?? 1), output }),
    );
    child.stdin?.end();
  });
}

describe.each(PAGES)("%s", (page) => {
  const snippets = snippetsOf(join(ROOT, page));

  it("shows commands in consoles, and says why some are not run", () => {
    for (const { line, language, note, lines } of snippets) {
      const where = `${page}:${line}`;
      if (lines.some((text) => /^(\$ (npx )?|npx )gridlock /.test(text))) {
        expect(language, where).toBe("console");
      }
      if (note?.startsWith("not run")) expect(note, where).toMatch(/^not run: \w.+/);
    }
  });

  it("names existing scripts and options", async () => {
    const text = readFileSync(join(ROOT, page), "utf8");
    for (const [, script] of text.matchAll(/npm run ([a-z][a-z:-]*)/g)) {
      expect(SCRIPTS, page).toContain(script);
    }
    // Commands in a line of text; words in capitals and dots stand for what the reader puts there.
    for (const [, command = ""] of text.matchAll(/`(?:npx )?gridlock ([a-z][^`]*)`/g)) {
      const words = command.match(/"[^"]*"|\S+/g) ?? [];
      if (!/[A-Z]{2}|…/.test(command)) await expectOptions(words, page, UNFINISHED);
    }
  });

  it("shows the output of its commands", async () => {
    const folder = clone();
    for (const snippet of snippets) {
      if (isRun(snippet)) {
        for (const step of stepsOf(snippet)) await expectShown(folder, step, page, snippet.line);
      } else if (snippet.language === "json") await expectJson(folder, snippet, page);
    }
  });

  it("gives existing options to the commands that are not run", async () => {
    const folder = clone();
    // Finds only these two programs, which only record their arguments.
    program(folder, "npx", "printf '%s\\0' \"$@\" >> npx.txt; echo >> npx.txt");
    program(folder, "npm", 'echo "$*" >> npm.txt');
    for (const snippet of snippets) {
      if (snippet.language !== "console" || isRun(snippet)) continue;
      for (const step of stepsOf(snippet)) {
        writeFileSync(join(folder, "npx.txt"), "");
        writeFileSync(join(folder, "npm.txt"), "");
        await run(folder, step, "");
        const read = (name: string) =>
          readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean);
        for (const line of read("npx.txt")) {
          const [name, ...args] = line.split("\0").slice(0, -1);
          if (name === "gridlock") await expectOptions(args, `${page}:${snippet.line}`);
        }
        for (const line of read("npm.txt")) {
          const [, script] = /^run (\S+)/.exec(line) ?? [];
          if (script) expect(SCRIPTS, `${page}:${snippet.line}`).toContain(script);
        }
      }
    }
  });
});

describe("docs/commands.md", () => {
  const text = readFileSync(join(ROOT, "docs/commands.md"), "utf8");
  const listed = [...text.matchAll(/^\| `gridlock ([a-z]+)/gm)].map(([, name = ""]) => name);

  it("lists the commands that --help lists", async () => {
    const { output } = await run(clone(), { command: "npx gridlock --help" });
    const [, commands = ""] = output.split("Commands:\n");
    const names = [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(names.filter((name) => name !== "help").sort());
  });

  it("lists the environment variables of all options", async () => {
    const pairs = new Set<string>();
    for (const name of listed) {
      for (const { envVar, long } of (await commandNamed(name))?.options ?? []) {
        if (envVar !== undefined) pairs.add(`${envVar} ${long}`);
      }
    }
    const shown = [...text.matchAll(/^\| `(GRIDLOCK_\w+)` \| (.*) \|$/gm)].flatMap(
      ([, variable, options = ""]) =>
        [...options.matchAll(/`(--[a-z-]+)`/g)].map(([, option]) => `${variable} ${option}`),
    );
    expect(shown.sort()).toEqual([...pairs].sort());
  });
});

async function expectShown(folder: string, step: Step, page: string, line: number): Promise<void> {
  const { code, output } = await run(folder, step);
  const where = `${page}:${line}: ${step.command}`;
  expect(code === 0, `${where}\n${output}`).toBe(
    !step.output.some((text) => text.startsWith("error: ")),
  );
  // A command that takes seconds prints its progress.
  const printed = output.replaceAll(/^.+: ([\d,]+\/[\d,]+ [a-z]|[\d.]+ m?s, [a-z]).*\n/gm, "");
  if (step.output.length > 0) expect(printed, where).toMatch(patternOf(step));
}

/** Checks that a JSON snippet can be read and, except for times, matches any command's output. */
async function expectJson(folder: string, { note, line, lines }: Snippet, page: string) {
  const [, command] = /^printed by: (.*)$/.exec(note ?? "") ?? [];
  const shown: unknown[] = parseAll(lines);
  if (command === undefined) return;
  const { output } = await run(folder, { command: `{ ${command}; } 2> /dev/null` });
  const printed: unknown = JSON.parse(output);
  expect(comparable(printed, shown[0]), `${page}:${line}`).toEqual(comparable(shown[0], shown[0]));
}

/** Returns a value without times and the list elements that `"…"` replaces in what is shown. */
function comparable(value: unknown, shown: unknown): unknown {
  if (Array.isArray(value)) {
    const most = Array.isArray(shown) && shown.at(-1) === "…" ? shown.length - 1 : value.length;
    return value.slice(0, most).map((of, i) => comparable(of, (shown as unknown[])[i]));
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, of]) => [
    key,
    /^(seconds|nodes)$/.test(key) ? "some" : comparable(of, (shown as Fields | undefined)?.[key]),
  ]);
  return Object.fromEntries(fields);
}

/** Reads the JSON values of a snippet: one, or several that each begin a line. */
function parseAll(lines: readonly string[]): unknown[] {
  const values: string[] = [];
  for (const line of lines) {
    if (/^\S/.test(line) && !/^[\]}]/.test(line)) values.push(line);
    else values[values.length - 1] += `\n${line}`;
  }
  return values.map((text) => JSON.parse(text));
}

/** Checks by commander that a command and its options are known, without running it. */
async function expectOptions(
  args: readonly string[],
  where: string,
  allowed: readonly string[] = [],
): Promise<void> {
  const [name = ""] = args;
  if (name.startsWith("-")) return;
  const command = await commandNamed(name);
  if (command === undefined) throw new Error(`${where}: there is no command ${name}`);
  disarm(command);
  try {
    await new Command("gridlock").addCommand(command).parseAsync(args, { from: "user" });
  } catch (error) {
    const { code, message } = error as CommanderError;
    if (!allowed.includes(code))
      throw new Error(`${where}: gridlock ${args.join(" ")}: ${message}`);
  }
}

/** Makes a command, which its compiled module exports: `solve` of `commands/solve.ts`. */
async function commandNamed(name: string): Promise<Command | undefined> {
  const own = existsSync(join(ROOT, `packages/cli/src/commands/${name}.ts`));
  const file = `../../${own ? "cli" : "lab"}/dist/commands/${name}.js`;
  const modules = (await import(file)) as Record<string, () => Command>;
  return modules[`${name}Command`]?.();
}

/** Makes a command and its subcommands only check their arguments. */
function disarm(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  if (command.commands.length === 0) command.action(() => {});
  for (const below of command.commands) disarm(below);
}

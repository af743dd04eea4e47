import { quoted, shortened } from "@gridlock/game";
import { Command, Help, type Option } from "commander";
import { EXIT, report, UsageError } from "./exit.js";
import { endsInterrupted } from "./interrupt.js";
import { expectEffects, refuseEmpty } from "./options/effects.js";
import { printError, writeOut } from "./output/print.js";
import { wrappedHelp } from "./output/terminal.js";
import { visible } from "./output/visible.js";
import { VERSION } from "./version.js";

/** Functions that load commands, by name. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

/** Most commands, in the order of `--help`; the module of each loads all that only it needs. */
const COMMANDS: Commands = {
  solve: async () => (await import("./commands/solve.js")).solveCommand(),
  worker: async () => (await import("./commands/worker.js")).workerCommand(),
  tabulate: async () => (await import("./commands/tabulate.js")).tabulateCommand(),
  analyze: async () => (await import("./commands/analyze.js")).analyzeCommand(),
  variants: async () => (await import("./commands/variants.js")).variantsCommand(),
  query: async () => (await import("./commands/query.js")).queryCommand(),
  status: async () => (await import("./commands/status.js")).statusCommand(),
  prove: async () => (await import("./commands/prove.js")).proveCommand(),
  verify: async () => (await import("./commands/verify.js")).verifyCommand(),
  export: async () => (await import("./commands/export.js")).exportCommand(),
  play: async () => (await import("./commands/play.js")).playCommand(),
  serve: async () => (await import("./commands/serve.js")).serveCommand(),
  site: async () => (await import("./commands/site.js")).siteCommand(),
};

/** Returns functions that load all commands. */
function commandsWith(research: Commands): Commands {
  const all: Commands = {
    ...COMMANDS,
    completion: async () =>
      (await import("./commands/completion.js")).completionCommand((name) => load(all, name)),
    ...research,
  };
  return all;
}

/** Loads the command with this name, or all commands if no command has it. */
async function load(all: Commands, name = ""): Promise<Command[]> {
  const asked = Object.hasOwn(all, name) ? all[name] : undefined;
  return Promise.all((asked ? [asked] : Object.values(all)).map((one) => one()));
}

/**
 * Makes the program with all its commands.
 *
 * @param research the commands of `lab`
 * @param name the only command to load, if there is one of this name
 */
export async function makeProgram(research: Commands = {}, name?: string): Promise<Command> {
  const program = new Command("gridlock")
    .description(
      "The exact solver of adversarial 2048: the score a slider can force, whatever the placer does.",
    )
    .version(VERSION)
    .configureOutput({
      writeOut: (text) => writeOut(wrappedHelp(text)),
      writeErr: (text) => process.stderr.write(visible(text)),
      outputError: printUsageError,
    })
    .configureHelp({ optionDescription: describeOption })
    .addHelpText(
      "after",
      `
In adversarial 2048 one player, the slider, slides the board to score; the other, the placer, puts each new 2
or 4 wherever it hurts most. gridlock COMMAND --help describes a command and its options. Options that name a
variable (env: GRIDLOCK_…) can be set in the environment instead.

Exit codes: 0 done; 1 failed; 2 invalid input; 3 done in part, by solve --for; 130 stopped by Ctrl-C; 141 the
reader of standard output closed it. What was proven is saved in each case.

Examples:
  $ gridlock solve 3x3
  $ gridlock query "2 0 0/0 4 0/0 0 0"`,
    );
  if (name !== "--version" && name !== "-V") {
    for (const command of await load(commandsWith(research), name)) program.addCommand(command);
  }
  throwOnExit(program, "gridlock");
  return program.hook("preAction", async (_, command) => {
    expectEffects(command);
    refuseEmpty(command);
    const { expectPaths } = await import("./options/paths.js"); // loads the SQLite driver
    expectPaths(command);
  });
}

/**
 * Runs the command line; sets the exit code of the process.
 *
 * @param research the commands of `lab`
 */
export async function main(argv: readonly string[], research: Commands = {}): Promise<void> {
  try {
    refuseSplitShape(argv, commandsWith(research));
    const [, , first, second = ""] = argv;
    const isLost =
      first === "help" && second !== "" && !Object.hasOwn(commandsWith(research), second);
    // Commander would say of `help slove` nothing, but of `slove` what is wrong.
    const words = isLost ? [...argv.slice(0, 2), second] : argv;
    await (await makeProgram(research, first)).parseAsync(words);
  } catch (error) {
    process.exitCode = endsInterrupted(error) ? EXIT.interrupted : report(error);
  }
}

/** Refuses a shape in two words, as in `solve 3 3`. */
function refuseSplitShape(
  [, , name = "", rows = "", cols = ""]: readonly string[],
  all: Commands,
): void {
  const isNumber = (text: string) => /^\d{1,2}$/.test(text);
  // A board of a query may be in any number of words.
  if (!Object.hasOwn(all, name) || name === "query") return;
  if (!isNumber(rows) || !isNumber(cols)) return;
  throw new UsageError(
    `${rows} ${cols} is not a shape; did you mean gridlock ${name} ${rows}x${cols}?`,
  );
}

/** Commander's sentence on a value that a parser refuses; ours follows. */
const REFUSED =
  /^error: (?:option '(--[\w-]+).*?'|command-argument) (?:argument|value) '(.*?)'(?: from env '(\w+)')? is invalid(?: for argument '([\w-]+)')?\. /s;

/**
 * Prints Commander's sentence, which may quote an input of any text, in one line, and its
 * suggestion in another. Of a value that a parser refuses, it prints what was expected and where.
 */
function printUsageError(sentence: string): void {
  const [start, option, value = "", variable, argument] = REFUSED.exec(sentence) ?? [];
  const why = sentence
    .slice(start?.length)
    .trimEnd()
    .replace(/^Allowed choices are (.*)\.$/, (_, all) => `expected ${all}, not ${quoted(value)}`)
    .replace(/\.$/, "");
  const text = start
    ? `error: ${variable ?? option ?? argument?.toUpperCase()}: ${why}`
    : sentence.trimEnd().replaceAll(/(?<=')[^']+(?=')/g, shortened);
  for (const line of text.split(/\n(?=\(Did you mean )/)) printError(line);
}

/**
 * Makes a command and its subcommands throw instead of ending the process, and report errors alike.
 *
 * @param path the words that call the command
 */
function throwOnExit(command: Command, path: string): void {
  command.exitOverride().showHelpAfterError(`(see ${path} --help)`);
  for (const below of command.commands) {
    throwOnExit(below.copyInheritedSettings(command), `${path} ${below.name()}`);
  }
}

/** Describes an option, with its choices, default and variable in one pair of brackets. */
function describeOption(this: Help, option: Option): string {
  return Help.prototype.optionDescription.call(this, option).replaceAll(") (", ", ");
}

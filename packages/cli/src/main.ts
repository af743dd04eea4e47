import { Command } from "commander";
import { report } from "./exit.js";
import { VERSION } from "./version.js";

/** The commands in the order in which they are listed. Each has a module of its own, with all that only it needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  solve: async () => (await import("./commands/solve.js")).solveCommand(),
  worker: async () => (await import("./commands/worker.js")).workerCommand(),
  tabulate: async () => (await import("./commands/tabulate.js")).tabulateCommand(),
  analyze: async () => (await import("./commands/analyze.js")).analyzeCommand(),
  query: async () => (await import("./commands/query.js")).queryCommand(),
  status: async () => (await import("./commands/status.js")).statusCommand(),
  prove: async () => (await import("./commands/prove.js")).proveCommand(),
  verify: async () => (await import("./commands/verify.js")).verifyCommand(),
  export: async () => (await import("./commands/export.js")).exportCommand(),
  paper: async () => (await import("./commands/paper.js")).paperCommand(),
  simulate: async () => (await import("./commands/simulate.js")).simulateCommand(),
};

/** The command that is asked for or, where none is or there is no such, all: loading them takes half a second. */
function commandsFor([, , name = ""]: readonly string[]): Promise<Command[]> {
  const asked = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return Promise.all((asked ? [asked] : Object.values(COMMANDS)).map((load) => load()));
}

/** Runs the command line; sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that has seen enough (`| head`) is no error; what is proven is still saved.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const program = new Command("gridlock")
    .description(
      "The exact solver of adversarial 2048: the score a slider can force, whatever the placer does.",
    )
    .version(VERSION)
    .showHelpAfterError("(gridlock --help tells more)")
    .addHelpText(
      "after",
      `
Exit codes: 0 done; 1 could not be done; 2 bad input; 3 verified in part; 130 stopped by Ctrl-C, what is
proven is saved.

Examples:
  $ gridlock solve 3x3
  $ gridlock query "2 0 0/0 4 0/0 0 0"`,
    );
  for (const command of await commandsFor(argv)) program.addCommand(command);
  settle(program);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** Has a command and those below it throw instead of ending the process, and tell errors alike. */
function settle(command: Command): void {
  command.exitOverride();
  for (const below of command.commands) settle(below.copyInheritedSettings(command));
}

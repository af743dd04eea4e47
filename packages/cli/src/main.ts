import { Command } from "commander";
import { analyzeCommand } from "./analyze-command.js";
import { report } from "./exit.js";
import { exportCommand } from "./export-command.js";
import { paperCommand } from "./paper-command.js";
import { proveCommand } from "./prove-command.js";
import { queryCommand } from "./query-command.js";
import { simulateCommand } from "./simulate-command.js";
import { solveCommand } from "./solve-command.js";
import { statusCommand } from "./status-command.js";
import { tabulateCommand } from "./tabulate-command.js";
import { verifyCommand } from "./verify-command.js";
import { VERSION } from "./version.js";
import { workerCommand } from "./worker-command.js";

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
  for (const command of [
    solveCommand(),
    workerCommand(),
    tabulateCommand(),
    analyzeCommand(),
    queryCommand(),
    statusCommand(),
    proveCommand(),
    verifyCommand(),
    exportCommand(),
    paperCommand(),
    simulateCommand(),
  ]) {
    program.addCommand(command);
  }
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

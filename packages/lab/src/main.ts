import { main as runCommand } from "@gridlock/cli/main";

/** The research commands. Each has a module of its own, loaded with all that only it needs. */
export const RESEARCH = {
  simulate: async () => (await import("./commands/simulate.js")).simulateCommand(),
  assess: async () => (await import("./commands/assess.js")).assessCommand(),
  train: async () => (await import("./commands/train.js")).trainCommand(),
  paper: async () => (await import("./commands/paper.js")).paperCommand(),
};

/** Runs the command line with the research commands; sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  await runCommand(argv, RESEARCH);
}

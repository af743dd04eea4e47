import { main as runCommand } from "@gridlock/cli/main";
import type { Command } from "commander";

/** Describes a research command, for the list of all commands. */
const research = (command: Command, description: string) =>
  command.description(description).helpGroup("Research:");

/** The research commands. Each has a module of its own, loaded with all that only it needs. */
export const RESEARCH = {
  simulate: async () =>
    research(
      (await import("./commands/simulate.js")).simulateCommand(),
      "simulate machines that divide a question and share bounds, in virtual time",
    ),
  assess: async () =>
    research(
      (await import("./commands/assess.js")).assessCommand(),
      "measure a player exactly: its expected score, and what a perfect placer holds it to",
    ),
  train: async () =>
    research(
      (await import("./commands/train.js")).trainCommand(),
      "train the player ntuple, an n-tuple network, in the ordinary game",
    ),
  paper: async () =>
    research(
      (await import("./commands/paper.js")).paperCommand(),
      "run the experiments of Qiu's paper, and of papers on programs that play 2048",
    ),
};

/** Runs the command line with the research commands; sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  await runCommand(argv, RESEARCH);
}

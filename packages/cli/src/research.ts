import { Command } from "commander";
import { UsageError } from "./exit.js";

/** The research commands, which the package `lab` adds to this one, with their descriptions. */
const RESEARCH = {
  simulate: "simulate machines that divide a question and share bounds, in virtual time",
  assess: "measure a player exactly: its expected score, and what a perfect placer holds it to",
  train: "train the player ntuple, an n-tuple network, in the ordinary game",
  paper: "run the experiments of Qiu's paper, and of papers on programs that play 2048",
} as const;

type ResearchName = keyof typeof RESEARCH;

/** Functions that load the research commands. */
export type ResearchCommands = Readonly<Record<ResearchName, () => Promise<Command>>>;

/** Returns functions that make the research commands, described and grouped for `--help`. */
export function researchCommands(
  loaded: ResearchCommands | undefined,
): Readonly<Record<string, () => Promise<Command>>> {
  return Object.fromEntries(
    (Object.keys(RESEARCH) as ResearchName[]).map((name) => [
      name,
      async () => {
        const command = loaded === undefined ? absent(name) : await loaded[name]();
        return command.description(RESEARCH[name]).helpGroup("Research:");
      },
    ]),
  );
}

/** Makes a command that explains where the research commands are, whatever its arguments. */
function absent(name: ResearchName): Command {
  const reason = `gridlock ${name} is not in this package; in a clone of Gridlock's repository, run npm ci, then npx gridlock ${name}`;
  return new Command(name)
    .argument("[arguments...]")
    .allowUnknownOption()
    .addHelpText("after", `\n${reason}.`)
    .action(() => {
      throw new UsageError(reason);
    });
}

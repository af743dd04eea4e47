import type { Argument, Command, Option } from "commander";
import { parseFile } from "../options/parse.js";

/** The completions of a value: a list of words, file names (`file`), or none (`any`). */
export type Value = readonly string[] | "file" | "any";

/** An option of a command. */
export interface CompletedOption {
  /** With its dashes: `--tiles`. */
  readonly long: string;
  /** The value that follows it; `undefined` for a switch. */
  readonly value: Value | undefined;
  readonly description: string;
}

/** A command, its options and its arguments. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly argument: Value | undefined;
}

/** Shapes that a shell suggests; others are accepted too. */
const SHAPES = ["2x2", "2x3", "2x4", "2x5", "2x6", "2x7", "3x3", "3x4"];

/** Words that a shell suggests for an option, where a program accepts more. */
const SUGGESTED: Readonly<Record<string, readonly string[]>> = { "--tiles": ["2,4", "2"] };

/** Describes commands for the completion of a shell. */
export function completedCommands(commands: readonly Command[]): CompletedCommand[] {
  return commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: [
      ...command.options.filter(({ hidden, long }) => !hidden && long).map(completedOption),
      { long: "--help", value: undefined, description: "display help for command" },
    ],
    argument: valueOfArgument(command.registeredArguments[0]),
  }));
}

function completedOption(option: Option): CompletedOption {
  const { argChoices, parseArg, required, optional, description } = option;
  const long = option.long as string;
  const words = argChoices ?? SUGGESTED[long];
  const value = words ?? (parseArg === parseFile ? "file" : "any");
  return { long, value: required || optional ? value : undefined, description };
}

function valueOfArgument(argument: Argument | undefined): Value | undefined {
  if (argument === undefined) return undefined;
  if (argument.argChoices) return argument.argChoices;
  if (argument.name() === "shape") return SHAPES;
  return argument.parseArg === parseFile ? "file" : "any";
}

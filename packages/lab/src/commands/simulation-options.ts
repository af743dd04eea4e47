import { parseInteger } from "@gridlock/cli/command";
import { InvalidArgumentError, Option } from "commander";
import {
  SIMULATION_DEFAULTS as DEFAULTS,
  SIMULATION_RANGES as RANGES,
} from "../simulation/options.js";

/** Makes a parser of numbers in a list such as `1,2,16`. */
function parseList([least, most]: readonly [number, number]): (text: string) => number[] {
  return (text) => text.split(",").map((part) => parseInteger(part.trim(), least, most));
}

/** Makes a parser of numbers from 0 to `most`, not only whole ones. */
function parseNumber(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && value >= 0 && value <= most) return value;
    throw new InvalidArgumentError(`expected a number from 0 to ${most}, not "${text}".`);
  };
}

const nodesOption = (flags: string, description: string, least: number, byDefault: number) =>
  new Option(flags, description)
    .default(byDefault)
    .argParser((text) => parseInteger(text, least, RANGES.every[1]));

const costOption = (flags: string, description: string, byDefault: number) =>
  new Option(flags, description).default(byDefault).argParser(parseNumber(RANGES.intake[1]));

/** The options of a simulation that set its machines and their network. */
export const simulationOptions = (): Option[] => [
  new Option("--machines <list>", "numbers of machines")
    .default([1, 2, 4, 16], "1,2,4,16")
    .argParser(parseList(RANGES.machines)),
  new Option("--threads <n>", "threads of each machine")
    .default(DEFAULTS.threads)
    .argParser((text) => parseInteger(text, ...RANGES.threads)),
  nodesOption("--every <nodes>", "nodes of time between two exchanges", 1, DEFAULTS.every),
  nodesOption("--delay <nodes>", "nodes of time that a batch is under way", 0, DEFAULTS.delay),
  new Option(
    "--rate <bytes>",
    "bytes that a machine may send in a node of time (default: no limit)",
  ).argParser(parseNumber(1e6)),
  nodesOption("--effort <nodes>", "pass on only bounds that cost at least this many nodes", 1, 1),
  costOption("--intake <nodes>", "nodes of time that taking in a bound costs", DEFAULTS.intake),
  costOption("--pack <nodes>", "nodes of time that sending a bound costs", DEFAULTS.pack),
  new Option("--loss <part>", "part of the batches that are lost on their way")
    .default(DEFAULTS.loss)
    .argParser(parseNumber(RANGES.loss[1])),
  new Option("--seeds <list>", "seeds of the machines' orders; the table shows the median")
    .default([DEFAULTS.seed], String(DEFAULTS.seed))
    .argParser(parseList(RANGES.seed)),
];

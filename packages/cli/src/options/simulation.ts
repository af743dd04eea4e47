import { DEFAULTS, type Method, type NetworkKind } from "@gridlock/cluster";
import { type Command, InvalidArgumentError, Option } from "commander";
import { memoryOption } from "./options.js";
import { parseInteger } from "./parse.js";

/** Flags of the machines, the network and the question of a simulation; a list stands for a run for each element. */
export interface SimulationFlags {
  readonly workers: number[];
  readonly threads: number;
  readonly memory?: number;
  readonly share: (number | "off")[];
  readonly reuse: boolean;
  readonly announce: number | "off";
  readonly delay: number[];
  readonly batch: number;
  readonly intake: number;
  readonly loss: number;
  readonly ties: boolean;
  readonly network: NetworkKind[];
  readonly method: Method[];
  readonly job: number;
  readonly question?: { board: string; threshold: number };
  readonly seed: number[];
}

const MOST_NODES = 1e9;

/** Adds the options of the machines, the network and the question of a simulation. */
export function withSimulation(command: Command): Command {
  return command
    .addOption(
      new Option("--workers <list>", "machine counts, a run for each")
        .default([2, 4, 16], "2,4,16")
        .argParser(listOf((text) => parseInteger(text, 1, 1024))),
    )
    .addOption(whole("--threads <n>", "threads of each machine", DEFAULTS.threads, 1, 64))
    .addOption(memoryOption("memory for the table of each machine", "by shape"))
    .addOption(
      new Option("--share <list>", "least cost in nodes of shared bounds, or off")
        .default([DEFAULTS.share], String(DEFAULTS.share))
        .argParser(listOf(parseWholeOrOff)),
    )
    .addOption(
      onOff("--reuse <on|off>", "share a cheaper bound after its first use", DEFAULTS.reuse),
    )
    .addOption(
      wholeOrOff(
        "--announce <nodes>",
        "nodes of work on a board before it is announced",
        DEFAULTS.announce,
      ),
    )
    .addOption(
      new Option("--delay <list>", "network delay in nodes of time")
        .default([DEFAULTS.delay], String(DEFAULTS.delay))
        .argParser(listOf((text) => parseInteger(text, 0, MOST_NODES))),
    )
    .addOption(
      whole("--batch <nodes>", "nodes of time between batches", DEFAULTS.batch, 1, MOST_NODES),
    )
    .addOption(
      new Option("--intake <nodes>", "cost of receiving a record, in nodes of time")
        .default(DEFAULTS.intake)
        .argParser((text) => parseNumber(text, 1000)),
    )
    .addOption(
      new Option("--loss <p>", "probability that a batch is lost, 0 to 1")
        .default(DEFAULTS.loss)
        .argParser((text) => parseNumber(text, 1)),
    )
    .addOption(onOff("--ties <on|off>", "break ties differently on each machine", DEFAULTS.ties))
    .addOption(
      new Option(
        "--network <list>",
        "receivers of a bound: copy (all machines), owner (one per board)",
      )
        .default([DEFAULTS.network], DEFAULTS.network)
        .argParser(listOf((text) => parseOneOf(text, ["copy", "owner"] as const))),
    )
    .addOption(
      new Option("--method <list>", "division of work: deferral, job-level")
        .default([DEFAULTS.method], DEFAULTS.method)
        .argParser(listOf((text) => parseOneOf(text, ["deferral", "job-level"] as const))),
    )
    .addOption(
      whole("--job <nodes>", "job-level: most nodes of a job", DEFAULTS.job, 1, MOST_NODES),
    )
    .addOption(
      new Option(
        "--question <board,threshold>",
        'question, e.g. "2 2 0 0/0 0 0 0,100" (default: the hardest in solving the first start)',
      ).argParser(parseQuestion),
    )
    .addOption(
      new Option("--seed <list>", "seeds of losses and orders, a run for each")
        .default([DEFAULTS.seed], String(DEFAULTS.seed))
        .argParser(listOf((text) => parseInteger(text, 0, 2 ** 32 - 1))),
    );
}

function whole(
  flags: string,
  description: string,
  value: number,
  least: number,
  most: number,
): Option {
  return new Option(flags, description)
    .default(value)
    .argParser((text) => parseInteger(text, least, most));
}

function wholeOrOff(flags: string, description: string, value: number): Option {
  return new Option(flags, `${description}, or off`).default(value).argParser(parseWholeOrOff);
}

function parseWholeOrOff(text: string): number | "off" {
  return text === "off" ? text : parseInteger(text, 1, 2 ** 31 - 1);
}

function onOff(flags: string, description: string, value: boolean): Option {
  return new Option(flags, description)
    .default(value, value ? "on" : "off")
    .argParser((text) => parseOneOf(text, ["on", "off"] as const) === "on");
}

function parseOneOf<T extends string>(text: string, words: readonly T[]): T {
  const word = words.find((word) => word === text);
  if (word === undefined) {
    throw new InvalidArgumentError(`expected ${words.join(" or ")}, not "${text}".`);
  }
  return word;
}

function listOf<T>(parse: (text: string) => T): (text: string) => T[] {
  return (text) => text.split(",").map((part) => parse(part.trim()));
}

function parseNumber(text: string, most: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= most)) {
    throw new InvalidArgumentError(`expected a number from 0 to ${most}, not "${text}".`);
  }
  return value;
}

function parseQuestion(text: string): { board: string; threshold: number } {
  const comma = text.lastIndexOf(",");
  if (comma < 0) {
    throw new InvalidArgumentError(`expected a board, a comma and a threshold, not "${text}".`);
  }
  return {
    board: text.slice(0, comma),
    threshold: parseInteger(text.slice(comma + 1).trim(), 1, 2 ** 20),
  };
}

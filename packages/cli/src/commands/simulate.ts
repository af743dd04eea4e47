import { join } from "node:path";
import {
  alone,
  DEFAULTS,
  hardestQuestion,
  type Method,
  type NetworkKind,
  type Run,
  type SimulationOptions,
  saysYes,
  simulate,
  simulationMemory,
} from "@gridlock/cluster";
import {
  canonical,
  formatShape,
  type Game,
  normalShape,
  packBoard,
  parseBoard,
  type Tiles,
} from "@gridlock/game";
import { formatCount, formatSeconds } from "@gridlock/report";
import { type Question, whyNoKernel } from "@gridlock/solver";
import { Command, InvalidArgumentError, Option } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import {
  fileOption,
  gameOf,
  jsonOption,
  memoryOption,
  parseInteger,
  tilesOption,
} from "../options/options.js";
import { showWork } from "../output/display.js";
import { gameAsJson } from "../output/json.js";
import { makeOutFolder, writeResult } from "../output/result-files.js";
import {
  chartOf,
  figuresOf,
  pageOf,
  questionInWords,
  type SimulatedRun,
  tableOf,
} from "../output/simulate-report.js";
import { printLine } from "../output/stdout.js";

interface SimulateFlags {
  readonly tiles: Tiles;
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
  readonly json?: true;
  readonly out?: string;
  readonly name?: string;
}

const MOST_NODES = 1e9;
/** Milliseconds between two lines of progress in a pipe. */
const LINE_MS = 10_000;

export function simulateCommand(): Command {
  return new Command("simulate")
    .description("simulate many machines that search one question together, in virtual time")
    .argument("<shape>", "rows x columns, such as 2x5")
    .addOption(tilesOption())
    .addOption(
      new Option("--workers <list>", "how many machines, one run each")
        .default([2, 4, 16], "2,4,16")
        .argParser(listOf((text) => parseInteger(text, 1, 1024))),
    )
    .addOption(whole("--threads <n>", "threads of each machine", DEFAULTS.threads, 1, 64))
    .addOption(memoryOption("memory for each machine's table"))
    .addOption(
      new Option("--share <list>", "share bounds that cost so many nodes, or off")
        .default([DEFAULTS.share], String(DEFAULTS.share))
        .argParser(listOf(parseWholeOrOff)),
    )
    .addOption(
      onOff("--reuse <on|off>", "share a cheaper bound once it has been of use", DEFAULTS.reuse),
    )
    .addOption(
      wholeOrOff(
        "--announce <nodes>",
        "nodes of work before others are told of it",
        DEFAULTS.announce,
      ),
    )
    .addOption(
      new Option("--delay <list>", "nodes of time until what is sent is there")
        .default([DEFAULTS.delay], String(DEFAULTS.delay))
        .argParser(listOf((text) => parseInteger(text, 0, MOST_NODES))),
    )
    .addOption(whole("--batch <nodes>", "time between batches", DEFAULTS.batch, 1, MOST_NODES))
    .addOption(
      new Option("--intake <nodes>", "what taking in a record costs a machine, in nodes of time")
        .default(DEFAULTS.intake)
        .argParser((text) => parseNumber(text, 1000)),
    )
    .addOption(
      new Option("--loss <p>", "chance that a batch does not reach a machine")
        .default(DEFAULTS.loss)
        .argParser((text) => parseNumber(text, 1)),
    )
    .addOption(
      onOff(
        "--ties <on|off>",
        "each machine but the first has a slight order of its own",
        DEFAULTS.ties,
      ),
    )
    .addOption(
      new Option("--network <list>", "who is told: copy (all), owner (one for each board)")
        .default([DEFAULTS.network], DEFAULTS.network)
        .argParser(listOf((text) => parseOneOf(text, ["copy", "owner"] as const))),
    )
    .addOption(
      new Option("--method <list>", "how work is divided: deferral, job-level")
        .default([DEFAULTS.method], DEFAULTS.method)
        .argParser(listOf((text) => parseOneOf(text, ["deferral", "job-level"] as const))),
    )
    .addOption(
      whole("--job <nodes>", "job-level: what a job may cost", DEFAULTS.job, 1, MOST_NODES),
    )
    .addOption(
      new Option(
        "--question <board,threshold>",
        'the question, such as "2 2 0 0/0 0 0 0,100" (default: the hardest in solving the first start)',
      ).argParser(parseQuestion),
    )
    .addOption(
      new Option("--seed <list>", "determines losses and orders; a run for each")
        .default([DEFAULTS.seed], String(DEFAULTS.seed))
        .argParser(listOf((text) => parseInteger(text, 0, 2 ** 32 - 1))),
    )
    .addOption(jsonOption())
    .addOption(fileOption("--out <folder>", "write the table and a chart there"))
    .option("--name <name>", "the name of the files (default: the shape)")
    .addHelpText(
      "after",
      `
Time is counted in nodes: what a thread expands meanwhile. The same options give the same figures, on any
computer; docs/scaling.md tells what is simulated.

Examples:
  $ gridlock simulate 2x5
  $ gridlock simulate 2x5 --workers 4 --delay 0,1000,10000 --method deferral,job-level`,
    )
    .action(async (shape: string, flags: SimulateFlags) => {
      process.exitCode = await runSimulations(gameOf(shape, flags.tiles), flags);
    });
}

async function runSimulations(named: Game, flags: SimulateFlags): Promise<number> {
  const game = { ...named, shape: normalShape(named.shape) };
  const reason = whyNoKernel(game);
  if (reason) throw new UsageError(reason);
  const asked = flags.question ? questionOf(game, flags.question) : undefined;
  using watch = watchInterrupts("stopping");
  const { signal } = watch;
  const began = performance.now();
  const runs = combinations(flags);
  let done = 0;
  const look = () => ({ done, total: runs.length + 1 });
  const name = `simulation of ${formatShape(game.shape)}`;
  using display = showWork(name, "runs", look, { lineMs: LINE_MS, signal });
  try {
    const shared = sharedOptions(game, flags);
    const question = asked ?? (await hardestQuestion(game, shared, signal));
    const options = { ...shared, question };
    const single = await simulate(alone(options), signal);
    done++;
    const all: SimulatedRun[] = [];
    for (const combination of runs) {
      const chosen = { ...options, ...combination };
      const run = await simulate(chosen, signal);
      requireSameAnswer(run, single, question);
      all.push({ options: chosen, run });
      done++;
    }
    display.stop();
    if (flags.out !== undefined)
      await write(flags.out, flags.name ?? formatShape(game.shape), all, single);
    print(all, single, flags);
    console.error(`done in ${formatSeconds((performance.now() - began) / 1000)}`);
    return EXIT.ok;
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/** The options that all runs share; those that runs differ in are set later. */
function sharedOptions(game: Game, flags: SimulateFlags): Omit<SimulationOptions, "question"> {
  const { threads, reuse, batch, intake, loss, ties, job } = flags;
  return {
    ...{ game, threads, reuse, batch, intake, loss, ties, job },
    machines: 1,
    memory: flags.memory ?? simulationMemory(game, threads),
    share: DEFAULTS.share,
    announce: numberOf(flags.announce),
    delay: DEFAULTS.delay,
    network: DEFAULTS.network,
    method: DEFAULTS.method,
    seed: DEFAULTS.seed,
  };
}

function numberOf(value: number | "off"): number | undefined {
  return value === "off" ? undefined : value;
}

/** What the runs differ in: a run for each choice from all lists, the machines changing fastest. */
function combinations({ method, network, share, delay, seed, workers }: SimulateFlags) {
  return method.flatMap((method) =>
    network.flatMap((network) =>
      share
        .map(numberOf)
        .flatMap((share) =>
          delay.flatMap((delay) =>
            seed.flatMap((seed) =>
              workers.map((machines) => ({ method, network, share, delay, seed, machines })),
            ),
          ),
        ),
    ),
  );
}

function questionOf(
  game: Game,
  { board: text, threshold }: { board: string; threshold: number },
): Question {
  const { board, turn } = parseBoard(text);
  const least = canonical(board);
  if (formatShape(least) !== formatShape(game.shape)) {
    throw new UsageError(
      `--question has a board of ${formatShape(board)}, not ${formatShape(game.shape)}`,
    );
  }
  return { turn, board: packBoard(least), threshold };
}

/** Bounds that contradict each other would mean that one of them is no proof. */
function requireSameAnswer(run: Run, single: Run, { threshold }: Question): void {
  const [a, b] = [run.bound, single.bound];
  if (saysYes(a, threshold) === saysYes(b, threshold)) return;
  throw new Error(
    `${run.machines} machines say ${a.lo} <= h <= ${a.hi}, one says ${b.lo} <= h <= ${b.hi}: one of them is wrong`,
  );
}

async function write(
  folder: string,
  name: string,
  all: readonly SimulatedRun[],
  single: Run,
): Promise<void> {
  const picture = await chartOf(name, all, single);
  makeOutFolder(folder);
  writeResult("--out", join(folder, `${name}.md`), pageOf(commandLine(), all, single, picture));
  writeResult("--out", join(folder, `${name}.svg`), `${picture.svg}\n`);
}

/** The command as it was typed, to be typed again. */
function commandLine(): string {
  const quoted = process.argv
    .slice(2)
    .map((word) => (/^[\w./:,=+-]+$/.test(word) ? word : `"${word}"`));
  return ["npx gridlock", ...quoted].join(" ");
}

function print(all: readonly SimulatedRun[], single: Run, flags: SimulateFlags): void {
  const [{ options }] = all as readonly [SimulatedRun];
  const { game, question } = options;
  if (flags.json) {
    printLine(
      JSON.stringify({
        ...gameAsJson(game),
        question: questionInWords(options),
        answer: saysYes(single.bound, question.threshold),
        alone: single.nodes,
        runs: all.map((one) => figuresOf(one, single)),
      }),
    );
    return;
  }
  const answer = saysYes(single.bound, question.threshold) ? "yes" : "no";
  printLine(
    `${questionInWords(options)}: ${answer}, ${formatCount(single.time)} nodes by one thread\n`,
  );
  printLine(tableOf(all, single));
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

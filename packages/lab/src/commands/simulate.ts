import {
  allowDashes,
  gameAsJson,
  jsonOption,
  memoryOption,
  parseInteger,
  parseScore,
  printJson,
  printLine,
  showWork,
  tilesOption,
  UsageError,
  watchInterrupts,
} from "@gridlock/cli/command";
import {
  canonical,
  formatBoard,
  normalShape,
  packNode,
  parseBoard,
  parseShape,
  type Shape,
  type Tiles,
  unpackBoard,
} from "@gridlock/game";
import { effortOf } from "@gridlock/kernel";
import { formatCount, formatPercent, formatRatio, formatTable } from "@gridlock/report";
import type { SimulateOutput } from "@gridlock/schemas";
import type { Question } from "@gridlock/solver";
import { Command, InvalidArgumentError, Option } from "commander";
import {
  SIMULATION_DEFAULTS as DEFAULTS,
  type SimulationOptions,
  simulationMemory,
} from "../simulation/options.js";
import { type SimulatedRun, simulate } from "../simulation/simulate.js";

interface SimulateFlags
  extends Pick<SimulationOptions, "threads" | "every" | "delay" | "intake" | "pack"> {
  readonly board?: string;
  readonly threshold?: number;
  readonly tiles: Tiles;
  readonly machines: readonly number[];
  readonly memory?: number;
  readonly rate?: number;
  /** Nodes that a bound must have cost. */
  readonly effort: number;
  readonly seeds: readonly number[];
  readonly quiet?: true;
  readonly json?: true;
}

type Result = SimulateOutput["results"][number];
type Run = Result["runs"][number];

/** Makes the command `gridlock simulate`. */
export function simulateCommand(): Command {
  const command = new Command("simulate")
    .description("simulate machines that divide a question and share bounds, in virtual time")
    .helpGroup("Research:")
    .argument("[shape]", "rows x columns, e.g. 2x5; all its starts are solved")
    .option("--board <board>", "ask one question about this board instead")
    .addOption(
      new Option(
        "--threshold <points>",
        "the question: whether the slider can force this score from the board",
      ).argParser(parseScore),
    )
    .addOption(tilesOption())
    .addOption(
      memoryOption("memory for the table of each machine", "enough for 16 million bounds"),
    );
  for (const option of simulationOptions()) command.addOption(option);
  return allowDashes(command)
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Time is counted in nodes: one thread expands one node in a node of time, a million or two a second. Efficiency is
the time of one thread alone, divided by the time and number of all threads. The same options give the same
figures on any computer; docs/scaling.md describes the simulation.

Examples:
  $ gridlock simulate 2x5 --machines 4,16 --every 500 --delay 250
  $ gridlock simulate --board "2 2 0 0 0 0/0 0 0 0 0 0" --threshold 352 --seeds 1,2,3,4,5`,
    )
    .action((shape: string | undefined, flags: SimulateFlags) =>
      runSimulate(taskOf(shape, flags), flags),
    );
}

/** Makes a parser of numbers in a list such as `1,2,16`. */
function parseList(least: number, most: number): (text: string) => number[] {
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
    .argParser((text) => parseInteger(text, least, 1e9));

const costOption = (flags: string, description: string, byDefault: number) =>
  new Option(flags, description).default(byDefault).argParser(parseNumber(1000));

/** The options that set the machines and their network. */
const simulationOptions = (): Option[] => [
  new Option("--machines <list>", "numbers of machines")
    .default([1, 2, 4, 16], "1,2,4,16")
    .argParser(parseList(1, 1024)),
  new Option("--threads <n>", "threads of each machine")
    .default(DEFAULTS.threads)
    .argParser((text) => parseInteger(text, 1, 64)),
  nodesOption("--every <nodes>", "nodes of time between two exchanges", 1, DEFAULTS.every),
  nodesOption("--delay <nodes>", "nodes of time that a batch is under way", 0, DEFAULTS.delay),
  new Option(
    "--rate <bytes>",
    "bytes that a machine may send in a node of time (default: no limit)",
  ).argParser(parseNumber(1e6)),
  nodesOption("--effort <nodes>", "pass on only bounds that cost at least this many nodes", 1, 1),
  costOption("--intake <nodes>", "nodes of time that taking in a bound costs", DEFAULTS.intake),
  costOption("--pack <nodes>", "nodes of time that sending a bound costs", DEFAULTS.pack),
  new Option("--seeds <list>", "seeds of the machines' orders; the table shows the median")
    .default([DEFAULTS.seed], String(DEFAULTS.seed))
    .argParser(parseList(0, 2 ** 32 - 1)),
];

/** The task of a simulation: a question or, without one, a solve of all starts of the shape. */
interface Task {
  readonly shape: Shape;
  readonly question: Question | undefined;
}

function taskOf(
  shape: string | undefined,
  { board, threshold }: Pick<SimulateFlags, "board" | "threshold">,
): Task {
  if (shape !== undefined && board === undefined && threshold === undefined) {
    return { shape: normalShape(parseShape(shape)), question: undefined };
  }
  if (shape !== undefined || board === undefined || threshold === undefined) {
    throw new UsageError("expected either a shape, such as 2x5, or --board with --threshold");
  }
  const asked = canonical(parseBoard(board).board);
  return { shape: asked, question: { ...packNode({ turn: "slider", board: asked }), threshold } };
}

async function runSimulate({ shape, question }: Task, flags: SimulateFlags): Promise<void> {
  using watch = watchInterrupts("stopping");
  const { signal } = watch;
  let text = "";
  let done = 0;
  const total = 1 + flags.machines.length * flags.seeds.length;
  const look = () => ({ done, total, text });
  using _display = showWork("simulate", "runs", look, { signal, quiet: flags.quiet });
  const { threads, every, delay, rate, effort, intake, pack } = flags;
  const game = { shape: { rows: shape.rows, cols: shape.cols }, tiles: flags.tiles };
  const memory = flags.memory ?? simulationMemory(game, threads);
  const options: SimulationOptions = {
    ...{ game, question, threads, memory, every, delay, intake, pack },
    rate: rate ?? DEFAULTS.rate,
    effort: effortOf(effort),
    machines: 1,
    seed: DEFAULTS.seed,
  };
  const run = async (name: string, changes: Partial<SimulationOptions>) => {
    text = name;
    const found = await simulate({ ...options, ...changes }, signal, (time, nodes) => {
      text = `${name}: ${formatCount(nodes)} nodes in a time of ${formatCount(time)}`;
    });
    done++;
    return found;
  };
  const alone = await run("one thread alone", { threads: 1 });
  /** Describes what was found: the answer to the question, or all values. */
  const foundBy = ({ bounds }: SimulatedRun) =>
    bounds.map(({ lo }) => (question ? lo >= question.threshold : lo)).join(" ");
  const results: Result[] = [];
  for (const machines of flags.machines) {
    const runs: Run[] = [];
    for (const seed of flags.seeds) {
      const found = await run(`${machines} machines`, { machines, seed });
      const { time, nodes, traffic, subtrees, missed } = found;
      if (foundBy(found) !== foundBy(alone)) {
        throw new Error(`${machines} machines and one thread gave different answers`);
      }
      const efficiency = alone.time / (machines * threads * time);
      runs.push({ seed, time, nodes, efficiency, subtrees, ...traffic, missed });
    }
    results.push({ machines, threads, efficiency: medianOf(runs).efficiency, runs });
  }
  const found = {
    ...gameAsJson(game),
    board: question ? formatBoard(unpackBoard(game.shape, question.board)) : null,
    threshold: question?.threshold ?? null,
    answer: question ? (alone.bounds[0]?.lo ?? 0) >= question.threshold : null,
    alone: alone.nodes,
    options: { memory, every, delay, rate: rate ?? null, effort, intake, pack },
    results,
  };
  if (flags.json) printJson<SimulateOutput>(found);
  else print(found);
}

/** Returns the run of median time; of an even number, the faster one in the middle. */
function medianOf(runs: readonly Run[]): Run {
  const sorted = runs.toSorted((a, b) => a.time - b.time);
  return sorted[Math.floor((sorted.length - 1) / 2)] as Run;
}

function print({ shape, board, threshold, answer, alone, results }: SimulateOutput): void {
  const done =
    board === null
      ? `all starts of ${shape}`
      : `h ≥ ${threshold} of ${board}? ${answer ? "yes" : "no"}`;
  printLine(`${done}, by ${formatCount(alone)} nodes of one thread alone`);
  const rows = results.map(({ runs, ...size }) => ({ ...size, runs, ...medianOf(runs) }));
  const hasSeeds = rows.some(({ runs }) => runs.length > 1);
  const efficiencies = ({ runs }: (typeof rows)[number]) =>
    runs.map(({ efficiency }) => formatPercent(efficiency)).join(" ");
  printLine(
    formatTable(rows, [
      ["machines", ({ machines }) => machines],
      ["threads", ({ threads }) => threads],
      ["time", ({ time }) => formatCount(time), "right"],
      // One thread takes a node of time for each node.
      ["speed-up", ({ time }) => formatRatio(alone, time), "right"],
      ["efficiency", ({ efficiency }) => formatPercent(efficiency), "right"],
      ["nodes", ({ nodes }) => nodes],
      ["subtrees", ({ subtrees }) => subtrees],
      ["bounds/node", ({ bounds, nodes }) => formatRatio(bounds, nodes), "right"],
      ["bytes/node", ({ bytesOut, nodes }) => formatRatio(bytesOut, nodes), "right"],
      ["bytes in/node", ({ bytesIn, nodes }) => formatRatio(bytesIn, nodes), "right"],
      hasSeeds ? ["efficiency by seed", efficiencies] : undefined,
    ]),
  );
}

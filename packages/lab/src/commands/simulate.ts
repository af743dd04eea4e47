import {
  allowDashes,
  EXIT,
  gameAsJson,
  isInterruption,
  jsonOption,
  memoryOption,
  parseScore,
  printJson,
  printLine,
  showWork,
  tilesOption,
  UsageError,
  watchInterrupts,
} from "@gridlock/cli/command";
import {
  type Board,
  canonical,
  formatBoard,
  packNode,
  parseBoard,
  parseShape,
  starts,
  type Tiles,
} from "@gridlock/game";
import { effortOf } from "@gridlock/kernel";
import { formatCount, formatPercent, formatTable } from "@gridlock/report";
import type { SimulateOutput } from "@gridlock/schemas";
import { Command, Option } from "commander";
import {
  SIMULATION_DEFAULTS,
  type SimulationOptions,
  simulationMemory,
} from "../simulation/options.js";
import {
  type Alone,
  hardestQuestion,
  type SimulatedRun,
  simulate,
  simulateAlone,
} from "../simulation/simulate.js";
import { simulationOptions } from "./simulation-options.js";

interface SimulateFlags
  extends Pick<SimulationOptions, "threads" | "every" | "delay" | "intake" | "pack" | "loss"> {
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

/** A number of machines, and their run with each seed. */
interface Row {
  readonly machines: number;
  readonly threads: number;
  readonly runs: readonly Efficiency[];
}

interface Efficiency extends SimulatedRun {
  readonly seed: number;
  /** The speed-up over one thread alone, divided by the number of all threads. */
  readonly efficiency: number;
}

/** Makes the command `gridlock simulate`. */
export function simulateCommand(): Command {
  const command = new Command("simulate")
    .argument("[shape]", "rows x columns, e.g. 2x5; its first start is searched")
    .option("--board <board>", "search this board")
    .addOption(
      new Option(
        "--threshold <points>",
        "ask whether the slider can force this score (default: the value or the next score, whichever takes longer)",
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
  $ gridlock simulate 2x5 --machines 4,16 --every 2000 --delay 1000
  $ gridlock simulate --board "2 2 0 0 0 0/0 0 0 0 0 0" --threshold 352 --seeds 1,2,3,4,5`,
    )
    .action(async (shape: string | undefined, flags: SimulateFlags) => {
      process.exitCode = await runSimulate(boardOf(shape, flags.board), flags);
    });
}

/** Returns the board to search: the one that is given, or the first start of a shape. */
function boardOf(shape: string | undefined, board: string | undefined): Board {
  if (board !== undefined && shape === undefined) return canonical(parseBoard(board).board);
  if (shape === undefined) throw new UsageError("expected a shape, such as 2x5, or --board");
  if (board !== undefined) throw new UsageError("expected a shape or --board, not both");
  const [start] = starts(parseShape(shape));
  if (start === undefined) throw new UsageError(`${shape} has no starts`);
  return canonical(start);
}

async function runSimulate(board: Board, flags: SimulateFlags): Promise<number> {
  using watch = watchInterrupts("stopping");
  const { signal } = watch;
  let state = "one thread alone";
  let done = 0;
  const total = 1 + flags.machines.length * flags.seeds.length;
  using _display = flags.quiet
    ? undefined
    : showWork("simulate", "runs", () => ({ done, total, text: state }), { signal });
  const onProgress = (name: string) => (time: number, nodes: number) => {
    state = `${name}: ${formatCount(nodes)} nodes in a time of ${formatCount(time)}`;
  };
  try {
    const alone = await searchAlone(board, flags, signal, onProgress("one thread alone"));
    const rows: Row[] = [];
    for (const machines of flags.machines) {
      const runs: Efficiency[] = [];
      for (const seed of flags.seeds) {
        done++;
        const options = { ...optionsOf(board, flags, machines, seed), question: alone.question };
        const run = await simulate(options, signal, onProgress(`${machines} machines`));
        runs.push({ seed, ...run, efficiency: efficiencyOf(run, alone, options) });
      }
      rows.push({ machines, threads: flags.threads, runs });
    }
    if (flags.json) printJson<SimulateOutput>(asJson(board, flags, alone, rows));
    else print(board, alone, rows);
    return EXIT.ok;
  } catch (error) {
    if (isInterruption(error, signal)) return EXIT.interrupted;
    throw error;
  }
}

type Options = Omit<SimulationOptions, "question">;

function optionsOf(board: Board, flags: SimulateFlags, machines: number, seed: number): Options {
  const { threads, every, delay, rate, intake, pack, loss } = flags;
  const game = { shape: { rows: board.rows, cols: board.cols }, tiles: flags.tiles };
  return {
    ...{ game, machines, threads, every, delay, intake, pack, loss, seed },
    memory: flags.memory ?? simulationMemory(game, threads),
    rate: rate ?? SIMULATION_DEFAULTS.rate,
    effort: effortOf(flags.effort),
  };
}

async function searchAlone(
  board: Board,
  flags: SimulateFlags,
  signal: AbortSignal,
  onProgress: (time: number, nodes: number) => void,
): Promise<Alone> {
  const options = optionsOf(board, flags, 1, SIMULATION_DEFAULTS.seed);
  const { threshold } = flags;
  if (threshold === undefined) return await hardestQuestion(board, options, signal, onProgress);
  const question = { ...packNode({ turn: "slider", board }), threshold };
  return await simulateAlone({ ...options, question }, signal, onProgress);
}

/** @throws {Error} if a run's answer is not that of one thread */
function efficiencyOf(
  run: SimulatedRun,
  { question, run: alone }: Alone,
  options: Options,
): number {
  const saysYes = ({ bound }: SimulatedRun) => bound.lo >= question.threshold;
  if (saysYes(run) !== saysYes(alone)) {
    throw new Error(`${options.machines} machines and one thread gave different answers`);
  }
  return alone.time / (options.machines * options.threads * run.time);
}

/** Returns the run of median time; of an even number, the faster one in the middle. */
function medianOf(runs: readonly Efficiency[]): Efficiency {
  const sorted = [...runs].sort((a, b) => a.time - b.time);
  return sorted[Math.floor((sorted.length - 1) / 2)] as Efficiency;
}

function print(board: Board, { question, run: alone }: Alone, rows: readonly Row[]): void {
  const answer = alone.bound.lo >= question.threshold ? "yes" : "no";
  printLine(
    `h ≥ ${question.threshold} of ${formatBoard(board)}? ${answer}, by ${formatCount(alone.nodes)} nodes of one thread alone`,
  );
  const head = [
    ...["machines", "threads", "time", "speed-up", "efficiency", "nodes"],
    ...["bounds/node", "bytes/node", "bytes in/node"],
  ];
  const cells = rows.map(({ machines, threads, runs }) => {
    const { time, nodes, efficiency, traffic } = medianOf(runs);
    const all = runs.map((run) => formatPercent(run.efficiency)).join(" ");
    return [
      ...[formatCount(machines), formatCount(threads), formatCount(time)],
      ...[(alone.time / time).toFixed(2), formatPercent(efficiency), formatCount(nodes)],
      ...[traffic.bounds, traffic.bytesOut, traffic.bytesIn].map((n) => (n / nodes).toFixed(2)),
      ...(runs.length > 1 ? [all] : []),
    ];
  });
  const some = rows.some(({ runs }) => runs.length > 1) ? ["efficiency by seed"] : [];
  printLine(
    formatTable(
      [...head, ...some],
      cells,
      head.map((_, i) => i),
    ),
  );
}

function asJson(
  board: Board,
  flags: SimulateFlags,
  { question, run }: Alone,
  rows: readonly Row[],
): SimulateOutput {
  const { every, delay, rate, effort, intake, pack, loss } = flags;
  const { memory, game } = optionsOf(board, flags, 1, 1);
  return {
    ...gameAsJson(game),
    board: formatBoard(board),
    threshold: question.threshold,
    answer: run.bound.lo >= question.threshold,
    alone: run.nodes,
    options: { memory, every, delay, rate: rate ?? null, effort, intake, pack, loss },
    results: rows.map(({ machines, threads, runs }) => ({
      ...{ machines, threads, efficiency: medianOf(runs).efficiency },
      runs: runs.map(({ seed, time, nodes, efficiency, traffic, missed }) => ({
        ...{ seed, time, nodes, efficiency, ...traffic, missed },
      })),
    })),
  };
}

import {
  alone,
  DEFAULTS,
  hardestQuestion,
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
import { formatSeconds } from "@gridlock/report";
import { type Question, whyNoKernel } from "@gridlock/solver";
import { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { isInterruption, watchInterrupts } from "../interrupt.js";
import { gameOf } from "../options/game.js";
import { fileOption, jsonOption, tilesOption } from "../options/options.js";
import { type SimulationFlags, withSimulation } from "../options/simulation.js";
import { showWork } from "../output/display.js";
import type { SimulatedRun } from "../output/simulate-report.js";
import { printSimulation, writeSimulation } from "../output/simulation-result.js";

interface SimulateFlags extends SimulationFlags {
  readonly tiles: Tiles;
  readonly json?: true;
  readonly out?: string;
  readonly name?: string;
}

/** Milliseconds between two lines of progress in a pipe. */
const LINE_MS = 10_000;

export function simulateCommand(): Command {
  const command = new Command("simulate")
    .description("simulate many machines that search one question together, in virtual time")
    .argument("<shape>", "rows x columns, e.g. 2x5")
    .addOption(tilesOption());
  return withSimulation(command)
    .addOption(jsonOption())
    .addOption(fileOption("--out <folder>", "folder for the table and a chart (default: none)"))
    .option("--name <name>", "name of the files in that folder (default: the shape)")
    .addHelpText(
      "after",
      `
Time is measured in nodes that a thread expands. The same options give the same figures on any computer;
docs/scaling.md describes the simulation.

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
    if (flags.out !== undefined) {
      await writeSimulation(flags.out, flags.name ?? formatShape(game.shape), all, single);
    }
    printSimulation(all, single, flags.json === true);
    console.error(`done in ${formatSeconds((performance.now() - began) / 1000)}`);
    return EXIT.ok;
  } catch (error) {
    if (isInterruption(error, signal)) return EXIT.interrupted;
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Returns the options that all runs share; combinations replace the others. */
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

/** Returns a run for each combination of the lists, the machines changing fastest. */
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

/** Checks that two runs agree; bounds that contradict each other would mean that one of them is unsound. */
function requireSameAnswer(run: Run, single: Run, { threshold }: Question): void {
  const [a, b] = [run.bound, single.bound];
  if (saysYes(a, threshold) === saysYes(b, threshold)) return;
  throw new Error(
    `${run.machines} machines say ${a.lo} <= h <= ${a.hi}, one says ${b.lo} <= h <= ${b.hi}: one of them is wrong`,
  );
}

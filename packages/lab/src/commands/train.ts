import { existsSync } from "node:fs";
import { dirname } from "node:path";
import {
  EXIT,
  fileOption,
  jsonOption,
  parseInteger,
  printError,
  printJson,
  printLine,
  type Standing,
  seedOption,
  showWork,
  steady,
  UsageError,
  watchInterrupts,
} from "@gridlock/cli/command";
import { formatShape, parseShape, type Shape } from "@gridlock/game";
import { Network, readWeights, weightsFileOf, writeWeights } from "@gridlock/players";
import { formatCount, formatSeconds } from "@gridlock/report";
import type { TrainOutput } from "@gridlock/schemas";
import { makeFolders, reasonOf } from "@gridlock/store";
import { Command, InvalidArgumentError, Option } from "commander";
import { Training, type TrainingGame, USUAL_RATE } from "../training/training.js";

interface TrainFlags {
  readonly games: number;
  readonly seed: number;
  readonly rate: number;
  readonly output?: string;
  readonly quiet?: true;
  readonly json?: true;
}

/** The games of Szubert and Jaśkowski (2014). */
const USUAL_GAMES = 500_000;
/** Games of which the mean score is shown. */
const RECENT_GAMES = 1000;
/** Milliseconds between two saves. */
const SAVE_MS = 60_000;

/** Makes the command `gridlock train`. */
export function trainCommand(): Command {
  return new Command("train")
    .description("train the player ntuple, an n-tuple network, in the ordinary game")
    .helpGroup("Research:")
    .argument("<shape>", "rows x columns, e.g. 4x4")
    .addOption(
      new Option("--games <n>", "games to learn from, in all runs together")
        .default(USUAL_GAMES)
        .argParser((text) => parseInteger(text, 1, 2 ** 32 - 1)),
    )
    .addOption(seedOption("seed of the games' random tiles").default(1))
    .addOption(
      new Option("--rate <part>", "learning rate: the part of the error by which each weight moves")
        .default(USUAL_RATE)
        .argParser(parseRate),
    )
    .addOption(
      fileOption(
        "--output <file>",
        "file for the weights (default: results/players/ntuple-SHAPE.weights)",
      ),
    )
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The same shape, games, seed and rate give the same weights, to the bit. The weights are saved every minute and
at the end. Ctrl-C stops after saving; run the same command to resume, or with more --games to continue.

Examples:
  $ gridlock train 4x4
  $ gridlock train 3x3 --games 100000 --seed 7 --output three.weights`,
    )
    .action(async (shape: string, flags: TrainFlags) => {
      process.exitCode = await runTrain(parseShape(shape), flags);
    });
}

/** Parses a learning rate, more than 0 and at most 1. */
function parseRate(text: string): number {
  const rate = Number(text);
  if (!(rate > 0 && rate <= 1)) {
    throw new InvalidArgumentError(
      `expected a number of more than 0 and at most 1, not "${text}".`,
    );
  }
  return rate;
}

async function runTrain(shape: Shape, flags: TrainFlags): Promise<number> {
  const { games } = flags;
  const file = flags.output ?? weightsFileOf(shape);
  const training = begin(shape, file, flags);
  const before = training.games;
  const began = performance.now();
  const run = progressOf(training, games);
  save(file, training); // so that a file that cannot be written is reported before the games
  let saved = began;
  {
    using watch = watchInterrupts("stopping after this game; Ctrl-C again stops at once");
    const { signal } = watch;
    const { quiet } = flags;
    using _display = showWork(formatShape(shape), "games", run.look, { signal, quiet });
    await training.run(games, signal, (game) => {
      run.add(game);
      if (performance.now() < saved + SAVE_MS) return;
      save(file, training);
      saved = performance.now();
    });
  }
  save(file, training);
  const seconds = (performance.now() - began) / 1000;
  const isDone = training.games === games;
  if (flags.json) {
    const { seed, rate } = training;
    const learned = { games: training.games, played: training.games - before };
    printJson<TrainOutput>({
      shape: formatShape(shape),
      seed,
      rate,
      output: file,
      ...learned,
      ...run.summary(),
      seconds,
    });
  } else {
    printLine(`${formatShape(shape)}: ${run.describe(before, seconds)}; ${file}`);
  }
  if (isDone) return EXIT.ok;
  printError(`saved ${file}; run the same command to resume`);
  return EXIT.interrupted;
}

/** Returns a new training, or that of the file if there is one. */
function begin(shape: Shape, file: string, { games, seed, rate }: TrainFlags): Training {
  if (!existsSync(file)) {
    const network = new Network(shape);
    const most = 1 / network.tuples.length;
    if (rate > most) {
      throw new UsageError(
        `--rate ${rate} would move an estimate, a sum of ${network.tuples.length} weights, by more than its error; expected at most ${most.toPrecision(3)}`,
      );
    }
    return new Training({ network, seed, rate, games: 0 });
  }
  const training = new Training(readWeights(file, shape));
  if (training.seed !== seed || training.rate !== rate) {
    throw new UsageError(
      `${file} was trained with --seed ${training.seed} --rate ${training.rate}; use these to continue, or another --output`,
    );
  }
  if (training.games > games) {
    throw new UsageError(
      `${file} has learned from ${formatCount(training.games)} games; expected at least as many --games, or another --output`,
    );
  }
  return training;
}

function save(file: string, training: Training): void {
  try {
    makeFolders(dirname(file));
    writeWeights(file, training);
  } catch (error) {
    throw new Error(`--output ${file} cannot be written (${reasonOf(error)})`);
  }
}

/** Watches the progress of a training that is to learn from `wanted` games. */
function progressOf(training: Training, wanted: number) {
  /** The last games. */
  const recent: TrainingGame[] = [];
  let moves = 0;
  let largestTile = 0;
  const mean = () => recent.reduce((sum, { score }) => sum + score, 0) / recent.length;
  const scores = () =>
    `mean of the last ${formatCount(recent.length)}: ${formatCount(mean())}, largest tile ${largestTile}`;
  return {
    add(game: TrainingGame): void {
      moves += game.moves;
      largestTile = Math.max(largestTile, game.largestTile);
      recent.push(game);
      if (recent.length > RECENT_GAMES) recent.shift();
    },

    look(): Standing {
      const standing = steady(training.games, wanted);
      return recent.length === 0 ? standing : { ...standing, text: scores() };
    },

    /** Describes a run that continued after `before` games. */
    describe(before: number, seconds: number): string {
      const { games } = training;
      if (games === before) return `${formatCount(games)} games learned before`;
      const speed = `${formatCount(moves / seconds)} moves a second`;
      return `${formatCount(games)} games, ${formatCount(games - before)} of them in ${formatSeconds(seconds)} (${speed}); ${scores()}`;
    },

    /** Returns the figures of a run for JSON. */
    summary: () => ({ moves, mean: recent.length === 0 ? null : mean(), largestTile }),
  };
}

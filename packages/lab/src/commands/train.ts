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
import { Training, USUAL_RATE } from "../training/training.js";

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
  const { games, quiet } = flags;
  const file = flags.output ?? weightsFileOf(shape);
  const training = begin(shape, file, flags);
  const { seed, rate, games: before } = training;
  const began = performance.now();
  /** The scores of the last games. */
  const recent: number[] = [];
  let moves = 0;
  let largestTile = 0;
  const look = (): TrainOutput => ({
    shape: formatShape(shape),
    seed,
    rate,
    output: file,
    games: training.games,
    played: training.games - before,
    moves,
    mean: recent.length === 0 ? null : recent.reduce((a, b) => a + b) / recent.length,
    largestTile,
    seconds: (performance.now() - began) / 1000,
  });
  save(file, training); // so that a file that cannot be written is reported before the games
  let saved = began;
  {
    using watch = watchInterrupts("stopping after this game; Ctrl-C again stops at once");
    const { signal } = watch;
    const standing = () => {
      const text = recent.length === 0 ? [] : describeScores(look());
      return { ...steady(training.games, games), text };
    };
    using _display = showWork(formatShape(shape), "games", standing, { signal, quiet });
    await training.run(games, signal, (game) => {
      moves += game.moves;
      largestTile = Math.max(largestTile, game.largestTile);
      recent.push(game.score);
      if (recent.length > RECENT_GAMES) recent.shift();
      if (performance.now() < saved + SAVE_MS) return;
      save(file, training);
      saved = performance.now();
    });
  }
  save(file, training);
  const found = look();
  if (flags.json) printJson<TrainOutput>(found);
  else printLine(asText(found));
  if (found.games === games) return EXIT.ok;
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

function asText(found: TrainOutput): string {
  const { shape, output, games, played, moves, seconds } = found;
  if (played === 0) return `${shape}: ${formatCount(games)} games learned before; ${output}`;
  const speed = `${formatCount(moves / seconds)} moves a second`;
  return `${shape}: ${formatCount(games)} games, ${formatCount(played)} of them in ${formatSeconds(seconds)} (${speed}); ${describeScores(found)}; ${output}`;
}

/** Describes the scores of a run that has played some games. */
function describeScores({ played, mean, largestTile }: TrainOutput): string {
  const last = formatCount(Math.min(played, RECENT_GAMES));
  return `mean of the last ${last}: ${formatCount(mean as number)}, largest tile ${largestTile}`;
}

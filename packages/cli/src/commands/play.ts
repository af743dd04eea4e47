import {
  formatBoard,
  formatShape,
  type Node,
  parseShape,
  readBoard,
  type Shape,
  VALUES_NOTE,
} from "@gridlock/game";
import { PLACERS, PlayerMaker, playMatch, type Statistics, statisticsOf } from "@gridlock/players";
import {
  formatCount,
  formatPercent,
  formatPoints,
  formatSeconds,
  formatTable,
} from "@gridlock/report";
import { Command, Option } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { dbOption, jsonOption, seedOption, workersOption } from "../options/options.js";
import { parseInteger } from "../options/parse.js";
import { asked } from "../options/player.js";
import { showWork } from "../output/display.js";
import { printLine } from "../output/stdout.js";
import { printError } from "../output/visible.js";

interface PlayFlags extends MatchFlags {
  readonly player: string;
}

interface MatchFlags {
  readonly placer: string;
  readonly games: number;
  readonly seed: number;
  readonly start?: string;
  readonly db: string;
  readonly workers: number;
  readonly json?: true;
  readonly quiet?: true;
}

const MOST_GAMES = 10_000_000;

export function playCommand(): Command {
  return new Command("play")
    .description("play many games with a player and report its scores")
    .argument("<shape>", "rows x columns, e.g. 4x4")
    .option("--player <name>", "player, e.g. emr or ./my-player.js (see gridlock players)")
    .addOption(
      new Option(
        "--placer <name>",
        `who places the tiles: ${Object.keys(PLACERS).join(", ")}`,
      ).default("random"),
    )
    .addOption(
      new Option("--games <n>", "number of games")
        .default(1000)
        .argParser((text) => parseInteger(text, 1, MOST_GAMES)),
    )
    .addOption(seedOption("seed of the games").default(1))
    .option("--start <board>", "board on which each game begins (default: two random tiles)")
    .addOption(dbOption())
    .addOption(workersOption())
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Each game begins with two random tiles, a 4 with 10 %, unless --start gives a board. The same seed gives the same games with any number of
threads. docs/players.md describes the players and the placers, and how to write a player of your own.

Placers:
${placersInLines()}

Examples:
  $ gridlock play 4x4 --player emr
  $ gridlock play 4x4 --player zaky-expectimax:3 --games 100 --seed 7
  $ gridlock play 3x3 --player emr --placer perfect --start "2 2 0/0 0 0/0 0 0" --games 100
  $ gridlock play 3x3 --player ./my-player.js --json`,
    )
    .action(async (shape: string, { player, ...flags }: MatchFlags & { player?: string }) => {
      if (player === undefined) throw noPlayer(shape);
      process.exitCode = await runPlay(shape, { player, ...flags });
    });
}

/** Returns the error of a command without a player, perhaps of somebody who wants to play. */
function noPlayer(text: string): UsageError {
  const shape = formatShape(parseShape(text));
  return new UsageError(
    `gridlock play lets programs play; expected --player NAME, one of gridlock players. To play ${shape} yourself, run gridlock serve and open http://127.0.0.1:2048/play/${shape}/`,
  );
}

function placersInLines(): string {
  return Object.entries(PLACERS)
    .map(([name, does]) => `  ${name.padEnd(9)}${does}`)
    .join("\n");
}

async function runPlay(text: string, flags: PlayFlags): Promise<number> {
  const shape = parseShape(text);
  const { games, workers, seed, db } = flags;
  const start = startOf(shape, flags);
  const { player, placer } = await fullNames(shape, flags);
  const name = formatShape(shape);
  let done = 0;
  using watch = watchInterrupts("stopping; nothing is printed");
  const { signal } = watch;
  const look = () => ({ done, total: games });
  using display = flags.quiet
    ? undefined
    : showWork(`${player} on ${name}`, "games", look, { signal });
  // The player goes by the name that was given: a thread loads a module from its path.
  const match = {
    player: flags.player,
    placer: flags.placer,
    shape,
    seed,
    db,
    ...(start && { start }),
  };
  const results = await playMatch(match, {
    games,
    workers,
    signal,
    onProgress: (finished) => {
      done = finished;
    },
  });
  if (results === undefined) return EXIT.interrupted;
  display?.stop();
  const statistics = statisticsOf(results);
  const began = start && { start: formatBoard(start.board, start.turn) };
  const played = { player, placer, shape: name, seed, ...began };
  printLine(flags.json ? JSON.stringify({ ...played, ...statistics }) : asText(statistics));
  return EXIT.ok;
}

/** Reads the board of --start. */
function startOf(shape: Shape, { start }: PlayFlags): Node | undefined {
  if (start === undefined) return undefined;
  const { board, turn, notes } = readBoard(start, { shape });
  for (const note of notes) if (note !== VALUES_NOTE) printError(`note: ${note}`);
  return { board, turn };
}

/**
 * Returns the full names of player and placer. Both are made once here, so that errors show before
 * threads start.
 */
async function fullNames(shape: Shape, { db, ...flags }: PlayFlags) {
  using maker = new PlayerMaker(db);
  const player = await asked(() => maker.player(flags.player, { shape }));
  const placer = await asked(() => maker.placer(flags.placer, shape));
  return { player: player.name, placer: placer.name };
}

function asText({ tiles, ...statistics }: Statistics): string {
  const { games, mean, deviation, error, min, median, max, moves, seconds } = statistics;
  const points = (number: number | null) => (number === null ? "–" : formatPoints(number));
  const columns = [
    ["games", formatCount(games)],
    ["mean", points(mean)],
    ["standard error", points(error)],
    ["deviation", points(deviation)],
    ["min", formatCount(min)],
    ["median", formatCount(median)],
    ["max", formatCount(max)],
    ["moves a game", formatCount(moves)],
    ["time a game", formatSeconds(seconds)],
  ] as const;
  const scores = formatTable(
    columns.map(([head]) => head),
    [columns.map(([, cell]) => cell)],
    columns.map((_, i) => i),
  );
  const shares = formatTable(
    ["largest tile", "games"],
    Object.entries(tiles).map(([tile, share]) => [tile, formatPercent(share)]),
    [0, 1],
  );
  return `${scores}\n\n${shares}`;
}

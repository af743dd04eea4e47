import {
  formatBoard,
  formatShape,
  type Node,
  parseShape,
  readBoard,
  type Shape,
} from "@gridlock/game";
import {
  PLACERS,
  PLAYER_KINDS,
  type PlayerKind,
  PlayerMaker,
  playMatch,
  type Statistics,
  statisticsOf,
} from "@gridlock/players";
import {
  formatCount,
  formatPercent,
  formatPoints,
  formatSeconds,
  formatTable,
} from "@gridlock/report";
import type { PlayOutput } from "@gridlock/schemas";
import { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import {
  dbOption,
  type GameFlags,
  jsonOption,
  seedOption,
  tilesOption,
  workersOption,
} from "../options/options.js";
import { parseInteger, parseSeconds } from "../options/parse.js";
import { asked } from "../options/player.js";
import { showWork } from "../output/display.js";
import { printJson, printLine, printNotes } from "../output/print.js";
import { hasScreen } from "../output/screen.js";

interface PlayFlags extends GameFlags {
  readonly player?: string;
  readonly placer: string;
  readonly games: number;
  readonly seed?: number;
  readonly start?: string;
  readonly budget: number;
  readonly workers: number;
}

type ByPlayer = PlayFlags & { readonly player: string };

const MOST_GAMES = 10_000_000;
/** Names of a kind of players that the help shows before it only counts the rest. */
const SHOWN_NAMES = 3;

/** Makes the command `gridlock play`. */
export function playCommand(): Command {
  return new Command("play")
    .description("slide against the perfect placer, or have a program play many games")
    .argument("<shape>", "rows x columns, e.g. 4x4")
    .option("--start <board>", "board on which each game begins (default: two random tiles)")
    .addOption(seedOption("seed of the games (default: 1 for a player's, random for your own)"))
    .addOption(dbOption())
    .optionsGroup("Options for your own games:")
    .addOption(tilesOption())
    .option("--budget <seconds>", "most seconds to search for each reply", parseSeconds, 1)
    .optionsGroup("Options for a player's games:")
    .option("--player <name>", "player, e.g. emr or ./my-player.js")
    .option("--placer <name>", `who places the tiles: ${Object.keys(PLACERS).join(", ")}`, "random")
    .option("--games <n>", "number of games", (text) => parseInteger(text, 1, MOST_GAMES), 1000)
    .addOption(workersOption())
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Without --player, you play at the terminal: slide with the arrow keys, WASD or HJKL. The screen shows what perfect
play is still worth and what your slides give away. The placer's replies come from the same sources as the answers
of gridlock query. On small shapes such as 3x3 all of them are proven best; on larger ones the screen says that they
are not, and a larger --budget or gridlock solve proves more of them. Nothing is saved.

With --player, a program plays. Each game begins with two random tiles, a 4 with 10 %, unless --start gives a
board. The same seed gives the same games with any number of threads. Depth and variants follow a player's name
after colons, in any order: zaky-minimax:8:corner. docs/players.md describes the players and the placers, and how
to write a player of your own.

Players:
${asList(PLAYER_KINDS.flatMap(rowsOf))}

Placers:
${asList(Object.entries(PLACERS))}

Examples:
  $ gridlock play 3x3
  $ gridlock play 2x4 --start "2 0 0 0/0 0 4 0"
  $ gridlock play 4x4 --player emr
  $ gridlock play 4x4 --player zaky-expectimax:3 --games 100 --seed 7
  $ gridlock play 3x3 --player emr --placer perfect --start "2 2 0/0 0 0/0 0 0" --games 100
  $ gridlock play 3x3 --player ./my-player.js --json`,
    )
    .action(async (text: string, { player, ...flags }: PlayFlags) => {
      const shape = parseShape(text);
      process.exitCode =
        player === undefined
          ? await runByHand(shape, flags)
          : await runPlay(shape, { player, ...flags });
    });
}

/** A name in a list, and what goes by it. */
type Row = readonly [name: string, does: string];

/** Formats the rows of a list for the help. */
function asList(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, does]) => `  ${name.padEnd(width)}${does}`).join("\n");
}

/** Returns the rows of a kind of player: itself, then what can follow its name. */
function rowsOf({ names, summary, depth, variants = {}, file }: PlayerKind): Row[] {
  const [shown, more] = [names.slice(0, SHOWN_NAMES).join(", "), names.length - SHOWN_NAMES];
  const depths =
    depth && `depth in ${depth.unit}, 1 to ${depth.most} (default: ${depth.byDefault})`;
  return [
    [more > 0 ? `${shown} and ${more} more` : shown, summary],
    ...(depths ? [["  :DEPTH", depths] as const] : []),
    ...(file ? [["  :FILE", file] as const] : []),
    ...Object.entries(variants).map(([name, change]) => [`  :${name}`, change] as const),
  ];
}

/** Lets a person play at the terminal; without one, says what to type instead. */
async function runByHand(shape: Shape, { start, ...flags }: PlayFlags): Promise<number> {
  if (!hasScreen()) {
    const name = formatShape(shape);
    throw new UsageError(
      `without a terminal, or with TERM=dumb, only programs can play; expected --player NAME (see gridlock play --help). To play ${name} yourself in a browser, run gridlock serve and open http://127.0.0.1:2048/play/${name}/`,
    );
  }
  const { playByHand } = await import("./play-by-hand.js");
  const { tiles, ...how } = flags;
  const node = startOf(shape, start);
  return await playByHand({ shape, tiles }, { ...how, ...(node && { start: node }) });
}

async function runPlay(shape: Shape, flags: ByPlayer): Promise<number> {
  const { games, workers, seed = 1, db } = flags;
  const start = startOf(shape, flags.start);
  const { player, placer } = await fullNames(shape, flags);
  const name = formatShape(shape);
  using watch = watchInterrupts("stopping; nothing is printed");
  const { signal } = watch;
  const standing = { done: 0, total: games };
  const shown = { signal, quiet: flags.quiet };
  using display = showWork(`${player} on ${name}`, "games", standing, shown);
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
    onProgress: (done) => display.show({ done, total: games }),
  });
  display.stop();
  const statistics = statisticsOf(results);
  const began = start && { start: formatBoard(start.board, start.turn) };
  const played = { player, placer, shape: name, seed, ...began };
  if (flags.json) printJson<PlayOutput>({ ...played, ...statistics });
  else printLine(asText(statistics));
  return EXIT.ok;
}

/** Reads the board of --start. */
function startOf(shape: Shape, start: string | undefined): Node | undefined {
  if (start === undefined) return undefined;
  const read = readBoard(start, { shape });
  printNotes(read);
  return { board: read.board, turn: read.turn };
}

/**
 * Returns the full names of player and placer. Both are made once here, so that errors show before
 * threads start.
 */
async function fullNames(shape: Shape, { db, ...flags }: ByPlayer) {
  using maker = new PlayerMaker(db);
  const player = await asked(() => maker.player(flags.player, { shape }));
  const placer = await asked(() => maker.placer(flags.placer, shape));
  return { player: player.name, placer: placer.name };
}

function asText({ tiles, ...statistics }: Statistics): string {
  const points = (number: number | null) => (number === null ? "–" : formatPoints(number));
  const scores = formatTable(
    [statistics],
    [
      ["games", ({ games }) => games],
      ["mean", ({ mean }) => points(mean), "right"],
      ["standard error", ({ error }) => points(error), "right"],
      ["deviation", ({ deviation }) => points(deviation), "right"],
      ["min", ({ min }) => formatCount(min), "right"],
      ["median", ({ median }) => formatCount(median), "right"],
      ["max", ({ max }) => formatCount(max), "right"],
      ["moves a game", ({ moves }) => formatCount(moves), "right"],
      ["time a game", ({ seconds }) => formatSeconds(seconds), "right"],
    ],
  );
  const shares = formatTable(Object.entries(tiles), [
    ["largest tile", ([tile]) => tile, "right"],
    ["games", ([, share]) => formatPercent(share), "right"],
  ]);
  return `${scores}\n\n${shares}`;
}

import { asAsked } from "@gridlock/answers";
import {
  asked,
  commandOf,
  dbOption,
  EXIT,
  gameAsJson,
  gameOf,
  isInterruption,
  jsonOption,
  memoryOption,
  parseSeconds,
  printJson,
  printLine,
  provenValue,
  showWork,
  steady,
  sweepMemory,
  tell,
  tilesOption,
  UsageError,
  watchInterrupts,
} from "@gridlock/cli/command";
import {
  type Board,
  formatBoard,
  formatShape,
  type Game,
  isExact,
  packBoard,
  starts,
  type Tiles,
} from "@gridlock/game";
import { makeStrategies, type Player, PlayerMaker } from "@gridlock/players";
import type { AssessOutput } from "@gridlock/schemas";
import { Command, Option } from "commander";
import { assess, canSweep } from "../exact/assess.js";
import { compareMoves, type MoveComparison } from "../exact/moves.js";
import type { AssessOptions, AssessProgress } from "../exact/reach.js";
import { type HeldBounds, searchStarts } from "../exact/search.js";
import { assessStanding } from "./assess-standing.js";
import { assessedAsRanking, assessedAsText } from "./assessed.js";
import { type Optimum, openOptimum } from "./optimum.js";

interface AssessFlags {
  readonly player?: string;
  readonly strategies?: true;
  readonly moves?: true;
  readonly tiles: Tiles;
  readonly db: string;
  readonly budget: number;
  readonly memory?: number;
  readonly quiet?: true;
  readonly json?: true;
}

/** Most positions that a search remembers, about 1 KB each. */
const SEARCHED_POSITIONS = 2_000_000;

/** Makes the command `gridlock assess`. */
export function assessCommand(): Command {
  return new Command("assess")
    .argument("<shape>", "rows x columns, e.g. 3x3")
    .option("--player <name>", "player, e.g. emr or ./my-player.js (see gridlock players)")
    .option("--strategies", "assess all strategies of e, m, u, g and r together, sorted by score")
    .option("--moves", "also compare the player's slides with the best ones, in every position")
    .addOption(tilesOption())
    .addOption(dbOption())
    .addOption(
      new Option("--budget <seconds>", "seconds to search, on shapes too large for a sweep")
        .default(60)
        .argParser(parseSeconds),
    )
    .addOption(memoryOption("memory for positions and values", "half of what is free, up to 4G"))
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Prints for each start: its value; the least expected score to which a placer can hold the player; the least score
if the placer decides the player's random ties too; the gap between value and least expected score; and the
expected score of the ordinary game. Values come from gridlock tabulate, or else from the solution database. On
shapes of more than 9 cells a search finds the least score. docs/players.md explains the figures.

Examples:
  $ gridlock assess 3x3 --player emr               a minute
  $ gridlock assess 2x4 --player ./my-player.js --moves --json
  $ gridlock assess 3x3 --strategies               seven minutes`,
    )
    .action(async (shape: string, flags: AssessFlags) => {
      process.exitCode = await runAssess(gameOf(shape, flags.tiles), flags);
    });
}

async function runAssess(game: Game, flags: AssessFlags): Promise<number> {
  using maker = new PlayerMaker(flags.db);
  const players = await playersOf(game, flags, maker);
  using watch = watchInterrupts("stopping; nothing is printed");
  try {
    const found = await assessAll(players, game, flags, watch.signal, maker);
    if (flags.json) for (const one of found) printJson<AssessOutput>(one);
    else if (flags.strategies) printLine(assessedAsRanking(found));
    else for (const one of found) printLine(assessedAsText(one));
    return EXIT.ok;
  } catch (error) {
    if (isInterruption(error, watch.signal)) return EXIT.interrupted;
    throw error;
  }
}

/** Makes the players that are asked for; refuses what cannot be done with them. */
async function playersOf(game: Game, flags: AssessFlags, maker: PlayerMaker): Promise<Player[]> {
  if ((flags.player === undefined) === (flags.strategies === undefined)) {
    throw new UsageError("expected either --player, such as --player emr, or --strategies");
  }
  if (!canSweep(game.shape) && (flags.strategies || flags.moves)) {
    throw new UsageError(
      `${flags.moves ? "--moves" : "--strategies"} needs every position of the shape; expected one of at most 9 cells, such as 3x3`,
    );
  }
  const { player } = flags;
  if (player === undefined) return makeStrategies(game.shape);
  return [await asked(() => maker.player(player, game))];
}

async function assessAll(
  players: readonly Player[],
  game: Game,
  flags: AssessFlags,
  signal: AbortSignal,
  maker: PlayerMaker,
): Promise<AssessOutput[]> {
  using optimum = openOptimum(game, flags.db);
  const { tabulation } = optimum;
  const sweeps = canSweep(game.shape);
  if (flags.moves && tabulation === undefined) {
    throw new UsageError(
      `--moves needs a tabulation; run gridlock ${commandOf("tabulate", game)} first`,
    );
  }
  if (optimum.values.size < starts(game.shape).length) {
    const command = commandOf(sweeps ? "tabulate" : "solve", game);
    tell(flags, `note: values are missing; gridlock ${command} finds them`);
  }
  const name = `${flags.strategies ? "strategies" : (players[0] as Player).name} on ${formatShape(game.shape)}`;
  if (!sweeps) return [await searchShown(name, players[0] as Player, game, flags, signal, optimum)];
  /** Displays the progress of sweeps, of which the first `finds` the positions. */
  const shown = async <T>(
    name: string,
    finds: boolean,
    sweep: (options: Pick<AssessOptions, "signal" | "onProgress">) => Promise<T>,
  ): Promise<T> => {
    let latest: AssessProgress | undefined;
    const look = () => assessStanding(game, finds, latest);
    using _display = flags.quiet ? undefined : showWork(name, "layers", look, { signal });
    const onProgress = (progress: AssessProgress) => {
      latest = progress;
    };
    return await sweep({ signal, onProgress });
  };
  const found = await shown(name, true, (options) =>
    assess(players, game, { ...options, memory: sweepMemory(flags.memory) }),
  );
  const compared: Omit<MoveComparison, "player">[] = [];
  if (flags.moves && tabulation) {
    const onItsShape = await playersOf(tabulation.game, flags, maker);
    const all = await shown(`${name}, slides`, false, (options) =>
      compareMoves(onItsShape, tabulation, options),
    );
    compared.push(...all.map(({ player: _, ...moves }) => moves));
  }
  return found.map(({ player, expected, starts: scores }, i) => ({
    ...{ player, ...gameAsJson(game), expected, optimum: optimum.expected },
    starts: scores.map(({ board, heldTo, heldToWorstTie, expected: fromStart }) => ({
      ...startAsJson(game, optimum, board),
      ...{ heldTo, heldToWorstTie, expected: fromStart },
    })),
    ...(compared[i] && { moves: compared[i] }),
  }));
}

function startAsJson(game: Game, { values }: Optimum, board: Board) {
  return {
    board: formatBoard(asAsked(game, board)),
    value: values.get(packBoard(board)) ?? null,
  };
}

/** Searches a shape that is too large for a sweep, and displays the progress. */
async function searchShown(
  name: string,
  player: Player,
  game: Game,
  { quiet, budget }: AssessFlags,
  signal: AbortSignal,
  optimum: Optimum,
): Promise<AssessOutput> {
  const all = starts(game.shape);
  let done = 0;
  using _display = quiet
    ? undefined
    : showWork(name, "starts", () => steady(done, all.length), { signal });
  const limits = { seconds: budget, positions: SEARCHED_POSITIONS, signal };
  const found = await searchStarts(player, game, limits, (finished) => {
    done = finished;
  });
  return {
    ...{ player: player.name, ...gameAsJson(game), expected: null, optimum: optimum.expected },
    starts: all.map((start, i) => {
      const { heldTo, heldToWorstTie } = found[i] as HeldBounds;
      return {
        ...startAsJson(game, optimum, start),
        ...{ heldTo: provenValue(heldTo), heldToWorstTie: provenValue(heldToWorstTie) },
        ...(isExact(heldTo) ? {} : { atLeast: heldTo.lo }),
        expected: null,
      };
    }),
  };
}

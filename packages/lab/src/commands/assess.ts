import { asAsked, Library } from "@gridlock/answers";
import {
  asked,
  commandOf,
  type Display,
  dbOption,
  type GameFlags,
  gameAsJson,
  gameOf,
  jsonOption,
  parseSeconds,
  printError,
  printJson,
  printLine,
  provenValue,
  type Standing,
  showWork,
  steady,
  sweepMemory,
  sweepMemoryOption,
  tell,
  tilesOption,
  UsageError,
  watchInterrupts,
} from "@gridlock/cli/command";
import { formatBoard, formatShape, type Game, isExact, starts } from "@gridlock/game";
import { PlayerMaker } from "@gridlock/players";
import { formatRough } from "@gridlock/report";
import type { AssessOutput } from "@gridlock/schemas";
import { StoreError } from "@gridlock/store";
import { canTabulate, Tabulation } from "@gridlock/tablebase";
import { Command, Option } from "commander";
import { type Assessment, assess, canSweep } from "../exact/assess.js";
import { compareMoves, type MoveComparison } from "../exact/moves.js";
import type { AssessProgress } from "../exact/reach.js";
import { searchStarts } from "../exact/search.js";
import { assessedAsText } from "./assessed.js";

interface AssessFlags extends GameFlags {
  readonly player: string;
  readonly moves?: true;
  readonly budget: number;
  readonly memory?: number;
}

/** A player's scores from a start. */
type Scores = Omit<AssessOutput["starts"][number], "board" | "value">;

/** Most positions that a search remembers, about 1 KB each. */
const SEARCHED_POSITIONS = 2_000_000;

/** Makes the command `gridlock assess`. */
export function assessCommand(): Command {
  return new Command("assess")
    .description(
      "measure a player exactly: its expected score, and what a perfect placer holds it to",
    )
    .helpGroup("Research:")
    .argument("<shape>", "rows x columns, e.g. 3x3")
    .requiredOption(
      "--player <name>",
      "player, e.g. emr or ./my-player.js (see gridlock play --help)",
    )
    .option("--moves", "also compare the player's slides with the best ones, in every position")
    .addOption(tilesOption())
    .addOption(dbOption())
    .addOption(
      new Option("--budget <seconds>", "seconds to search, on shapes too large for a sweep")
        .default(60)
        .argParser(parseSeconds),
    )
    .addOption(sweepMemoryOption())
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Prints for each start: its value; the least expected score to which a placer can hold the player; the least score
if the placer decides the player's random ties too; the gap between value and least expected score; and the
expected score of the ordinary game. Values come from gridlock tabulate, or else from the solution database. On
shapes of 10 or more cells or with a line of 7 or more, a search finds the least score with the player's ties
decided by the placer, within --budget. docs/players.md explains the figures.

Examples:
  $ gridlock assess 3x3 --player emr               a minute
  $ gridlock assess 2x4 --player ./my-player.js --moves --json`,
    )
    .action((shape: string, flags: AssessFlags) => runAssess(gameOf(shape, flags.tiles), flags));
}

async function runAssess(game: Game, flags: AssessFlags): Promise<void> {
  if (flags.moves && !canSweep(game.shape)) {
    throw new UsageError(
      "--moves needs every position of the shape; expected one of at most 9 cells, such as 3x3",
    );
  }
  using maker = new PlayerMaker(flags.db);
  using watch = watchInterrupts("stopping; nothing is printed");
  const found = await assessOne(maker, game, flags, watch.signal);
  if (flags.json) printJson<AssessOutput>(found);
  else printLine(assessedAsText(found));
}

async function assessOne(
  maker: PlayerMaker,
  game: Game,
  flags: AssessFlags,
  signal: AbortSignal,
): Promise<AssessOutput> {
  const player = await asked(() => maker.player(flags.player, game));
  using tabulation = tabulationOf(game, flags.db);
  const values = startValues(game, flags.db);
  const sweeps = canSweep(game.shape);
  if (flags.moves && tabulation === undefined) {
    throw new UsageError(
      `--moves needs a tabulation; run gridlock ${commandOf("tabulate", game)} first`,
    );
  }
  if (values.includes(undefined)) {
    const command = commandOf(sweeps ? "tabulate" : "solve", game);
    tell(flags, `note: values are missing; gridlock ${command} finds them`);
  }
  const name = `${player.name} on ${formatShape(game.shape)}`;
  const show = (what: string, unit: string, first: Standing) =>
    showWork(what, unit, first, { signal, quiet: flags.quiet });
  const sweepShown = (display: Display) => ({
    signal,
    onProgress: (progress: AssessProgress) => display.show(standingOf(progress)),
  });
  const boards = starts(game.shape);
  let expected: number | null = null;
  let scores: readonly Scores[];
  if (sweeps) {
    using display = show(name, "positions", steady(0, 0));
    const options = { ...sweepShown(display), memory: sweepMemory(flags.memory) };
    const [found] = (await assess([player], game, options)) as [Assessment];
    expected = found.expected;
    scores = found.starts.map(({ board: _, ...score }) => score);
  } else {
    using display = show(name, "starts", steady(0, boards.length));
    const limits = { seconds: flags.budget, positions: SEARCHED_POSITIONS, signal };
    const onStart = (done: number) => display.show(steady(done, boards.length));
    const found = await searchStarts(player, game, limits, onStart);
    scores = found.map(({ heldTo, heldToWorstTie }) => ({
      heldTo: provenValue(heldTo),
      heldToWorstTie: provenValue(heldToWorstTie),
      ...(isExact(heldTo) ? {} : { atLeast: heldTo.lo }),
      expected: null,
    }));
  }
  const result: AssessOutput = {
    player: player.name,
    ...gameAsJson(game),
    expected,
    optimum: tabulation?.mean("expected") ?? null,
    starts: boards.map((board, i) => ({
      board: formatBoard(asAsked(game, board)),
      value: values[i] ?? null,
      ...(scores[i] as Scores),
    })),
  };
  if (!flags.moves || tabulation === undefined) return result;
  const onItsShape = await maker.player(flags.player, tabulation.game);
  using display = show(`${name}, slides`, "positions", steady(0, 0));
  const [compared] = await compareMoves([onItsShape], tabulation, sweepShown(display));
  const { player: _, ...moves } = compared as MoveComparison;
  return { ...result, moves };
}

/** Opens the tabulation of a game beside a solution database, if there is one. */
function tabulationOf(game: Game, db: string): Tabulation | undefined {
  if (!canTabulate(game.shape)) return undefined;
  try {
    return Tabulation.open(game, ["minimax", "expected"], db);
  } catch (error) {
    if (error instanceof StoreError && error.code === "missing") return undefined;
    throw error;
  }
}

/** Looks up the values of the starts in a database, which need not exist, and the files beside it. */
function startValues({ shape, tiles }: Game, db: string): (number | undefined)[] {
  const sources = { db, readOnly: true, published: false, warn: printError };
  using library = new Library({ ...sources, tableBytes: () => undefined });
  return starts(shape).map((board) => {
    return library.lookUpWorth({ board, turn: "slider", tiles, budget: 0 })?.bound.lo;
  });
}

/** Returns the standing of a sweep; the number of positions is known once all are found. */
function standingOf({ doing, sum, positions, positionsInAll }: AssessProgress): Standing {
  const text = [`${doing} ${formatRough(positions)} positions`, `tile sum ${sum}`];
  return { ...steady(positionsInAll ? positions : 0, positionsInAll ?? 0), text };
}

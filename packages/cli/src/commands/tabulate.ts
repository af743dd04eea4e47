import { resolve } from "node:path";
import { asAsked } from "@gridlock/answers";
import { cellCount, describeGame, formatBoard, type Game, starts } from "@gridlock/game";
import {
  formatBytes,
  formatCount,
  formatEstimate,
  formatPoints,
  formatRough,
  formatSeconds,
  formatTable,
} from "@gridlock/report";
import type { TabulateOutput } from "@gridlock/schemas";
import { statsOf } from "@gridlock/store";
import {
  type Column,
  canTabulate,
  columnFileOf,
  MAX_SWEEP_CELLS,
  Tabulation,
  tabulate,
  type ValueColumn,
} from "@gridlock/tablebase";
import type { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { freeSpace } from "../machine.js";
import { expectTile, gameOf } from "../options/game.js";
import {
  expectFile,
  type GameFlags,
  gameCommand,
  jsonOption,
  sweepMemoryOption,
  workersOption,
} from "../options/options.js";
import { parseTile } from "../options/parse.js";
import { gameAsJson, printError, printJson, printLine, tell } from "../output/print.js";
import { positionsExpected, secondsExpected, tabulationStanding } from "../output/standings.js";
import { type SweepFlags, sweepShown } from "../shown-sweep.js";

interface TabulateFlags extends SweepFlags, GameFlags {
  readonly reach?: number;
  readonly force?: true;
}

/** Cells from which a tabulation prints its estimated cost first. */
const LARGE_CELLS = 10;
/** Bytes of a position in all files: measured on 2×5. */
const POSITION_BYTES = 3.7;

/** Makes the command `gridlock tabulate`. */
export function tabulateCommand(): Command {
  return gameCommand(
    "tabulate",
    "find the value of every position of a shape, against the placer and against chance",
    ["<shape>", `rows x columns, e.g. 3x3; at most ${MAX_SWEEP_CELLS} cells`],
  )
    .addOption(workersOption())
    .addOption(sweepMemoryOption())
    .option(
      "--reach <tile>",
      "also tabulate the probability of making this tile in the ordinary game",
      parseTile,
    )
    .option("--force", "start even if the disk seems too small")
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The value of a position is the score that the slider can force from it. Its expected score is the mean in the
ordinary game, which places a 2 (90 %) or a 4 (10 %) in a random empty cell. The files lie beside the database
(results/gridlock.3x3.positions, .minimax, .expected, .reach-512), where gridlock query looks positions up;
docs/tablebase.md describes their format. Run the same command to resume a tabulation that was stopped or
killed: it checks the files and repairs damage. Only one process at a time can write them.

Examples:
  $ gridlock tabulate 3x3                    half a minute, 180 MB
  $ gridlock tabulate 3x3 --reach 512
  $ gridlock tabulate 2x4 --json | jq .positions`,
    )
    .action(async (shape: string, flags: TabulateFlags) => {
      process.exitCode = await runTabulate(gameOf(shape, flags.tiles), flags);
    });
}

async function runTabulate(game: Game, flags: TabulateFlags): Promise<number> {
  expectFile(flags.db, "tabulate");
  refuseWhatIsTooLarge(game, flags);
  const began = performance.now();
  const { look, update } = tabulationStanding(game, flags.reach === undefined ? 2 : 3);
  const done = await sweepShown(game, flags, look, (options) =>
    tabulate(game, flags.reach, {
      ...options,
      db: flags.db,
      onProgress: update,
      onRepair: printError,
    }),
  );
  if (!done) {
    printError("saved the finished layers; run the same command to resume");
    return EXIT.interrupted;
  }
  print(game, flags, (performance.now() - began) / 1000);
  return EXIT.ok;
}

function refuseWhatIsTooLarge(game: Game, flags: TabulateFlags): void {
  const { db, reach, force } = flags;
  const cells = cellCount(game.shape);
  if (!canTabulate(game.shape)) {
    throw new UsageError(
      `${describeGame(game)} has ${cells} cells and some ${formatRough(positionsExpected(game))} positions (an extrapolation), too many to tabulate; expected a shape of at most ${MAX_SWEEP_CELLS} cells`,
    );
  }
  if (reach !== undefined) expectTile(game, reach);
  if (cells < LARGE_CELLS) return;
  const positions = positionsExpected(game);
  const bytes = positions * POSITION_BYTES;
  const estimate = `${describeGame(game)} has some ${formatRough(positions)} positions: about ${formatBytes(bytes)} of disk and ${formatEstimate(secondsExpected(game))} on two processors`;
  const free = freeSpace(resolve(db));
  const columns: Column[] = ["positions", "minimax", "expected"];
  const sizes = columns.map((column) => statsOf(columnFileOf(db, game, column))?.size ?? 0);
  const there = sizes.reduce((sum, size) => sum + size, 0);
  if (free + there < bytes && !force) {
    throw new UsageError(
      `${estimate}, but only ${formatBytes(free)} is free on the disk of ${db}; use another --db, or --force`,
    );
  }
  tell(flags, estimate);
}

function print(game: Game, flags: TabulateFlags, seconds: number): void {
  const { reach } = flags;
  const columns: ValueColumn[] = ["minimax", "expected"];
  if (reach !== undefined) columns.push({ reach });
  using tabulation = Tabulation.open(game, columns, flags.db);
  const found = starts(game.shape).map((start) => ({
    board: formatBoard(asAsked(game, start)),
    value: tabulation.value("minimax", start),
    expected: tabulation.value("expected", start),
    ...(reach === undefined ? {} : { chance: tabulation.value({ reach }, start) }),
  }));
  const { positions, terminal, afterstates } = tabulation.counts();
  const { bytes } = tabulation;
  const expected = tabulation.mean("expected");
  const chance = reach === undefined ? undefined : tabulation.mean({ reach });
  if (flags.json) {
    printJson<TabulateOutput>({
      ...gameAsJson(game),
      positions,
      terminal,
      afterstates,
      seconds,
      bytes,
      expected,
      ...(reach === undefined || chance === undefined ? {} : { reach: { tile: reach, chance } }),
      starts: found,
    });
    return;
  }
  printLine(
    formatTable(found, [
      ["start", ({ board }) => board],
      ["value", ({ value }) => String(value), "right"],
      ["expected", ({ expected }) => formatPoints(expected), "right"],
      reach ? [`chance of ${reach}`, ({ chance }) => chance?.toFixed(6), "right"] : undefined,
    ]),
  );
  printLine(
    `\nThe ordinary game, from two random tiles: ${formatPoints(expected)} points expected${chance === undefined ? "" : `, ${reach} with probability ${chance.toFixed(6)}`}.`,
  );
  tell(
    flags,
    `${formatCount(positions)} positions, ${formatCount(terminal)} of them terminal, and ${formatCount(afterstates)} afterstates in ${formatSeconds(seconds)}; ${formatBytes(bytes)}, ${((8 * bytes) / positions).toFixed(1)} bits a position`,
  );
}

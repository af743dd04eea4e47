import {
  afterstatesOf,
  Grid,
  KeyIndex,
  type PositionValues,
  valueAfterstates,
} from "@gridlock/enumeration";
import {
  type Board,
  formatBoard,
  type Game,
  packBoard,
  seededRandom,
  unpackBoard,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { Lbhsv } from "@gridlock/lab";
import { Database } from "@gridlock/store";
import { Tabulation, valueOfNode } from "@gridlock/tablebase";
import { positionsIn, positionsOfLayer } from "./positions.js";

const TABLE_BYTES = 2 ** 29;
const CACHE_BYTES = 2 ** 30;
/** Most disagreements of each kind to report. */
const REPORTED = 5;

/** Options of a cross-check. */
export interface CrossCheckOptions {
  /** A database in which the game is solved, with its tabulation beside it. */
  readonly db: string;
  /** Approximate number of positions to check. Default: all. */
  readonly sample?: number | undefined;
  readonly seed: number;
}

/** Counts agreements of claims with values. */
class Tally {
  checked = 0;
  wrong = 0;
  /** The first disagreements, as sentences. */
  readonly disagreements: string[] = [];

  constructor(readonly what: string) {}

  check(agrees: boolean, describe: () => string): void {
    this.checked++;
    if (agrees) return;
    this.wrong++;
    if (this.disagreements.length < REPORTED) this.disagreements.push(describe());
  }
}

/**
 * Compares the values of a tabulation with results of other origin: the kernel's answers for the
 * same positions; the static lower bounds of all afterstates, both the kernel's and the sound form
 * of the paper's LBHSV; and the bounds that a solve stored in the database.
 *
 * @returns the counts of the tabulation, the score that the best slider expects from two random tiles
 *   in the ordinary game, the tallies, and the number of afterstates on which LBHSV as printed exceeds
 *   the value, with the largest excess in points
 */
export function crossCheck(game: Game, { db, sample, seed }: CrossCheckOptions) {
  using tabulation = Tabulation.open(game, ["minimax", "expected"], db, CACHE_BYTES);
  const { least, most } = tableLimits(game, 1);
  const bytes = Math.max(least, Math.min(most, TABLE_BYTES));
  const kernel = new Kernel(createTable(game, bytes, 1), 0);
  const part = sample === undefined ? 1 : sample / tabulation.positions.count;
  const random = seededRandom(seed);
  const checked = positionsIn(tabulation, () => part >= 1 || random() < part);
  const proven = checkProofs(tabulation, kernel, checked);
  const { earned, sound, printed } = checkStaticBounds(tabulation, kernel);
  const stored = checkStored(tabulation, db);
  return {
    counts: tabulation.counts(),
    expected: tabulation.mean("expected"),
    tallies: [proven, earned, sound, stored],
    printed,
  };
}

function checkProofs(tabulation: Tabulation, kernel: Kernel, all: Iterable<Board>): Tally {
  const proven = new Tally("kernel");
  const { highestThreshold } = kernel;
  for (const board of all) {
    const value = tabulation.value("minimax", board);
    const node = { turn: "slider", board: packBoard(board) } as const;
    const lo = value === 0 ? 0 : kernel.ask(node, value)?.lo;
    const hi = value + 4 > highestThreshold ? value : kernel.ask(node, value + 4)?.hi;
    proven.check(
      lo === value && hi === value,
      () => `${formatBoard(board)}: ${value}, not ${lo} … ${hi}`,
    );
  }
  return proven;
}

function checkStaticBounds(tabulation: Tabulation, kernel: Kernel) {
  const earned = new Tally("static lower bound");
  const sound = new Tally("sound LBHSV");
  const grid = new Grid(tabulation.game.shape);
  const soundForm = new Lbhsv(grid, "sound");
  const printedForm = new Lbhsv(grid, "printed");
  const printed = { exceeds: 0, mostExcess: 0 };
  for (const { code, value } of valuedAfterstates(tabulation, grid)) {
    const board = grid.decode(code);
    const hold = (tally: Tally, claimed: number) =>
      tally.check(
        claimed <= value,
        () => `${formatBoard(board, "placer")}: ${value}, not ${claimed}`,
      );
    hold(earned, kernel.surelyEarned(packBoard(board)));
    hold(sound, soundForm.hSearch(code));
    const excess = printedForm.hSearch(code) - value;
    if (excess > 0) printed.exceeds++;
    printed.mostExcess = Math.max(printed.mostExcess, excess);
  }
  const { afterstates } = tabulation.counts();
  if (sound.checked !== afterstates) {
    throw new Error(`there are ${afterstates} afterstates, of which ${sound.checked} were checked`);
  }
  return { earned, sound, printed };
}

/**
 * Values the canonical afterstates of a tabulated game from its positions' values, each once, as
 * codes of a grid.
 */
function* valuedAfterstates(
  tabulation: Tabulation,
  grid: Grid,
): Generator<{ code: number; value: number }> {
  const above = new Map<number, PositionValues>();
  for (const layer of tabulation.layers.toReversed()) {
    const index = new KeyIndex(layer.positions);
    const values = new Float64Array(layer.positions);
    for (const board of positionsOfLayer(tabulation, layer)) {
      const number = index.add(grid.encode(board));
      values[number] = tabulation.value("minimax", board);
    }
    const afterstates = afterstatesOf(grid, index.keys());
    const targets = tabulation.game.tiles.map(
      (tile) => above.get(layer.sum + tile) as PositionValues,
    );
    const worths = new Float64Array(afterstates.length);
    valueAfterstates(grid, afterstates, { means: 0, count: 1 }, targets, worths);
    for (const [i, code] of afterstates.entries()) yield { code, value: worths[i] as number };
    above.set(layer.sum, { index, values });
    above.delete(layer.sum + 4);
  }
}

function checkStored(tabulation: Tabulation, db: string): Tally {
  using database = Database.open(db, { readOnly: true });
  const tally = new Tally("database");
  for (const { turn, board: packed, lo, hi } of database.bounds(tabulation.game).all()) {
    const board = unpackBoard(tabulation.game.shape, packed);
    const value = valueOfNode(tabulation, "minimax", { board, turn });
    if (value === undefined) continue; // asked about, but not reached by play
    tally.check(
      lo <= value && value <= hi,
      () => `${formatBoard(board, turn)}: ${value}, not ${lo} … ${hi}`,
    );
  }
  return tally;
}

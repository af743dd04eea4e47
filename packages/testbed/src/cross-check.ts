import {
  canonical,
  formatBoard,
  type Game,
  packBoard,
  seededRandom,
  slides,
  unpackBoard,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { Database } from "@gridlock/store";
import { Tabulation, valueOfNode } from "@gridlock/tablebase";
import { positionsIn } from "./positions.js";

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
 * same positions; its static lower bounds of the afterstates of their slides; and the bounds that a
 * solve stored in the database.
 *
 * @returns the counts of the tabulation, the score that the best slider expects from two random tiles
 *   in the ordinary game, and the tallies
 */
export function crossCheck(game: Game, { db, sample, seed }: CrossCheckOptions) {
  using tabulation = Tabulation.open(game, ["minimax", "expected"], db, CACHE_BYTES);
  const { least, most } = tableLimits(game, 1);
  const bytes = Math.max(least, Math.min(most, TABLE_BYTES));
  const kernel = new Kernel(createTable(game, bytes, 1), 0);
  const { highestThreshold } = kernel;
  const part = sample === undefined ? 1 : sample / tabulation.positions.count;
  const random = seededRandom(seed);
  const proven = new Tally("kernel");
  const earned = new Tally("static lower bound");
  for (const board of positionsIn(tabulation, () => part >= 1 || random() < part)) {
    const value = tabulation.value("minimax", board);
    const node = { turn: "slider", board: packBoard(board) } as const;
    const lo = value === 0 ? 0 : kernel.ask(node, value)?.lo;
    const hi = value + 4 > highestThreshold ? value : kernel.ask(node, value + 4)?.hi;
    proven.check(
      lo === value && hi === value,
      () => `${formatBoard(board)}: ${value}, not ${lo} … ${hi}`,
    );
    for (const slide of slides(board)) {
      const after = canonical(slide.board);
      const worth = valueOfNode(tabulation, "minimax", { board: after, turn: "placer" }) ?? 0;
      const claimed = kernel.surelyEarned(packBoard(after));
      earned.check(
        claimed <= worth,
        () => `${formatBoard(after, "placer")}: ${worth}, not ${claimed}`,
      );
    }
  }
  return {
    counts: tabulation.counts(),
    expected: tabulation.mean("expected"),
    tallies: [proven, earned, checkStored(tabulation, db)],
  };
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

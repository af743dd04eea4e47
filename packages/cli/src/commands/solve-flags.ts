import { existsSync } from "node:fs";
import {
  type Board,
  canonical,
  cellCount,
  describeGame,
  formatBoard,
  formatShape,
  type Game,
  isExact,
  normalShape,
  readBoard,
  sameBoard,
  starts,
} from "@gridlock/game";
import { formatBytes, formatEstimate, formatRough } from "@gridlock/report";
import { type Effort, estimate, type StartBound, whyNoKernel } from "@gridlock/solver";
import { snapshotFileOf } from "@gridlock/store";
import { canTabulate } from "@gridlock/tablebase";
import { UsageError } from "../exit.js";
import type { ServiceFlags } from "../options/cluster.js";
import { commandOf } from "../options/game.js";
import type { GameFlags } from "../options/options.js";
import { tell } from "../output/print.js";
import { secondsExpected } from "../output/standings.js";

/** Options of `gridlock solve`. */
export interface SolveFlags extends GameFlags, ServiceFlags {
  readonly workers: number;
  /** Bytes of the process. */
  readonly memory?: number;
  readonly seed?: number;
  readonly guess?: number;
  /** The board of the only start to solve. */
  readonly start?: string;
  /** That start in canonical form. */
  readonly only?: Board;
  readonly snapshotEvery: number;
  /** True if everything known of the game is forgotten first. */
  readonly fresh?: true;
  readonly yes?: true;
  readonly force?: true;
  /** Seconds after which the solve stops. */
  readonly for?: number;
  readonly lowerBounds?: true;
  readonly goal?: number;
  readonly withoutBound?: true;
  readonly otherOrder?: true;
  /** True if what the workers of a Redis server claim is proven and checked. */
  readonly verify?: true;
}

/** The result of a run. */
export interface SolveResult {
  readonly state: readonly StartBound[];
  readonly spent: Effort;
  readonly interrupted: boolean;
}

/** The notice of a solve that is interrupted. */
export const STOPPING = "stopping after saving what is proven; Ctrl-C again stops at once";

/** Bytes of table beyond which a solve needs `--force`. */
const LARGE_TABLE_BYTES = 32 * 2 ** 30;

/**
 * Reads the board of --start.
 *
 * @returns the start in canonical form
 */
export function onlyStart(game: Game, text: string | undefined): Board | undefined {
  if (text === undefined) return undefined;
  const { board, turn } = readBoard(text, { shape: game.shape });
  const start = canonical(board);
  const isStart = starts(normalShape(game.shape)).some((each) => sameBoard(canonical(each), start));
  if (turn === "slider" && isStart) return start;
  throw new UsageError(
    `${formatBoard(board, turn)} is not a start; expected a board of ${formatShape(game.shape)} with two tiles, each 2 or 4, and the slider to move`,
  );
}

/** Refuses a confirmation that would resume from the results it is to confirm. */
export function refuseWhatConfirmsNothing(
  game: Game,
  known: readonly StartBound[],
  db: string,
): void {
  const isKnown = known.some(({ bound }) => bound.lo > 0 || isExact(bound));
  if (!(isKnown || existsSync(snapshotFileOf(db, game)))) return;
  throw new UsageError(
    `${db} already has results of ${describeGame(game)}, so nothing would be confirmed; use another --db, or --fresh`,
  );
}

/** Refuses a shape that is out of reach, with an estimate of its cost, unless the user insists. */
export function refuseWhatIsOutOfReach(game: Game, force: boolean): void {
  const { nodes, tableBytes, seconds } = estimate(game.shape);
  const reason = whyNoKernel(game);
  if (tableBytes > LARGE_TABLE_BYTES && !force) {
    throw new UsageError(
      `${describeGame(game)} would take some ${formatRough(nodes)} positions and afterstates (an extrapolation): about ${formatEstimate(seconds)} on one thread and ${formatBytes(tableBytes)} of table. It needs --force${reason ? `, and more than this version has: ${reason}` : ""}`,
    );
  }
  if (reason) throw new UsageError(reason);
}

/** Cells from which a search with 2s only did not end: a start of 2×5 takes over 1,000 M nodes. */
const ENDLESS_CELLS = 10;

/** Tells a user who solves a game with 2s only that a tabulation may be much faster. */
export function adviseTabulation(game: Game, flags: { readonly quiet?: true }): void {
  const isHard = game.tiles.length === 1 && cellCount(game.shape) >= ENDLESS_CELLS;
  if (!isHard || !canTabulate(game.shape)) return;
  tell(
    flags,
    `note: a search with 2s only can take days; gridlock ${commandOf("tabulate", game)} finds all values in about ${formatEstimate(secondsExpected(game))} on two processors`,
  );
}

import { cellCount, type Game, isExact, largestTileSum, mostPointsToCome } from "@gridlock/game";
import { allNodes } from "@gridlock/kernel";
import { formatCount, formatRough } from "@gridlock/report";
import {
  type CertifyProgress,
  estimate,
  type JobPort,
  type LowerPlan,
  partOfSearch,
  type StartBound,
  secondsLeft,
  type WarmProgress,
} from "@gridlock/solver";
import type { TabulationProgress } from "@gridlock/tablebase";
import type { Progress } from "@gridlock/verify";
import { type Standing, steady } from "./display.js";
import { FIRST_SECONDS } from "./pace.js";
import { printError } from "./print.js";

const MIB = 2 ** 20;

/** Returns the standing of a table that is being made, and filled with earlier results. */
export function warmingStanding(progress: WarmProgress | undefined): Standing {
  if (progress === undefined) return { done: 0, total: 0, text: "making the table" };
  if ("made" in progress) {
    const [done, total] = [Math.floor(progress.made / MIB), Math.floor(progress.bytes / MIB)];
    return { unit: "MiB", done, total, text: "making the table", part: done / total };
  }
  if ("bounds" in progress) {
    const text = ["loading the database", `${formatCount(progress.bounds)} bounds`];
    return { done: 0, total: 0, text };
  }
  const { loaded: done, entries: total } = progress;
  return { unit: "entries", done, total, text: "loading the snapshot", part: done / total };
}

/**
 * Follows the search of a game. Between updates it reads the node counts of the port, since a
 * question can take long.
 *
 * @param before nodes that earlier runs have expanded
 */
export function searchStanding(
  { shape }: Game,
  starts: readonly StartBound[],
  port: Pick<JobPort, "counts">,
  before: number,
) {
  const began = performance.now();
  let latest = starts;
  let asked: LowerPlan | undefined;
  /** Nodes that were expanded for other questions than `asked`. */
  let others = 0;
  return {
    update(starts: readonly StartBound[]): void {
      latest = starts;
    },
    /** Follows a search for lower bounds: from now on, this question. */
    plan(plan: LowerPlan): void {
      if (plan.threshold === asked?.threshold && plan.kind === asked.kind) return;
      asked = plan;
      others = allNodes(port.counts()) - plan.spent;
    },
    look(): Standing {
      const total = latest.length;
      const nodes = allNodes(port.counts());
      const seconds = (performance.now() - began) / 1000;
      const rate = nodes / Math.max(seconds, 1e-3);
      const pace = seconds >= FIRST_SECONDS ? rate : 0;
      const textOf = (...text: string[]) => (nodes === 0 ? "starting the search" : text);
      if (asked === undefined) {
        const open = latest.filter(({ bound }) => !isExact(bound));
        return {
          done: total - open.length,
          total,
          text: textOf(`${formatRough(nodes)} nodes, ${formatRough(rate)}/s`, ...rangeOf(open)),
          part: partOfSearch(shape, before + nodes),
          left: secondsLeft(shape, before + nodes, pace) ?? null,
        };
      }
      const { threshold, nodes: needed } = asked;
      const spent = nodes - others;
      const of = needed === undefined ? "" : ` of some ${formatRough(needed)}`;
      return {
        done: latest.filter(({ bound }) => bound.lo >= threshold).length,
        total,
        text: textOf(
          `${formatRough(spent)}${of} nodes for ${threshold} points`,
          `${formatRough(rate)}/s`,
        ),
        part: needed === undefined ? 0 : Math.min(spent / needed, MOST_PART),
        left: needed !== undefined && pace > 0 && spent < needed ? (needed - spent) / pace : null,
      };
    },
  };
}

/** Describes the interval of any open values; an upper bound from the rules alone says nothing. */
function rangeOf(open: readonly StartBound[]): string[] {
  if (open.length === 0) return [];
  const lo = Math.min(...open.map(({ bound }) => bound.lo));
  const hi = Math.max(...open.map(({ bound }) => bound.hi));
  const isKnown = open.every(({ board, bound }) => bound.hi < mostPointsToCome(board));
  return [isKnown ? `values of ${lo} to ${hi}` : `values of at least ${lo}`];
}

/** Claims for each node that a search is estimated to expand: 0.3 (2×5) to 1 (3×3) as measured. */
const CLAIMS_PER_NODE = 0.5;
/** Part of the most waiting boards below which few are added: the largest layer is past. */
const PAST_PEAK = 0.8;

/**
 * Follows a certificate that is being made.
 *
 * @param lowerBounds true if it is not one of values, so that the cost of the shape says nothing of
 *   it
 */
export function certificateStanding({ shape }: Game, lowerBounds = false) {
  const least = lowerBounds ? 0 : CLAIMS_PER_NODE * estimate(shape).nodes;
  let latest: Exclude<CertifyProgress, { note: string }> | undefined;
  let mostWaiting = 0;
  return {
    update(progress: CertifyProgress): void {
      if ("note" in progress) {
        printError(progress.note);
        return;
      }
      latest = progress;
      if ("waiting" in progress) mostWaiting = Math.max(mostWaiting, progress.waiting);
    },
    look(): Standing {
      if (latest === undefined) return { done: 0, total: 0, text: "reading what is stored" };
      if (!("waiting" in latest)) return warmingStanding(latest);
      const { tileSum, claims, waiting, nodes } = latest;
      const total = claims + waiting;
      const isPastPeak = waiting < PAST_PEAK * mostWaiting;
      const expected = isPastPeak ? total : Math.max(total + waiting, least);
      const text = [`tile sum ${tileSum}`, `${formatRough(nodes)} nodes`];
      return { done: claims, total, text, part: claims / expected };
    },
  };
}

/** Positions of ten cells (2×5), by tiles, and their growth with each further cell (3×3 to 2×5). */
const POSITIONS_OF_TEN_CELLS = { both: 1.8e9, twos: 2.2e8 };
const GROWTH_PER_CELL = 37;
/** Positions a second on two threads, with 2s and 4s and with 2s only: measured on 2×5. */
const POSITIONS_PER_SECOND = { both: 1e6, twos: 1.2e6 };
/** Cells from which the extrapolation is good enough to estimate a time. */
const ESTIMATED_CELLS = 9;
/** There may be more positions, and a question may take more nodes, than expected. */
const MOST_PART = 0.95;

/** Extrapolates the number of positions that play can reach on a shape. */
export function positionsExpected({ shape, tiles }: Game): number {
  const { both, twos } = POSITIONS_OF_TEN_CELLS;
  return (tiles.length === 1 ? twos : both) * GROWTH_PER_CELL ** (cellCount(shape) - 10);
}

/** Estimates the seconds of a tabulation on two threads. */
export function secondsExpected(game: Game): number {
  const { both, twos } = POSITIONS_PER_SECOND;
  return positionsExpected(game) / (game.tiles.length === 1 ? twos : both);
}

/** Follows a tabulation: some sweeps over all layers, the first of which finds the positions. */
export function tabulationStanding(game: Game, sweeps: number) {
  const layers = largestTileSum(game.shape) / 2 - 1; // those of the sums 4, 6, 8, …
  const total = sweeps * layers;
  let sweep = 0;
  let latest: TabulationProgress | undefined;

  /** Returns the part of all sweeps done, by positions; `undefined` while the number is unknown. */
  function partDone({ positions, positionsInAll }: TabulationProgress): number | undefined {
    if (positionsInAll !== undefined) return (sweep + positions / positionsInAll) / sweeps;
    if (cellCount(game.shape) < ESTIMATED_CELLS) return undefined;
    return Math.min(positions / positionsExpected(game), MOST_PART) / sweeps;
  }

  return {
    update(progress: TabulationProgress): void {
      const isNext = latest !== undefined && progress.layers <= latest.layers;
      if (isNext || (sweep === 0 && progress.doing === "values")) sweep++;
      latest = progress;
    },
    look(): Standing {
      if (latest === undefined) return { done: 0, total, text: "checking the files" };
      const { doing, sum, positions } = latest;
      const verb = doing === "positions" ? "finding" : "valuing";
      return {
        done: sweep * layers + latest.layers,
        total,
        part: partDone(latest),
        text: [verb, `${formatRough(positions)} positions`, `tile sum ${sum}`],
      };
    },
  };
}

/** Follows a check of claims. */
export function checkStanding() {
  const began = performance.now();
  return ({ checked, total }: Progress): Standing => {
    const rate = checked / ((performance.now() - began) / 1000);
    return { ...steady(checked, total), text: checked === 0 ? [] : `${formatRough(rate)}/s` };
  };
}

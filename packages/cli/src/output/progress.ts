import { describeGame, type Game, isExact, mostPointsToCome } from "@gridlock/game";
import { formatRough } from "@gridlock/report";
import { estimate, type JobPort, partOfSearch, type StartBound } from "@gridlock/solver";
import { type Display, type DisplayOptions, showWork } from "./display.js";

/** Displays the progress of a solve on standard error. */
export interface ProgressDisplay extends Display {
  update(starts: readonly StartBound[]): void;
}

/** Describes progress: nodes, nodes per second, and what is known of the open values. */
function describe(starts: readonly StartBound[], nodes: number, seconds: number): string[] {
  if (nodes === 0) return ["starting the search"];
  const rate = formatRough(nodes / Math.max(seconds, 1e-3));
  const open = starts.filter(({ bound }) => !isExact(bound));
  const known = open.length === 0 ? [] : [rangeOf(open)];
  return [`${formatRough(nodes)} nodes, ${rate}/s`, ...known];
}

/** Describes the interval of the open values; an upper bound that only the rules give says nothing. */
function rangeOf(open: readonly StartBound[]): string {
  const lo = Math.min(...open.map(({ bound }) => bound.lo));
  const hi = Math.max(...open.map(({ bound }) => bound.hi));
  const isKnown = open.every(({ board, bound }) => bound.hi < mostPointsToCome(board));
  return isKnown ? `values of ${lo} to ${hi}` : `values of at least ${lo}`;
}

/**
 * Displays the progress of a solve from these starts. Between updates it reads the node counts of the port, since a
 * question can take long.
 *
 * @param before nodes that earlier runs have expanded
 */
export function showProgress(
  game: Game,
  starts: readonly StartBound[],
  port: Pick<JobPort, "counts">,
  options: DisplayOptions,
  before: number,
): ProgressDisplay {
  const began = performance.now();
  let latest = starts;
  const look = () => {
    const { positions, afterstates } = port.counts();
    const ownNodes = positions + afterstates;
    const nodes = before + ownNodes;
    return {
      done: latest.filter(({ bound }) => isExact(bound)).length,
      total: latest.length,
      text: describe(latest, ownNodes, (performance.now() - began) / 1000),
      part: partOfSearch(game.shape, nodes),
      // Past the estimate, as when several workers search the same, nothing is known of the rest.
      ...(nodes > estimate(game.shape).nodes && { left: null }),
    };
  };
  return {
    ...showWork(describeGame(game), "starts", look, options),
    update(now) {
      latest = now;
    },
  };
}

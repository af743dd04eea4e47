import { describeGame, type Game, isExact, mostPointsToCome } from "@gridlock/game";
import { formatRough } from "@gridlock/report";
import {
  estimate,
  type JobPort,
  type Progress,
  partOfSearch,
  type StartBound,
} from "@gridlock/solver";
import { type Display, type DisplayOptions, showWork } from "./display.js";

/** Displays the progress of a solve on standard error. */
export interface ProgressDisplay extends Display {
  update(progress: Progress): void;
}

/** Describes progress: nodes, nodes per second, and what is known of the open values. */
function describe(progress: Progress, seconds: number): string[] {
  const { positions, afterstates } = progress.counts;
  const nodes = positions + afterstates;
  if (nodes === 0) return ["starting the search"];
  const rate = formatRough(nodes / Math.max(seconds, 1e-3));
  const open = progress.starts.filter(({ bound }) => !isExact(bound));
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
  const solved = starts.filter(({ bound }) => isExact(bound)).length;
  let latest: Progress = { starts, solved, questions: 0, counts: port.counts() };
  const look = () => {
    const counts = port.counts();
    const nodes = before + counts.positions + counts.afterstates;
    return {
      done: latest.solved,
      total: latest.starts.length,
      text: describe({ ...latest, counts }, (performance.now() - began) / 1000),
      part: partOfSearch(game.shape, nodes),
      // Past the estimate, as when several workers search the same, nothing is known of the rest.
      ...(nodes > estimate(game.shape).nodes && { left: null }),
    };
  };
  return {
    ...showWork(describeGame(game), "starts", look, options),
    update(progress) {
      latest = progress;
    },
  };
}

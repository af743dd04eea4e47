import { describeGame, type Game, isExact } from "@gridlock/game";
import { formatBound, formatRough } from "@gridlock/report";
import {
  estimate,
  type JobPort,
  type Progress,
  partOfSearch,
  type StartBound,
} from "@gridlock/solver";
import { type Display, showWork } from "./display.js";

/** Displays the progress of a solve on standard error. */
export interface ProgressDisplay extends Display {
  update(progress: Progress): void;
}

/** Describes progress: the interval of the open values, questions answered, nodes, nodes per second. */
function describe(progress: Progress, seconds: number): string {
  const { positions, afterstates } = progress.counts;
  const nodes = positions + afterstates;
  const parts = [
    `${progress.questions} asked`,
    `${formatRough(nodes)} nodes`,
    `${formatRough(nodes / Math.max(seconds, 1e-3))}/s`,
  ];
  const open = progress.starts.filter(({ bound }) => !isExact(bound));
  if (open.length > 0) {
    const lo = Math.min(...open.map(({ bound }) => bound.lo));
    const hi = Math.max(...open.map(({ bound }) => bound.hi));
    parts.unshift(`open ${formatBound({ lo, hi })}`);
  }
  return parts.join(", ");
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
  signal: AbortSignal,
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
    ...showWork(describeGame(game), "starts", look, { signal }),
    update(progress) {
      latest = progress;
    },
  };
}

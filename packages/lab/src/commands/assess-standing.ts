import type { Standing } from "@gridlock/cli/command";
import { type Game, largestTileSum } from "@gridlock/game";
import { formatRough } from "@gridlock/report";
import type { AssessProgress } from "../exact/reach.js";

/** Part of the time that finding the positions takes: measured with `emr` on 3×3. */
const FINDING_PART = 0.7;

/**
 * Returns the standing of an assessment: a sweep back over all layers that values positions, and one
 * before it that finds them.
 *
 * @param finds true if a sweep finds the positions first
 * @param latest its latest progress, if it has made any
 */
export function assessStanding(
  game: Game,
  finds: boolean,
  latest: AssessProgress | undefined,
): Standing {
  const layers = largestTileSum(game.shape) / 2 - 1; // those of the sums 4, 6, 8, …
  const total = (finds ? 2 : 1) * layers;
  if (latest === undefined) return { done: 0, total };
  const { doing, sum, positions, positionsInAll } = latest;
  const passed = sum / 2 - 1;
  const finding = finds ? FINDING_PART : 0;
  return {
    done: doing === "finding" ? passed : total - passed,
    total,
    text: [doing, `${formatRough(positions)} positions`, `tile sum ${sum}`],
    part:
      positionsInAll === undefined
        ? (finding * passed) / layers
        : finding + (1 - finding) * (positions / positionsInAll),
  };
}

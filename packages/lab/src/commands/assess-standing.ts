import type { Standing } from "@gridlock/cli/command";
import { type Game, largestTileSum } from "@gridlock/game";
import { formatRough } from "@gridlock/report";
import type { AssessProgress } from "../exact/reach.js";

/** Part of the time that finding the positions takes: measured with `emr` on 3×3. */
const FINDING_PART = 0.7;

/** The standing of an assessment: a sweep back over all layers that values positions, and one before it that finds them. */
export class AssessStanding {
  readonly #layers: number;
  readonly #finds: boolean;
  #latest: AssessProgress | undefined;

  /** @param finds true if a sweep finds the positions first */
  constructor(game: Game, finds: boolean) {
    this.#layers = largestTileSum(game.shape) / 2 - 1; // those of the sums 4, 6, 8, …
    this.#finds = finds;
  }

  update(progress: AssessProgress): void {
    this.#latest = progress;
  }

  look(): Standing {
    const total = (this.#finds ? 2 : 1) * this.#layers;
    if (this.#latest === undefined) return { done: 0, total };
    const { doing, sum, positions, positionsInAll } = this.#latest;
    const passed = sum / 2 - 1;
    const finding = this.#finds ? FINDING_PART : 0;
    return {
      done: doing === "finding" ? passed : total - passed,
      total,
      text: [doing, `${formatRough(positions)} positions`, `tile sum ${sum}`],
      part:
        positionsInAll === undefined
          ? (finding * passed) / this.#layers
          : finding + (1 - finding) * (positions / positionsInAll),
    };
  }
}

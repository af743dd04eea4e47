import { cellCount, type Game, largestTileSum } from "@gridlock/game";
import { formatRough } from "@gridlock/report";
import type { TabulationProgress } from "@gridlock/tablebase";
import type { Standing } from "./display.js";

/** Positions of a shape of ten cells (2×5), with 2s and 4s and with 2s only, and their growth with each further cell (3×3 to 2×5). */
const POSITIONS_OF_TEN_CELLS = { both: 1.8e9, twos: 2.2e8 };
const GROWTH_PER_CELL = 37;
/** Cells from which the extrapolation is good enough to estimate a time. */
const ESTIMATED_CELLS = 9;
/** There may be more positions than expected. */
const MOST_PART = 0.95;

/** Extrapolates the number of positions that play can reach on a shape. */
export function positionsExpected({ shape, tiles }: Game): number {
  const { both, twos } = POSITIONS_OF_TEN_CELLS;
  return (tiles.length === 1 ? twos : both) * GROWTH_PER_CELL ** (cellCount(shape) - 10);
}

/** Positions a second on two threads, with 2s and 4s and with 2s only: measured on 2×5. */
const POSITIONS_PER_SECOND = { both: 1e6, twos: 1.2e6 };

/** Estimates the seconds of a tabulation on two threads. */
export function secondsExpected(game: Game): number {
  const { both, twos } = POSITIONS_PER_SECOND;
  return positionsExpected(game) / (game.tiles.length === 1 ? twos : both);
}

/** The standing of a tabulation: some sweeps over all layers, the first of which finds the positions. */
export class TabulationStanding {
  readonly #game: Game;
  readonly #layers: number;
  readonly #sweeps: number;
  #sweep = 0;
  #latest: TabulationProgress | undefined;

  constructor(game: Game, sweeps: number) {
    this.#game = game;
    this.#layers = largestTileSum(game.shape) / 2 - 1; // those of the sums 4, 6, 8, …
    this.#sweeps = sweeps;
  }

  update(progress: TabulationProgress): void {
    const before = this.#latest;
    const next = before !== undefined && progress.layers <= before.layers;
    if (next || (this.#sweep === 0 && progress.doing === "values")) this.#sweep++;
    this.#latest = progress;
  }

  look(): Standing {
    const total = this.#sweeps * this.#layers;
    if (this.#latest === undefined) return { done: 0, total, text: "checking the files" };
    const { layers, doing, sum, positions } = this.#latest;
    return {
      done: this.#sweep * this.#layers + layers,
      total,
      text: [
        doing === "positions" ? "finding" : "valuing",
        `${formatRough(positions)} positions`,
        `tile sum ${sum}`,
      ],
      part: this.#part(this.#latest),
    };
  }

  /** The part of all sweeps that is done, by positions; `undefined` while their number is not known. */
  #part({ positions, positionsInAll }: TabulationProgress): number | undefined {
    if (positionsInAll !== undefined)
      return (this.#sweep + positions / positionsInAll) / this.#sweeps;
    if (cellCount(this.#game.shape) < ESTIMATED_CELLS) return undefined;
    return Math.min(positions / positionsExpected(this.#game), MOST_PART) / this.#sweeps;
  }
}

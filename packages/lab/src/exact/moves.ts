import {
  cellPlaces,
  DIRECTIONS,
  formatBoard,
  mapDirection,
  type Shape,
  symmetriesOf,
} from "@gridlock/game";
import type { Player } from "@gridlock/players";
import type { AssessOutput } from "@gridlock/schemas";
import { type Tabulation, tileChances } from "@gridlock/tablebase";
import { ALL_SLIDES, EVERY_SLIDE, Grid, ILLEGAL } from "../enumeration/grid.js";
import type { Layer } from "../enumeration/layers.js";
import { type Columns, SLIDES, sweepBack } from "../enumeration/sweep-back.js";
import { Pauses } from "../pauses.js";
import { Policies } from "./policies.js";
import type { AssessOptions } from "./reach.js";

/** A player's slides compared with the best ones, over all positions that have a legal slide. */
export type MoveComparison = { readonly player: string } & NonNullable<AssessOutput["moves"]>;

/** The quality of slides in one of the two games; a random choice counts by its probabilities. */
export type MoveQuality = MoveComparison["againstPlacer"];

/** Largest difference of expected scores, in points, that counts as rounding. */
const ROUNDING = 1e-6;

/** Options of a comparison. */
export interface CompareOptions extends Pick<AssessOptions, "signal" | "onProgress"> {
  /**
   * True if players that are not symmetric are asked about all images of a position, whose average
   * then counts, and not about the canonical image alone; default: true.
   */
  readonly allImages?: boolean;
}

/**
 * Compares players' slides with the best ones in every position of a tabulated shape that has a
 * legal slide, in one sweep backward. Positions are counted up to symmetry.
 *
 * @throws {PlayerError} if a player's choice is not valid
 * @throws {StoreError} `damaged` if a block of the tabulation's positions is
 */
export async function compareMoves(
  players: readonly Player[],
  tabulation: Tabulation,
  { signal, onProgress, allImages = true }: CompareOptions = {},
): Promise<MoveComparison[]> {
  const { game } = tabulation;
  const grid = new Grid(game.shape);
  const policies = new Policies(players, game.shape);
  const images = imagesOf(game.shape, allImages && players.some(({ isSymmetric }) => !isSymmetric));
  const tallies = players.map(() => ({ placer: newTally(), chance: newTally() }));
  const image = new Uint8Array(grid.cells);
  const positionsInAll = tabulation.counts().positions;
  let valued = 0;
  let compared = 0;

  /** Asks the players about all images of a position, and counts the cost of their slides. */
  const compare = (code: number, minimax: readonly number[], expected: readonly number[]) => {
    const [bestMinimax, bestExpected] = [Math.max(...minimax), Math.max(...expected)];
    compared++;
    const cells = grid.exponents(code);
    for (const { places, directions } of images) {
      for (let cell = 0; cell < image.length; cell++) {
        image[places[cell] as number] = cells[cell] as number;
      }
      const { weights, totals } = policies.profile(policies.ask(image));
      tallies.forEach(({ placer, chance }, player) => {
        for (let slide = 0; slide < SLIDES; slide++) {
          const weight = weights[SLIDES * player + (directions[slide] as number)] as number;
          if (weight === 0) continue;
          const probability = weight / (totals[player] as number);
          count(placer, probability, bestMinimax - (minimax[slide] as number), code);
          count(chance, probability, bestExpected - (expected[slide] as number), code);
        }
      });
    }
  };

  /** The optimum: the expected score of the ordinary game, and the value against the placer. */
  const columns: Columns<Layer> = {
    means: 1,
    count: 2,
    slidesOf: () => EVERY_SLIDE,
    value({ positions }, n, slides, values) {
      const worths = (column: number) =>
        ALL_SLIDES.map((slide) => {
          const score = slides.score(slide);
          return score === ILLEGAL ? ILLEGAL : score + slides.after(slide, column);
        });
      const [expected, minimax] = [worths(0), worths(1)];
      values[2 * n] = Math.max(0, ...expected);
      values[2 * n + 1] = Math.max(0, ...minimax);
      if (Math.max(...minimax) !== ILLEGAL) compare(positions[n] as number, minimax, expected);
    },
  };

  const pauses = new Pauses(signal);
  const layers = tabulatedLayers(tabulation, grid);
  for (const { layer } of sweepBack(grid, tileChances(game), layers, columns)) {
    valued += layer.positions.length;
    onProgress?.({ doing: "valuing", sum: layer.sum, positions: valued, positionsInAll });
    if (pauses.isDue) await pauses.take();
  }
  const quality = ({ best, cost, maxCost, costliest }: Tally): MoveQuality => ({
    best: best / (compared * images.length),
    meanCost: cost / (compared * images.length),
    maxCost,
    costliest: costliest === undefined ? null : formatBoard(grid.decode(costliest)),
  });
  return players.map(({ name: player }, i) => {
    const { placer, chance } = tallies[i] as (typeof tallies)[number];
    const [againstPlacer, againstChance] = [quality(placer), quality(chance)];
    return { player, positions: compared, againstPlacer, againstChance };
  });
}

/** Yields the positions of a tabulation, from the last layer to the first. */
function* tabulatedLayers(tabulation: Tabulation, grid: Grid): Generator<Layer> {
  for (const layer of tabulation.layers.toReversed()) {
    const pairs = new Uint32Array(2 * layer.positions);
    tabulation.positions.read(layer, pairs);
    const positions = Float64Array.from({ length: layer.positions }, (_, n) => {
      const code = grid.weights.reduce((sum, weight, cell) => {
        const half = pairs[2 * n + (cell < 8 ? 0 : 1)] as number;
        return sum + ((half >>> (4 * (cell % 8))) & 15) * weight;
      }, 0);
      return grid.canonical(code);
    });
    yield { sum: layer.sum, positions };
  }
}

/** Counts of a player's slides in one game. */
interface Tally {
  best: number;
  cost: number;
  maxCost: number;
  costliest: number | undefined;
}

function newTally(): Tally {
  return { best: 0, cost: 0, maxCost: 0, costliest: undefined };
}

function count(tally: Tally, probability: number, cost: number, code: number): void {
  if (cost <= ROUNDING) {
    tally.best += probability;
    return;
  }
  tally.cost += probability * cost;
  if (cost <= tally.maxCost) return;
  tally.maxCost = cost;
  tally.costliest = code;
}

/**
 * Returns all images of a board, or the board alone: the place of each cell in it, and the index of
 * each direction in it.
 */
function imagesOf(shape: Shape, all: boolean) {
  return symmetriesOf(shape)
    .slice(0, all ? undefined : 1)
    .map((symmetry) => ({
      places: cellPlaces(shape, symmetry),
      directions: DIRECTIONS.map((name) => DIRECTIONS.indexOf(mapDirection(name, symmetry))),
    }));
}

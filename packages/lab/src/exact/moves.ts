import {
  type Board,
  cellPlaces,
  DIRECTIONS,
  type Direction,
  formatBoard,
  mapDirection,
  symmetriesOf,
  tileOf,
} from "@gridlock/game";
import type { Cells, Player } from "@gridlock/players";
import type { Tabulation } from "@gridlock/tablebase";
import { Boards } from "./boards.js";
import { Policies } from "./policies.js";
import type { AssessOptions } from "./reach.js";
import { type Columns, type PositionLayer, SLIDES, type Slides, sweepBack } from "./sweep-back.js";

/**
 * The quality of a player's slides in one of the two games; a random choice counts by its
 * probabilities.
 */
export interface MoveQuality {
  /** Share of the positions in which its slide is one of the best. */
  readonly best: number;
  /** Points that its slide costs: the mean over all positions, and the most. */
  readonly meanCost: number;
  readonly maxCost: number;
  /** A position in which it costs most, as text; null if none costs anything. */
  readonly costliest: string | null;
}

/** A player's slides compared with the best ones, over all positions that have a legal slide. */
export interface MoveComparison {
  readonly player: string;
  readonly positions: number;
  /** Against a placer that plays its best. */
  readonly againstPlacer: MoveQuality;
  /** In the ordinary game. */
  readonly againstChance: MoveQuality;
}

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
  const boards = new Boards(game.shape, true);
  const columns = new OptimumColumns(boards, players, allImages);
  const positionsInAll = tabulation.counts().positions;
  let valued = 0;
  await sweepBack(boards, game, tabulatedLayers(tabulation, boards), columns, signal, (layer) => {
    valued += layer.positions.length;
    onProgress?.({ doing: "valuing", sum: layer.sum, positions: valued, positionsInAll });
  });
  return columns.comparisons();
}

/** Yields the positions of a tabulation, from the last layer to the first. */
function* tabulatedLayers(tabulation: Tabulation, boards: Boards): Generator<PositionLayer> {
  for (const layer of tabulation.layers.toReversed()) {
    const pairs = new Uint32Array(2 * layer.positions);
    tabulation.positions.read(layer, pairs);
    const positions = new Float64Array(layer.positions);
    for (let n = 0; n < positions.length; n++) {
      positions[n] = boards.codeOfHalves(pairs[2 * n + 1] as number, pairs[2 * n] as number);
    }
    yield { sum: layer.sum, positions };
  }
}

/** An image of a board: the place of each cell in it, and the index of each direction in it. */
interface Image {
  readonly places: readonly number[];
  readonly directions: readonly number[];
}

/**
 * Values of the optimum: the expected score of the ordinary game, and the value against the placer.
 */
class OptimumColumns implements Columns<PositionLayer> {
  readonly means = 1;
  readonly count = 2;
  readonly #boards: Boards;
  readonly #policies: Policies;
  readonly #images: readonly Image[];
  readonly #image: Cells;
  /** For each player, its slides against the placer, and by chance. */
  readonly #tallies: readonly (readonly [placer: SlideTally, chance: SlideTally])[];
  #positions = 0;

  constructor(boards: Boards, players: readonly Player[], allImages: boolean) {
    this.#boards = boards;
    this.#policies = new Policies(players);
    this.#images = allImages ? imagesFor(boards, players) : imagesFor(boards, []);
    this.#image = new Uint8Array(boards.size);
    this.#tallies = players.map(() => [new SlideTally(0), new SlideTally(ROUNDING)] as const);
  }

  slidesOf(): number {
    return 2 ** SLIDES - 1;
  }

  value(
    { positions }: PositionLayer,
    { afterstates, scores }: Slides,
    after: Float64Array,
    values: Float64Array,
  ): void {
    /** The worth of each slide; −1 if it is illegal. */
    const expected = new Float64Array(SLIDES);
    const minimax = new Float64Array(SLIDES);
    const placer = new Float64Array(SLIDES);
    const chance = new Float64Array(SLIDES);
    for (let n = 0; n < positions.length; n++) {
      for (let slide = 0; slide < SLIDES; slide++) {
        const place = (afterstates[SLIDES * n + slide] as number) - 1;
        const score = scores[SLIDES * n + slide] as number;
        expected[slide] = place < 0 ? -1 : score + (after[2 * place] as number);
        minimax[slide] = place < 0 ? -1 : score + (after[2 * place + 1] as number);
      }
      const bestExpected = Math.max(...expected);
      const bestMinimax = Math.max(...minimax);
      values[2 * n] = Math.max(0, bestExpected);
      values[2 * n + 1] = Math.max(0, bestMinimax);
      if (bestExpected < 0) continue;
      this.#positions++;
      for (let slide = 0; slide < SLIDES; slide++) {
        const isLegal = (expected[slide] as number) >= 0;
        placer[slide] = isLegal ? bestMinimax - (minimax[slide] as number) : Number.NaN;
        chance[slide] = isLegal ? bestExpected - (expected[slide] as number) : Number.NaN;
      }
      for (const image of this.#images) this.#ask(positions[n] as number, image, placer, chance);
    }
  }

  /**
   * Asks the players about an image of a position, and counts the cost of their slides.
   *
   * @param placer the cost of each slide of the position against the placer, in points; NaN if illegal
   * @param chance the same in the ordinary game
   */
  #ask(
    code: number,
    { places, directions }: Image,
    placer: Float64Array,
    chance: Float64Array,
  ): void {
    this.#boards.setPosition(code);
    places.forEach((place, cell) => {
      this.#image[place] = this.#boards.cells[cell] as number;
    });
    const board = () => ({
      ...this.#boards.shape,
      cells: Array.from(this.#image, tileOf),
    });
    const number = this.#policies.ask(this.#image, board);
    const { weights, totals } = this.#policies.profile(number);
    this.#tallies.forEach(([againstPlacer, againstChance], player) => {
      for (let slide = 0; slide < SLIDES; slide++) {
        const direction = directions[slide] as number;
        const weight = weights[SLIDES * player + direction] as number;
        if (weight === 0) continue;
        const cost = placer[slide] as number;
        if (Number.isNaN(cost)) throw this.#policies.illegal(number, direction, board());
        const probability = weight / (totals[player] as number);
        againstPlacer.add(probability, cost, code);
        againstChance.add(probability, chance[slide] as number, code);
      }
    });
  }

  comparisons(): MoveComparison[] {
    const asked = this.#positions * this.#images.length;
    const quality = (tally: SlideTally) =>
      tally.quality(asked, (code) => this.#boards.boardOf(code));
    return this.#tallies.map(([placer, chance], i) => ({
      player: (this.#policies.players[i] as Player).name,
      positions: this.#positions,
      againstPlacer: quality(placer),
      againstChance: quality(chance),
    }));
  }
}

/** Counts of a player's slides in one game. */
class SlideTally {
  readonly #rounding: number;
  #best = 0;
  #cost = 0;
  #most = 0;
  #costliest: number | undefined;

  constructor(rounding: number) {
    this.#rounding = rounding;
  }

  add(probability: number, cost: number, code: number): void {
    if (cost <= this.#rounding) {
      this.#best += probability;
      return;
    }
    this.#cost += probability * cost;
    if (cost <= this.#most) return;
    this.#most = cost;
    this.#costliest = code;
  }

  quality(positions: number, boardOf: (code: number) => Board): MoveQuality {
    return {
      best: this.#best / positions,
      meanCost: this.#cost / positions,
      maxCost: this.#most,
      costliest: this.#costliest === undefined ? null : formatBoard(boardOf(this.#costliest)),
    };
  }
}

/**
 * Returns the images of a board about which players are asked: all, or one if all are symmetric.
 */
function imagesFor({ shape }: Boards, players: readonly Player[]): Image[] {
  const all = symmetriesOf(shape);
  const asked = players.every(({ isSymmetric }) => isSymmetric) ? all.slice(0, 1) : all;
  return asked.map((symmetry) => ({
    places: cellPlaces(shape, symmetry),
    directions: DIRECTIONS.map((direction: Direction) =>
      DIRECTIONS.indexOf(mapDirection(direction, symmetry)),
    ),
  }));
}

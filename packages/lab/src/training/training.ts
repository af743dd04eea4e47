import { DIRECTIONS } from "@gridlock/game";
import {
  CellRules,
  type Cells,
  countEmpty,
  gameRandom,
  ILLEGAL,
  type Network,
  type TrainedNetwork,
} from "@gridlock/players";
import { Pauses } from "../pauses.js";

/** A game that a network has learned from. */
export interface TrainingGame {
  readonly score: number;
  readonly moves: number;
  readonly largestTile: number;
}

/**
 * The learning rate of Szubert and Jaśkowski (2014), which moves the estimate on 4×4 by 4 % of its
 * error.
 */
export const USUAL_RATE = 0.0025;

/** The worth of a position without a legal slide, less than that of any other. */
const END = Number.NEGATIVE_INFINITY;

/** An afterstate: its cells, its active weights, and the points of the slide that led there. */
interface Afterstate {
  readonly cells: Cells;
  readonly active: Int32Array;
  points: number;
}

/**
 * The training of a network by TD(0) on afterstates, in games that it plays by itself: it slides
 * greedily by the points earned and the estimate of the afterstate. Each game has its own random
 * numbers, so that a training that is interrupted between two games and resumed reaches the same
 * weights to the bit.
 */
export class Training implements TrainedNetwork {
  readonly network: Network;
  readonly seed: number;
  readonly rate: number;
  /** The number of games from which the network has learned. */
  games: number;
  readonly #cellRules: CellRules;
  readonly #position: Cells;
  /** The afterstates of the last slide, of the best slide now, and of the slide being tried. */
  #last: Afterstate;
  #best: Afterstate;
  #tried: Afterstate;

  /** Continues the training of a network, or begins it after no games. */
  constructor({ network, seed, rate, games }: TrainedNetwork) {
    this.network = network;
    this.seed = seed;
    this.rate = rate;
    this.games = games;
    this.#cellRules = new CellRules(network.shape);
    const { size } = this.#cellRules;
    this.#position = new Uint8Array(size);
    const afterstate = (): Afterstate => ({
      cells: new Uint8Array(size),
      active: new Int32Array(network.tuples.length),
      points: 0,
    });
    this.#last = afterstate();
    this.#best = afterstate();
    this.#tried = afterstate();
  }

  /**
   * Plays until the network has learned from `games` games, or until the signal is aborted. Timers
   * and signals are handled between games.
   */
  async run(
    games: number,
    signal: AbortSignal,
    onGame: (game: TrainingGame) => void,
  ): Promise<void> {
    const pauses = new Pauses();
    while (this.games < games && !signal.aborted) {
      onGame(this.playGame());
      if (pauses.isDue) await pauses.take();
    }
  }

  /**
   * Plays the next game and learns from each of its slides. After a placement, the target of the
   * afterstate before it is the sum of the next slide's points and the estimate of the afterstate
   * that follows, or 0 where the game is over. The next slide is the one that gave the target; the
   * paper's program chooses again after it has learned, which takes twice as long.
   */
  playGame(random = gameRandom(this.seed, this.games)): TrainingGame {
    this.games++;
    let score = 0;
    let moves = 0;
    this.#position.fill(0);
    this.#placeRandomTile(random);
    this.#placeRandomTile(random);
    let worth = this.#lookAhead();
    while (worth !== END) {
      score += this.#best.points;
      moves++;
      [this.#last, this.#best] = [this.#best, this.#last];
      this.#position.set(this.#last.cells);
      this.#placeRandomTile(random);
      worth = this.#lookAhead();
      this.network.learn(this.#last.active, worth === END ? 0 : worth, this.rate);
    }
    return { score, moves, largestTile: 2 ** Math.max(...this.#position) };
  }

  /**
   * Finds the slide with the largest sum of its points and the network's estimate of its
   * afterstate; of equal ones the first in the order of `DIRECTIONS`. Returns that sum, or
   * {@link END}.
   */
  #lookAhead(): number {
    let best = END;
    for (const direction of DIRECTIONS) {
      const tried = this.#tried;
      tried.points = this.#cellRules.slide(this.#position, direction, tried.cells);
      if (tried.points === ILLEGAL) continue;
      this.network.look(tried.cells, tried.active);
      const worth = tried.points + this.network.sum(tried.active);
      if (worth <= best) continue;
      best = worth;
      [this.#best, this.#tried] = [tried, this.#best];
    }
    return best;
  }

  /** Places a 2 (90 %) or a 4 (10 %) in a random empty cell. */
  #placeRandomTile(random: () => number): void {
    const draw = Math.floor(10 * countEmpty(this.#position) * random());
    let before = Math.floor(draw / 10);
    const cell = this.#position.findIndex((exponent) => exponent === 0 && before-- === 0);
    this.#position[cell] = draw % 10 === 0 ? 2 : 1;
  }
}

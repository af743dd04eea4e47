import { gameRandom, type Network, type TrainedNetwork } from "@gridlock/players";
import { Pauses } from "../pauses.js";
import { END, LearningBoard } from "./learning-board.js";

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
  readonly #board: LearningBoard;

  /** Continues the training of a network, or begins it after no games. */
  constructor({ network, seed, rate, games }: TrainedNetwork) {
    this.network = network;
    this.seed = seed;
    this.rate = rate;
    this.games = games;
    this.#board = new LearningBoard(network);
  }

  /** Plays the next game. */
  playGame(): TrainingGame {
    const random = gameRandom(this.seed, this.games++);
    return learnFromGame(this.#board, random, this.rate);
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
}

/**
 * Plays a game and learns from each of its slides. After a placement, the target of the afterstate
 * before it is the sum of the next slide's points and the estimate of the afterstate that follows,
 * or 0 where the game is over. The next slide is the one that gave the target; the paper's program
 * chooses again after it has learned, which takes twice as long.
 */
export function learnFromGame(
  board: LearningBoard,
  random: () => number,
  rate: number,
): TrainingGame {
  let score = 0;
  let moves = 0;
  board.clear();
  placeRandomTile(board, random);
  placeRandomTile(board, random);
  let worth = board.lookAhead();
  while (worth !== END) {
    score += board.points;
    moves++;
    board.slide();
    placeRandomTile(board, random);
    worth = board.lookAhead();
    board.learn(worth === END ? 0 : worth, rate);
  }
  return { score, moves, largestTile: 2 ** board.largest() };
}

/** Places a 2 (90 %) or a 4 (10 %) in a random empty cell. */
function placeRandomTile(board: LearningBoard, random: () => number): void {
  const draw = Math.floor(10 * board.countEmpty() * random());
  board.place(Math.floor(draw / 10), draw % 10 === 0 ? 2 : 1);
}

import { certainChoice } from "../choices.js";
import type { PlayerKind } from "../kind.js";
import type { Cells, Choice, Player } from "../player.js";
import { AnyShape } from "./any-shape.js";
import { END } from "./learning-board.js";
import type { Network } from "./network.js";
import { readWeights, weightsFileOf } from "./weights-file.js";

/**
 * The player that slides greedily by the points earned and a network's estimate of the afterstate;
 * of equal slides it takes the first in the order of `DIRECTIONS`. Each row, column and square has
 * its own weights, so it may play a board's images differently.
 */
export class NTuplePlayer implements Player {
  readonly name: string;
  readonly isSymmetric = false;
  readonly #board: AnyShape;

  constructor(name: string, network: Network) {
    this.name = name;
    this.#board = new AnyShape(network);
  }

  /** @throws {RangeError} for a position without a legal slide */
  choose(cells: Cells): readonly Choice[] {
    this.#board.set(cells);
    if (this.#board.lookAhead() === END) throw new RangeError("no slide is legal");
    return certainChoice(this.#board.direction);
  }
}

/** The learned player, with the weights of a file of `gridlock train`. */
export const ntuple: PlayerKind = {
  names: ["ntuple"],
  source: "Szubert and Jaśkowski, 2014",
  summary:
    "the slide with the most points to come, by the estimate of an n-tuple network; needs gridlock train",
  file: "weights of gridlock train (default: results/players/ntuple-SHAPE.weights)",
  make({ name, shape, file = weightsFileOf(shape) }) {
    return new NTuplePlayer(name, readWeights(file, shape).network);
  },
};

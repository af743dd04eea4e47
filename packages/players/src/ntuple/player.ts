import { bestSlides, CellRules } from "../cell-rules.js";
import { equalChoices } from "../choices.js";
import type { Cells, Player, PlayerKind } from "../player.js";
import type { Network } from "./network.js";
import { readWeights, weightsFileOf } from "./weights-file.js";

/**
 * The player that slides greedily by the points earned and a network's estimate of the afterstate;
 * of equal slides it takes the first in the order of `DIRECTIONS`. Each row, column and square has
 * its own weights, so it may play a board's images differently. It throws a RangeError for a
 * position without a legal slide.
 */
export function ntuplePlayer(name: string, network: Network): Player {
  const cellRules = new CellRules(network.shape);
  const choose = (cells: Cells) => {
    const best = bestSlides(cells, cellRules, (points, after) => points + network.value(after));
    if (best === 0) throw new RangeError("no slide is legal");
    return equalChoices(best & -best); // the lowest bit: the first direction
  };
  return { name, isSymmetric: false, choose };
}

/** The learned player, with the weights of a file of `gridlock train`. */
export const ntuple: PlayerKind = {
  names: ["ntuple"],
  summary:
    "the slide with the most points to come, by the estimate of an n-tuple network; needs gridlock train",
  file: "weights of gridlock train (default: results/players/ntuple-SHAPE.weights)",
  make({ name, shape, file = weightsFileOf(shape) }) {
    return ntuplePlayer(name, readWeights(file, shape).network);
  },
};

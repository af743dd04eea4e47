import { type Columns, SLIDES } from "../enumeration/sweep-back.js";
import type { Policies } from "./policies.js";
import type { PolicyLayer } from "./reach.js";

/** A player's scores from a position on. */
export interface Score {
  /** Expected score of the ordinary game. */
  readonly expected: number;
  /** Least expected score that a placer can hold the player to, its random ties averaged. */
  readonly heldTo: number;
  /** The same if the placer decides the player's random ties too. */
  readonly heldToWorstTie: number;
}

/**
 * Returns the columns of players with fixed choices. For n players, the first n are the expected
 * scores, the next n the scores to which they are held, and the last n the same if ties go against
 * them.
 */
export function playerColumns(policies: Policies): Columns<PolicyLayer> {
  const means = policies.players.length;
  const count = 3 * means;
  const profileOf = ({ profiles }: PolicyLayer, position: number) =>
    policies.profile(profiles[position] as number);
  return {
    means,
    count,
    slidesOf: (layer, position) => profileOf(layer, position).slides,
    value(layer, position, moves, values) {
      const { weights, totals, slides } = profileOf(layer, position);
      const to = position * count;
      if (slides === 0) {
        values.fill(0, to, to + count);
        return;
      }
      for (let player = 0; player < means; player++) {
        let expected = 0;
        let held = 0;
        let worst = Number.POSITIVE_INFINITY;
        for (let slide = 0; slide < SLIDES; slide++) {
          const weight = weights[SLIDES * player + slide] as number;
          if (weight === 0) continue;
          const score = moves.score(slide);
          expected += weight * (score + moves.after(slide, player));
          held += weight * (score + moves.after(slide, means + player));
          worst = Math.min(worst, score + moves.after(slide, 2 * means + player));
        }
        values[to + player] = expected / (totals[player] as number);
        values[to + means + player] = held / (totals[player] as number);
        values[to + 2 * means + player] = worst;
      }
    },
  };
}

/** Returns the scores of some players in a position, by the values of their columns. */
export function scoresOf(values: Float64Array, position: number, players: number): Score[] {
  const at = (group: number, i: number) => values[(3 * position + group) * players + i] as number;
  return Array.from({ length: players }, (_, i) => ({
    expected: at(0, i),
    heldTo: at(1, i),
    heldToWorstTie: at(2, i),
  }));
}

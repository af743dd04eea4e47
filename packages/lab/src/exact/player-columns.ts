import type { Policies } from "./policies.js";
import type { PolicyLayer } from "./reach.js";
import { type Columns, SLIDES } from "./sweep-back.js";

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
  return {
    means,
    count,
    slidesOf: ({ profiles }, position) => policies.profile(profiles[position] as number).slides,
    value({ positions, profiles }, { afterstates, scores: points }, after, values) {
      for (let n = 0; n < positions.length; n++) {
        const { weights, totals, slides } = policies.profile(profiles[n] as number);
        const to = n * count;
        if (slides === 0) {
          values.fill(0, to, to + count);
          continue;
        }
        for (let player = 0; player < means; player++) {
          let expected = 0;
          let held = 0;
          let worst = Number.POSITIVE_INFINITY;
          for (let slide = 0; slide < SLIDES; slide++) {
            const weight = weights[SLIDES * player + slide] as number;
            if (weight === 0) continue;
            const score = points[SLIDES * n + slide] as number;
            const from = ((afterstates[SLIDES * n + slide] as number) - 1) * count + player;
            expected += weight * (score + (after[from] as number));
            held += weight * (score + (after[from + means] as number));
            worst = Math.min(worst, score + (after[from + 2 * means] as number));
          }
          values[to + player] = expected / (totals[player] as number);
          values[to + means + player] = held / (totals[player] as number);
          values[to + 2 * means + player] = worst;
        }
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

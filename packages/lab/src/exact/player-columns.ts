import type { Policies, Profile } from "./policies.js";
import type { PolicyLayer } from "./reach.js";
import { type Columns, SLIDES, type Slides } from "./sweep-back.js";

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
 * Values of players with fixed choices. For n players, the first n columns are the expected scores,
 * the next n the scores to which they are held, and the last n the same if ties go against them.
 */
export class PlayerColumns implements Columns<PolicyLayer> {
  readonly means: number;
  readonly count: number;
  readonly #policies: Policies;

  constructor(policies: Policies) {
    this.#policies = policies;
    this.means = policies.players.length;
    this.count = 3 * this.means;
  }

  /** Returns the scores of all players in a position of a layer. */
  scores(values: Float64Array, position: number): Score[] {
    const column = (group: number, i: number) =>
      values[position * this.count + group * this.means + i] as number;
    return this.#policies.players.map((_, i) => ({
      expected: column(0, i),
      heldTo: column(1, i),
      heldToWorstTie: column(2, i),
    }));
  }

  slidesOf({ profiles }: PolicyLayer, position: number): number {
    return this.#policies.profile(profiles[position] as number).slides;
  }

  value(
    { positions, profiles }: PolicyLayer,
    slides: Slides,
    after: Float64Array,
    values: Float64Array,
  ): void {
    for (let n = 0; n < positions.length; n++) {
      const profile = this.#policies.profile(profiles[n] as number);
      if (profile.slides === 0) values.fill(0, n * this.count, (n + 1) * this.count);
      else this.#valuePosition(n, profile, slides, after, values);
    }
  }

  #valuePosition(
    n: number,
    { weights, totals }: Profile,
    { afterstates, scores }: Slides,
    after: Float64Array,
    values: Float64Array,
  ): void {
    const { means, count } = this;
    const to = n * count;
    for (let player = 0; player < means; player++) {
      let expected = 0;
      let held = 0;
      let worst = Number.POSITIVE_INFINITY;
      for (let slide = 0; slide < SLIDES; slide++) {
        const weight = weights[SLIDES * player + slide] as number;
        if (weight === 0) continue;
        const score = scores[SLIDES * n + slide] as number;
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
}

import {
  type Bound,
  boundByRules,
  mergeBounds,
  type PackedNode,
  unpackBoard,
} from "@gridlock/game";
import type { StoredBounds } from "@gridlock/solver";
import type { BoundEntry } from "@gridlock/store";
import { type Certificate, claimedBy, impliedBound } from "@gridlock/verify";

/** The bounds that a certificate proves, once it has been checked, in place of those of a database. */
export class VerifiedBounds implements StoredBounds {
  readonly #certificate: Certificate | undefined;
  readonly #claimed;

  /** @param certificate has been checked: all its claims follow; without one nothing is known */
  constructor(certificate: Certificate | undefined) {
    this.#certificate = certificate;
    this.#claimed = certificate && claimedBy(certificate);
  }

  get({ board, turn }: PackedNode): Bound | undefined {
    const { game } = this.#certificate ?? {};
    if (game === undefined || this.#claimed === undefined) return undefined;
    return impliedBound({ board: unpackBoard(game.shape, board), turn }, game, this.#claimed);
  }

  *all(): Generator<BoundEntry> {
    if (this.#certificate === undefined) return;
    const { game, claims } = this.#certificate;
    for (let i = 0; i < claims.size; i++) {
      const { board, ...claim } = claims.at(i);
      const node = { board: unpackBoard(game.shape, board), turn: "slider" } as const;
      yield { board, turn: "slider", ...mergeBounds(claim, boundByRules(node)) };
    }
  }

  /** Single look-ups are fast, since the claims are in memory, and prove more than the claims alone. */
  count() {
    return { bounds: Number.POSITIVE_INFINITY };
  }
}

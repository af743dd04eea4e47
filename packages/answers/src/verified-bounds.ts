import { boundByRules, mergeBounds, unpackBoard } from "@gridlock/game";
import { NOTHING_STORED, type StoredBounds } from "@gridlock/solver";
import { type Certificate, claimedBy, impliedBound } from "@gridlock/verify";

/**
 * Returns the bounds that a certificate proves, in place of those of a database. Single look-ups are fast, since the
 * claims are in memory, and prove more than the claims alone.
 *
 * @param certificate has been checked: all its claims follow; without one nothing is known
 */
export function verifiedBounds(certificate: Certificate | undefined): StoredBounds {
  if (certificate === undefined) return NOTHING_STORED;
  const { game, claims } = certificate;
  const claimed = claimedBy(certificate);
  return {
    ...NOTHING_STORED,
    get: ({ board, turn }) =>
      impliedBound({ board: unpackBoard(game.shape, board), turn }, game, claimed),
    *all() {
      for (let i = 0; i < claims.size; i++) {
        const { board, ...claim } = claims.at(i);
        const node = { board: unpackBoard(game.shape, board), turn: "slider" } as const;
        yield { board, turn: "slider", ...mergeBounds(claim, boundByRules(node)) };
      }
    },
  };
}

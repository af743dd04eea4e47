import { boundByRules, mergeBounds, unpackBoard } from "@gridlock/game";
import { NOTHING_STORED, type StoredBounds } from "@gridlock/solver";
import { type CertificateFile, impliedBound } from "@gridlock/verify";

/** The most claims to load before a search: reading more takes longer than most searches. */
const MOST_LEARNT = 1_000_000;

/**
 * Returns the bounds that a certificate proves, in place of those of a database: they are looked up
 * in its file, one by one, and prove more than the claims alone.
 *
 * @param certificate has been checked: all its claims follow; without one nothing is known
 */
export function verifiedBounds(certificate: CertificateFile | undefined): StoredBounds {
  if (certificate === undefined) return NOTHING_STORED;
  const { game } = certificate;
  return {
    ...NOTHING_STORED,
    get: ({ board, turn }) =>
      impliedBound({ board: unpackBoard(game.shape, board), turn }, game, certificate),
    *all() {
      if (certificate.claims > MOST_LEARNT) return;
      for (const { board, ...claim } of certificate.all()) {
        const node = { board: unpackBoard(game.shape, board), turn: "slider" } as const;
        yield { board, turn: "slider", ...mergeBounds(claim, boundByRules(node)) };
      }
    },
  };
}

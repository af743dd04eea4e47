import { type Game, normalShape } from "@gridlock/game";
import type { Database } from "@gridlock/store";
import { type Certificate, ClaimTable } from "@gridlock/verify";

/** The certificate that a database holds of a game, if it holds one. Nothing in it has been checked. */
export function storedCertificate(game: Game, database: Database): Certificate | undefined {
  const stored = database.certificate(game);
  const info = stored.info();
  if (info === undefined) return undefined;
  return {
    game: { ...game, shape: normalShape(game.shape) },
    effort: info.effort,
    claims: ClaimTable.from(stored.claims(), stored.count()),
  };
}

import { type Game, normalShape } from "@gridlock/game";
import type { Database } from "@gridlock/store";
import { type Certificate, ClaimTable } from "@gridlock/verify";

/** Reads a game's certificate from a database without checking it; `undefined` if the database has none of the game. */
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

import { existsSync, rmSync } from "node:fs";
import { describeGame, type Game } from "@gridlock/game";
import { layersFolderOf } from "@gridlock/layers";
import { formatCount } from "@gridlock/report";
import { clearSnapshot, type Database, snapshotFileOf } from "@gridlock/store";
import { UsageError } from "../exit.js";
import { ask, canAsk } from "../output/ask.js";

/**
 * Deletes a game's bounds, certificate, snapshot and layers after asking the user. Asks nothing if nothing is stored.
 *
 * @param agreed whether the user has agreed beforehand
 * @returns whether the user has agreed
 * @throws {UsageError} when the user cannot be asked
 */
export async function startOver(game: Game, database: Database, agreed: boolean): Promise<boolean> {
  const snapshotFile = snapshotFileOf(database.file, game);
  const layersFolder = layersFolderOf(database.file, game);
  const { bounds } = database.bounds(game).count();
  const claims = database.certificate(game).count();
  const losses: string[] = [];
  if (bounds > 0) losses.push(`${formatCount(bounds)} bounds`);
  if (claims > 0) losses.push(`a certificate of ${formatCount(claims)} claims`);
  if (existsSync(snapshotFile)) losses.push(`the snapshot ${snapshotFile}`);
  if (existsSync(layersFolder)) losses.push(`the layers ${layersFolder}`);
  if (losses.length === 0) return true;
  const sentence = `--fresh deletes ${losses.join(", ")} of ${describeGame(game)}`;
  if (!agreed && !canAsk()) {
    throw new UsageError(`${sentence}; there is no terminal to ask on, so add --yes`);
  }
  if (!agreed && !(await ask(`${sentence}. Continue? [y/N] `))) return false;
  rmSync(layersFolder, { recursive: true, force: true });
  clearSnapshot(snapshotFile); // first: as long as there are bounds, the game counts as begun
  database.forget(game);
  return true;
}

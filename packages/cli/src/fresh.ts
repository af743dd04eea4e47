import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { describeGame, type Game, isExact } from "@gridlock/game";
import { storedStarts } from "@gridlock/solver";
import { type Database, SnapshotFile, snapshotFileOf } from "@gridlock/store";
import { UsageError } from "./exit.js";
import { formatCount } from "./format.js";

/**
 * Forgets all that a database and its snapshot hold of a game, after the user has agreed; returns whether
 * that is so. Where there is nothing to forget nobody is asked.
 *
 * @param agreed the user has agreed beforehand
 * @throws {UsageError} when the user cannot be asked
 */
export async function startOver(game: Game, database: Database, agreed: boolean): Promise<boolean> {
  const snapshotFile = snapshotFileOf(database.file, game);
  const losses = lossesOf(game, database, snapshotFile);
  if (losses.length === 0) return true;
  const sentence = `--fresh forgets ${losses.join(", ")} of ${describeGame(game)}`;
  if (!agreed && !(process.stdin.isTTY && process.stderr.isTTY)) {
    throw new UsageError(`${sentence}; there is nobody to ask whether it should, so add --yes`);
  }
  if (!agreed && !(await ask(`${sentence}. Go on? [y/N] `))) return false;
  database.forget(game);
  if (existsSync(snapshotFile)) {
    const snapshot = SnapshotFile.open(snapshotFile);
    try {
      snapshot.clear();
    } finally {
      snapshot.close();
    }
  }
  return true;
}

/** What there is of a game, in words. */
function lossesOf(game: Game, database: Database, snapshotFile: string): string[] {
  const { bounds } = database.bounds(game).count();
  const claims = database.certificate(game).count();
  const values = storedStarts(game, database, database.starts(game)).filter(({ bound }) =>
    isExact(bound),
  ).length;
  const losses: string[] = [];
  if (bounds > 0) losses.push(`${values} values and ${formatCount(bounds)} bounds`);
  if (claims > 0) losses.push(`a certificate of ${formatCount(claims)} claims`);
  if (existsSync(snapshotFile)) losses.push(`the snapshot ${snapshotFile}`);
  return losses;
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^\s*y(es)?\s*$/i.test(await terminal.question(question));
  } finally {
    terminal.close();
  }
}

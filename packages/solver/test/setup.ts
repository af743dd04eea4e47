import { join } from "node:path";
import { type Game, parseShape, type Tiles } from "@gridlock/game";
import {
  defaultMemory,
  LocalPool,
  poolThreads,
  type SolveOptions,
  type StartBound,
  solve,
} from "@gridlock/solver";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { onTestFinished } from "vitest";

export function gameOf(shape: string, tiles: Tiles = [2, 4]): Game {
  return { shape: parseShape(shape), tiles };
}

/** Opens a database for the running test, which is removed when the test ends. */
export function freshDatabase(): Database {
  const database = Database.open(join(temporaryFolder(), "test.db"));
  onTestFinished(() => database.close());
  return database;
}

/** Solves a game with its own pool; returns the proven bounds and the nodes expanded. */
export async function solveWith(
  game: Game,
  database: Database,
  { workers = 1, memory = 0, ...how }: { workers?: number; memory?: number } & SolveOptions = {},
) {
  const bytes = Math.max(memory, defaultMemory(game, poolThreads(workers), memory || 2 ** 32));
  await using pool = new LocalPool(game, { workers, memory: bytes });
  const starts = await solve(game, database, pool, how);
  return { starts, counts: pool.counts() };
}

/** Returns the values of solved starts. */
export function valuesOf(starts: readonly StartBound[]): number[] {
  return starts.map(({ bound }) => {
    if (bound.lo !== bound.hi) throw new Error(`not solved: ${JSON.stringify(bound)}`);
    return bound.lo;
  });
}

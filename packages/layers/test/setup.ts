import { join } from "node:path";
import { type Game, isExact, parseShape, type Tiles } from "@gridlock/game";
import { LayeredProof, type LayersSolveOptions, solveByLayers, VisitCrew } from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";

export function gameOf(shape: string, tiles: Tiles = [2, 4]): Game {
  return { shape: parseShape(shape), tiles };
}

export interface LayersRun extends LayersSolveOptions {
  readonly threads?: number;
  readonly bytes?: number;
  readonly split?: number | undefined;
  /** Folder of the proof and the database (default: a new one). */
  readonly folder?: string;
}

/** Solves a game by layers; returns the starts, the status at the end, and the proof's nodes. */
export async function solveWith(
  game: Game,
  {
    threads = 1,
    bytes = threads * 32 * 2 ** 20,
    folder = temporaryFolder(),
    split,
    ...how
  }: LayersRun = {},
) {
  const database = Database.open(join(folder, "test.db"));
  try {
    using proof = LayeredProof.open(game, join(folder, "layers"), { split });
    await using crew = new VisitCrew(game, proof.folder, { threads, bytes });
    const starts = await solveByLayers(game, database, proof, crew, how);
    return { starts, status: proof.status, nodes: [...proof.bounds()] };
  } finally {
    database.close();
  }
}

/**
 * Solves a game in runs that stop after some steps each; returns what the last one does. Only the
 * first is told how to split blocks.
 */
export async function solveInPieces(game: Game, most: number, how: LayersRun) {
  const folder = temporaryFolder();
  let { split } = how;
  for (;;) {
    const stop = new AbortController();
    let steps = 0;
    const run = await solveWith(game, {
      ...{ ...how, folder, split, signal: stop.signal },
      onProgress: () => ++steps > most && stop.abort(),
    });
    if (run.starts.every(({ bound }) => isExact(bound))) return { ...run, folder };
    split = undefined;
  }
}

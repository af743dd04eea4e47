import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Game, isExact, parseShape, type Tiles } from "@gridlock/game";
import {
  LayeredProof,
  type LayersSolveOptions,
  type Remainder,
  type StepOutcome,
  solveByLayers,
  VisitCrew,
  type VisitPort,
  workOff,
} from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";

export function gameOf(shape: string, tiles: Tiles = [2, 4]): Game {
  return { shape: parseShape(shape), tiles };
}

export interface LayersRun extends LayersSolveOptions {
  readonly threads?: number;
  readonly bytes?: number;
  readonly split?: number | undefined;
  /** Makes the visits of remainders as a worker of a cluster does; called with their outcomes. */
  readonly onWorkedOff?: (remainder: Remainder, steps: readonly StepOutcome[]) => void;
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
    onWorkedOff,
    ...how
  }: LayersRun = {},
) {
  const database = Database.open(join(folder, "test.db"));
  try {
    using proof = LayeredProof.open(game, join(folder, "layers"), { split });
    const savesAll = onWorkedOff !== undefined;
    await using crew = new VisitCrew(game, proof.folder, { threads, bytes, savesAll });
    const port = onWorkedOff ? workingOff(game, crew, onWorkedOff) : crew;
    const starts = await solveByLayers(game, database, proof, port, how);
    return { starts, status: proof.status, nodes: [...proof.bounds()] };
  } finally {
    database.close();
  }
}

/** Returns a port for visits by a crew that has it work off remainders. */
export function workingOff(
  { shape }: Game,
  crew: VisitCrew,
  onWorkedOff: NonNullable<LayersRun["onWorkedOff"]> = () => {},
): VisitPort {
  return {
    visit: (visits) => crew.visit(visits),
    workOff: async (remainder) => {
      const steps = await workOff(shape, remainder, crew);
      onWorkedOff(remainder, steps);
      return steps;
    },
    save: (blocks) => crew.save(blocks),
    awaitFolder: () => crew.awaitFolder(),
  };
}

/** Lists the files in a folder with digests of their contents. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.block$/.test(name))
    .sort()
    .map((name) => {
      const digest = createHash("sha256").update(readFileSync(join(folder, name)));
      return `${name} ${digest.digest("hex")}`;
    });
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

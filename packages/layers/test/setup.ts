import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bound, PackedBoard } from "@gridlock/game";
import { type Game, isExact, parseShape, type Tiles } from "@gridlock/game";
import {
  LayeredProof,
  LayersCheck,
  LayersReader,
  type LayersReport,
  type LayersSolveOptions,
  solveByLayers,
  type VerifyLayersOptions,
  type Visit,
  VisitCrew,
  type VisitOutcome,
} from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { writeLetters } from "../src/block-file.js";
import { type BlockMemory, makeBlockMemory, Residents } from "../src/block-memory.js";
import type { BlockVersion, VisitedProof } from "../src/crew.js";
import { instantiate, type LayerExports } from "../src/module.js";
import { lettersFileName } from "../src/names.js";
import { Visitor } from "../src/visitor.js";
import type { VisitResult } from "../src/visits.js";

const NO_STEP = -2;

export function gameOf(shape: string, tiles: Tiles = [2, 4]): Game {
  return { shape: parseShape(shape), tiles };
}

export interface LayersRun extends LayersSolveOptions {
  /** Number of threads (default: only the one of the test). */
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
    threads,
    bytes = (threads ?? 1) * 32 * 2 ** 20,
    folder = temporaryFolder(),
    split,
    ...how
  }: LayersRun = {},
) {
  const database = Database.open(join(folder, "test.db"));
  try {
    using proof = LayeredProof.open(game, join(folder, "layers"), { split });
    await using crew = threads
      ? new VisitCrew(game, proof, { threads, bytes })
      : new LocalCrew(game, proof, bytes);
    const starts = await solveByLayers(game, database, proof, crew, how);
    return {
      starts,
      status: proof.status,
      nodes: [...new LayersReader(game, proof.folder).bounds()],
    };
  } finally {
    database.close();
  }
}

/** Checks the proof in a folder by the rules of the game. */
export async function verifyLayers(
  game: Game,
  folder: string,
  expected: ReadonlyMap<PackedBoard, Bound>,
  options: VerifyLayersOptions,
): Promise<LayersReport> {
  using check = new LayersCheck(game, folder);
  return await check.run(expected, options);
}

/** Writes the letters of a visit to a file; returns its result without them. */
function withLettersInFile(
  folder: string,
  { block, step }: Visit,
  result: VisitResult,
): VisitResult {
  const kept = result.letters.flatMap((letters) => letters.kept ?? []);
  if (kept.length > 0) writeLetters(folder, lettersFileName(block, step), kept);
  return { ...result, letters: result.letters.map((each) => ({ ...each, kept: undefined })) };
}

/** Visits blocks in this thread, and starts no other one. */
export class LocalCrew extends VisitCrew {
  protected readonly visitor: Visitor;
  protected readonly blocks: BlockMemory;

  constructor(game: Game, proof: VisitedProof, bytes: number) {
    super(game, proof, { threads: 0, bytes: 2 ** 20 });
    this.blocks = makeBlockMemory(game, 1, bytes);
    this.visitor = new Visitor(game, proof, this.blocks, 0);
  }

  override async visit(visits: readonly Visit[]): Promise<readonly VisitOutcome[]> {
    return visits.map((visit) => this.visitor.visit(visit));
  }

  override async save(blocks: readonly BlockVersion[]): Promise<void> {
    for (const block of blocks) this.visitor.save(block);
  }
}

/** Makes each visit from files, and writes its letters and its block to files. */
export class ReadingCrew extends LocalCrew {
  readonly #folder: string;
  readonly #module: LayerExports;
  readonly #residents: Residents;

  constructor(game: Game, proof: VisitedProof, bytes: number) {
    super(game, proof, bytes);
    this.#folder = proof.folder;
    this.#module = instantiate(game, this.blocks.memory);
    this.#residents = new Residents(this.#folder, this.#module, this.blocks);
  }

  override async visit(visits: readonly Visit[]): Promise<readonly VisitOutcome[]> {
    return visits.map((visit) => {
      const outcome = this.visitor.visit(visit);
      if ("damaged" in outcome) return outcome;
      this.visitor.save(visit);
      this.#forget(visit.block);
      return withLettersInFile(this.#folder, visit, outcome);
    });
  }

  /** Makes the next visit of a block read its files: no step has this version. */
  #forget(block: string): void {
    this.#residents.setVersion(this.#module.placeOf(BigInt(`0x${block}`)), NO_STEP);
  }

  override async save(): Promise<void> {}
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

import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  LayeredProof,
  solveByLayers,
  type Visit,
  VisitCrew,
  type VisitOutcome,
} from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { lettersFileName } from "../src/names.js";
import { gameOf, ReadingCrew } from "./setup.js";

const ROOM = { threads: 1, bytes: 128 * 2 ** 20 };

/** Solves with the least number of visits that keep letters, and that read kept ones. */
const SOLVES: { shape: string; guess: number; steps?: number; kept: number }[] = [
  { shape: "2x4", guess: 124, kept: 100 },
  { shape: "2x5", guess: 196, steps: 14, kept: 10 }, // letters of two of the visits are too long
];

/** Records what visits find out, and how many get letters from memory or leave them there. */
class Recorded {
  readonly found: object[] = [];
  kept = 0;
  read = 0;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  add({ block, step, letters }: Visit, outcome: VisitOutcome): void {
    if ("damaged" in outcome) throw new Error("no visit");
    const sent = outcome.letters.map(({ to, items }) => ({ to, items }));
    this.found.push({ block, step, ...outcome, letters: sent });
    this.read += letters.filter((received) => received.kept).length;
    if (!outcome.letters.some(({ kept }) => kept)) return;
    this.kept++;
    expect(existsSync(join(this.#folder, lettersFileName(block, step)))).toBe(false);
  }
}

/** Solves a game, or takes the first steps, with letters in memory or, like blocks, in files. */
async function visitsOf(
  { shape, guess, steps = Number.POSITIVE_INFINITY }: (typeof SOLVES)[number],
  where: "memory" | "files",
) {
  const game = gameOf(shape);
  const stop = new AbortController();
  let step = 0;
  const above = temporaryFolder();
  const folder = join(above, "layers");
  using database = Database.open(join(above, "test.db"));
  using proof = LayeredProof.open(game, folder);
  const recorded = new Recorded(folder);
  await using crew =
    where === "files" ? new ReadingCrew(game, proof, ROOM.bytes) : new VisitCrew(game, proof, ROOM);
  const visit = crew.visit.bind(crew);
  crew.visit = async (visits) => {
    const outcomes = await visit(visits);
    for (const [i, outcome] of outcomes.entries()) recorded.add(visits[i] as Visit, outcome);
    return outcomes;
  };
  await solveByLayers(game, database, proof, crew, {
    ...{ guess, signal: stop.signal },
    onProgress: () => ++step >= steps && stop.abort(),
  });
  return recorded;
}

describe("letters in memory", () => {
  it.each(SOLVES)("of $shape lead to the same visits as letters in files", async (solve) => {
    const inMemory = await visitsOf(solve, "memory");
    const inFiles = await visitsOf(solve, "files");
    expect(inMemory.found).toEqual(inFiles.found);
    expect(inMemory.kept).toBeGreaterThan(solve.kept);
    expect(inMemory.read).toBeGreaterThan(solve.kept);
    expect(inFiles.kept).toBe(0);
    expect(inFiles.read).toBeLessThan(inMemory.read);
  });
});

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
import { gameOf, withLettersInFile } from "./setup.js";

const ROOM = { threads: 1, bytes: 128 * 2 ** 20 };

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

/** Solves a game with letters in memory or in files. */
async function visitsOf(shape: string, guess: number, where: "memory" | "files") {
  const game = gameOf(shape);
  const above = temporaryFolder();
  const folder = join(above, "layers");
  using database = Database.open(join(above, "test.db"));
  using proof = LayeredProof.open(game, folder);
  const recorded = new Recorded(folder);
  class RecordedCrew extends VisitCrew {
    override async visit(visits: readonly Visit[]) {
      const outcomes = await super.visit(visits);
      return outcomes.map((outcome, i) => {
        const visit = visits[i] as Visit;
        const result = outcome as Exclude<VisitOutcome, { damaged: string }>;
        const left = where === "files" ? withLettersInFile(folder, visit, result) : result;
        recorded.add(visit, left);
        return left;
      });
    }
  }
  await using crew = new RecordedCrew(game, proof, ROOM);
  await solveByLayers(game, database, proof, crew, { guess });
  return recorded;
}

describe("letters in memory", () => {
  it.each([
    ["2x4", 124],
    ["2x5", 196],
  ])("of %s lead to the same visits as letters in files", async (shape, guess) => {
    const inMemory = await visitsOf(shape, guess, "memory");
    const inFiles = await visitsOf(shape, guess, "files");
    expect(inMemory.found).toEqual(inFiles.found);
    expect(inMemory.kept).toBeGreaterThan(100);
    expect(inMemory.read).toBeGreaterThan(100);
    expect(inFiles.kept).toBe(0);
    expect(inFiles.read).toBeLessThan(inMemory.read);
  });
});

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
import { readLetters, writeLetters } from "../src/block-file.js";
import { Mail } from "../src/mail.js";
import { lettersFileName } from "../src/names.js";
import { gameOf } from "./setup.js";

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
    const { kept, ...result } = outcome;
    this.found.push({ block, step, ...result });
    this.read += letters.filter((received) => received.kept).length;
    if (kept.length === 0) return;
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
        const { kept, ...result } = outcome as Exclude<VisitOutcome, { damaged: string }>;
        if (where === "files" && kept.length > 0) {
          writeLetters(folder, lettersFileName(visit.block, visit.step), kept);
        }
        const left = where === "files" ? { ...result, kept: [] } : outcome;
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

  const lettersOf = (to: string, bytes: Uint8Array) => ({
    ...{ to, demands: 1, answers: bytes.length / 12 - 1 },
    bytes,
  });

  it("are given to the block that they address until they are dropped", () => {
    const mail = new Mail(temporaryFolder());
    const [a, b] = [lettersOf("a", Buffer.alloc(24, 1)), lettersOf("b", Buffer.alloc(12, 2))];
    mail.keep("1.0.letters", [a, b]);
    mail.keep("2.0.letters", [b]);
    const lettersTo = (block: string) =>
      ["1.0.letters", "2.0.letters", "3.0.letters"].map((file) => mail.lettersTo(block, file));
    expect(lettersTo("a")).toEqual([a, undefined, undefined]);
    expect(lettersTo("b")).toEqual([b, b, undefined]);
    expect(mail.drop("1.0.letters")).toBe(true);
    expect(mail.drop("1.0.letters")).toBe(false);
    expect(lettersTo("b")).toEqual([undefined, b, undefined]);
  });

  it("go to files when they take much memory", () => {
    const folder = temporaryFolder();
    const mail = new Mail(folder);
    const large = Buffer.alloc(12 * 2 ** 20, 3);
    for (const [i, kept] of [true, true, false].entries()) {
      const file = lettersFileName("1", i);
      mail.keep(file, [lettersOf("a", large)]);
      expect(mail.lettersTo("a", file) !== undefined).toBe(kept);
      expect(existsSync(join(folder, file))).toBe(!kept);
    }
    for (const step of [0, 1, 2]) {
      const { demands, bytes } = readLetters(folder, lettersFileName("1", step), "a");
      expect(demands).toBe(1);
      expect(large.equals(bytes)).toBe(true);
    }
    mail.keep("2.0.letters", [lettersOf("a", Buffer.alloc(12))]);
    expect(existsSync(join(folder, "2.0.letters"))).toBe(false);
  });
});

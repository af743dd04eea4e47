import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LayeredProof, solveByLayers, type Visit, type VisitOutcome } from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { LETTER_BYTES, type Letters, readLetters } from "../src/block-file.js";
import { blockFileName, lettersFileName } from "../src/names.js";
import { gameOf, LocalCrew, ReadingCrew } from "./setup.js";

const BYTES = 128 * 2 ** 20;

/** Lists demands and answers in an order that does not depend on the places of nodes in memory. */
function sorted({ demands, answers, bytes }: Letters): string[] {
  return Array.from({ length: demands + answers }, (_, i) => {
    const letter = Buffer.from(bytes.subarray(LETTER_BYTES * i, LETTER_BYTES * (i + 1)));
    return `${i < demands ? "demand" : "answer"} ${letter.toString("hex")}`;
  }).sort();
}

describe("a visit", () => {
  describe.each([
    { shape: "2x4", guess: 124, tags: [] },
    { shape: "2x5", guess: 196, tags: ["long"] },
  ])("to a block of $shape in memory", ({ shape, guess, tags }) => {
    it("has the results and the files of one that reads its files", { tags }, async () => {
      const game = gameOf(shape);
      const above = temporaryFolder();
      const folder = join(above, "layers");
      using database = Database.open(join(above, "test.db"));
      using proof = LayeredProof.open(game, folder);
      await using reader = new ReadingCrew(game, proof, BYTES);
      /** Returns what a visit found out and wrote. */
      const traceOf = ({ block, step }: Visit, outcome: VisitOutcome | undefined) => {
        if (outcome === undefined || "damaged" in outcome) throw new Error("no visit");
        const bytes = readFileSync(join(folder, blockFileName(block, step))).toString("base64");
        const letters = outcome.letters.map(({ to, items, kept }) => {
          const all = kept ?? readLetters(folder, lettersFileName(block, step), to);
          return { items, ...sorted(all) };
        });
        return { block, step, bytes, ...outcome, letters };
      };
      let visited = 0;
      class ComparedCrew extends LocalCrew {
        override async visit(visits: readonly Visit[]) {
          const read = await reader.visit(visits);
          const expected = visits.map((visit, i) => traceOf(visit, read[i]));
          const held = await super.visit(visits);
          await this.save(visits);
          expect(visits.map((visit, i) => traceOf(visit, held[i]))).toEqual(expected);
          visited += visits.length;
          return held;
        }
      }
      await using holder = new ComparedCrew(game, proof, BYTES);
      await solveByLayers(game, database, proof, holder, { guess });
      expect(visited).toBeGreaterThan(100);
    });
  });
});

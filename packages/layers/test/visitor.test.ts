import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  blockFileName,
  digestOfLetters,
  LayeredProof,
  lettersFileName,
  solveByLayers,
  VisitCrew,
  type VisitOutcome,
  type VisitPort,
} from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { gameOf } from "./setup.js";

const ROOM = { threads: 1, bytes: 128 * 2 ** 20, savesAll: true };

describe("a visit", () => {
  it.each([
    ["2x4", 124],
    ["2x5", 196],
  ])(
    "to a block of %s in memory has the results and the files of one that reads its files",
    async (shape, guess) => {
      const game = gameOf(shape);
      const above = temporaryFolder();
      const folder = join(above, "layers");
      using database = Database.open(join(above, "test.db"));
      using proof = LayeredProof.open(game, folder);
      await using holder = new VisitCrew(game, folder, ROOM);
      await using reader = new VisitCrew(game, folder, { ...ROOM, forgetsAll: true });
      /** Returns what a visit found out and wrote. */
      const traceOf = (block: string, step: number, outcome: VisitOutcome | undefined) => {
        if (outcome === undefined || "damaged" in outcome) throw new Error("no visit");
        const { cost: _, ...result } = outcome;
        const letters = digestOfLetters(folder, lettersFileName(block, step));
        const bytes = readFileSync(join(folder, blockFileName(block, step))).toString("base64");
        return { block, step, result, letters, bytes };
      };
      let visited = 0;
      const port: VisitPort = {
        visit: async (visits) => {
          const visitWith = async (crew: VisitCrew) => {
            const outcomes = await crew.visit(visits);
            const traces = visits.map(({ block, step }, i) => traceOf(block, step, outcomes[i]));
            return { outcomes, traces };
          };
          const { traces: expected } = await visitWith(reader);
          const { outcomes, traces } = await visitWith(holder);
          expect(traces).toEqual(expected);
          visited += visits.length;
          return outcomes;
        },
        save: async () => {},
        awaitFolder: async () => false,
        workOff: async () => undefined,
      };
      await solveByLayers(game, database, proof, port, { guess });
      expect(visited).toBeGreaterThan(100);
    },
  );
});

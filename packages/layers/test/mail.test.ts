import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  LayeredProof,
  lettersFileName,
  solveByLayers,
  VisitCrew,
  type VisitPort,
} from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { readLetters } from "../src/block-file.js";
import { Mail } from "../src/mail.js";
import { gameOf } from "./setup.js";

const ROOM = { threads: 1, bytes: 128 * 2 ** 20 };

/** Solves a game; returns what its visits found out, and how many left their letters in memory. */
async function visitsOf(shape: string, guess: number, savesAll: boolean) {
  const game = gameOf(shape);
  const above = temporaryFolder();
  const folder = join(above, "layers");
  using database = Database.open(join(above, "test.db"));
  using proof = LayeredProof.open(game, folder);
  await using crew = new VisitCrew(game, folder, { ...ROOM, savesAll });
  const found: object[] = [];
  let [kept, read] = [0, 0];
  const port: VisitPort = {
    visit: async (visits) => {
      const outcomes = await crew.visit(visits);
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome === undefined || "damaged" in outcome) throw new Error("no visit");
        const { block, step, kept: received = [] } = visits[i] as (typeof visits)[0];
        const { cost: _, kept: letters, ...result } = outcome;
        found.push({ block, step, ...result });
        read += received.length;
        if (letters === undefined || letters.length === 0) continue;
        kept++;
        expect(existsSync(join(folder, lettersFileName(block, step)))).toBe(false);
      }
      return outcomes;
    },
    save: (blocks) => crew.save(blocks),
    awaitFolder: () => crew.awaitFolder(),
    workOff: async () => undefined,
  };
  await solveByLayers(game, database, proof, port, { guess });
  return { found, kept, read };
}

describe("letters in memory", () => {
  it.each([
    ["2x4", 124],
    ["2x5", 196],
  ])("of %s lead to the same visits as letters in files", async (shape, guess) => {
    const inMemory = await visitsOf(shape, guess, false);
    const inFiles = await visitsOf(shape, guess, true);
    expect(inMemory.found).toEqual(inFiles.found);
    expect(inMemory.kept).toBeGreaterThan(100);
    expect(inMemory.read).toBeGreaterThan(100);
    expect(inFiles.kept + inFiles.read).toBe(0);
  });

  const lettersOf = (to: string, bytes: Uint8Array) => ({
    ...{ to, demands: 1, answers: bytes.length / 12 - 1 },
    bytes,
  });

  it("are given to the block that they address until they are dropped", () => {
    const mail = new Mail();
    const [a, b] = [lettersOf("a", Buffer.alloc(24, 1)), lettersOf("b", Buffer.alloc(12, 2))];
    mail.keep("1.0.letters", [a, b]);
    mail.keep("2.0.letters", [b]);
    const files = ["1.0.letters", "2.0.letters", "3.0.letters"];
    expect(mail.lettersTo("a", files)).toEqual([{ ...a, file: "1.0.letters" }]);
    expect(mail.lettersTo("b", files).map(({ file }) => file)).toEqual(files.slice(0, 2));
    expect(mail.drop("1.0.letters")).toBe(true);
    expect(mail.drop("1.0.letters")).toBe(false);
    expect(mail.lettersTo("b", files).map(({ file }) => file)).toEqual(files.slice(1, 2));
  });

  it("go to files when they take much memory", () => {
    const folder = temporaryFolder();
    const mail = new Mail();
    const large = Buffer.alloc(12 * 2 ** 20, 3);
    for (const [i, kept] of [true, true, false].entries()) {
      const file = lettersFileName("1", i);
      mail.keep(file, [lettersOf("a", large)]);
      mail.limit(folder);
      expect(mail.lettersTo("a", [file])).toHaveLength(kept ? 1 : 0);
      expect(existsSync(join(folder, file))).toBe(!kept);
    }
    for (const step of [0, 1, 2]) {
      const { demands, bytes } = readLetters(folder, lettersFileName("1", step), "a");
      expect(demands).toBe(1);
      expect(large.equals(bytes)).toBe(true);
    }
    mail.keep("2.0.letters", [lettersOf("a", Buffer.alloc(12))]);
    mail.limit(folder);
    expect(existsSync(join(folder, "2.0.letters"))).toBe(false);
  });
});

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bound, PackedBoard } from "@gridlock/game";
import { LayeredProof, LayersReader, solveByLayers, VisitCrew } from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gameOf, ReadingCrew, verifyLayers } from "./setup.js";

const GAME = gameOf("3x3");
const GUESS = 188;
/** Steps after which most blocks have files with changes. */
const STEPS = 100;
const ROOM = 32 * 2 ** 20;

/** Solves 3×3, or only makes the first steps; each visit reads its block's files, and adds one. */
async function solve(folder: string, steps = Number.POSITIVE_INFINITY) {
  const database = Database.open(join(folder, "test.db"));
  const stop = new AbortController();
  let step = 0;
  try {
    using proof = LayeredProof.open(GAME, join(folder, "layers"));
    await using crew = new ReadingCrew(GAME, proof, ROOM);
    await solveByLayers(GAME, database, proof, crew, {
      ...{ guess: GUESS, signal: stop.signal },
      onProgress: () => ++step >= steps && stop.abort(),
    });
  } finally {
    database.close();
  }
  return join(folder, "layers");
}

const blocksIn = (folder: string) =>
  readdirSync(folder).filter((name) => /^[0-9a-e].*\.block$/.test(name));
/** Returns the step of the file on which a file builds, plus 1; see `block-file.ts`. */
const baseOf = (folder: string, name: string) => readFileSync(join(folder, name)).readUInt32LE(20);

describe("a proof whose blocks have files with changes", () => {
  const above = temporaryFolder(afterAll);
  const folder = join(above, "layers");
  let names: string[];
  let changes: string[];
  beforeAll(async () => {
    await solve(above, STEPS);
    names = blocksIn(folder);
    changes = names.filter((name) => baseOf(folder, name) > 0);
  });

  it("follows by the rules", async () => {
    expect(changes.length).toBeGreaterThan(2);
    const report = await verifyLayers(GAME, folder, new Map(), { threads: 1, bytes: ROOM });
    expect(report).toMatchObject({ failed: 0, damaged: [], unproven: [] });
    expect(report.blocks).toBeLessThan(names.length);
  });

  it("is read with the last bounds of each board", () => {
    const reader = new LayersReader(GAME, folder);
    const last = new Map<PackedBoard, Bound>();
    let replaced = 0;
    for (const { board, lo, hi } of reader.bounds()) {
      const before = last.get(board);
      if (before && (before.lo < lo || before.hi > hi)) replaced++;
      last.set(board, { lo, hi });
    }
    expect(replaced).toBeGreaterThan(100);
    const every = Math.ceil(last.size / 500);
    for (const [board, bound] of [...last].filter((_, i) => i % every === 0)) {
      expect(reader.boundOf(board)).toEqual(bound);
    }
  });

  it.each(["the first", "the last"])(
    "is not read from a block of which %s file is damaged",
    (which) => {
      const [block] = (changes[0] as string).split(".") as [string];
      const files = names.filter((name) => name.startsWith(`${block}.`));
      const stepOf = (name: string) => Number(name.split(".")[1]);
      files.sort((a, b) => stepOf(a) - stepOf(b));
      const file = join(folder, files.at(which === "the first" ? 0 : -1) as string);
      const bytes = readFileSync(file);
      const flipped = Buffer.from(bytes);
      flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] as number) ^ 1;
      writeFileSync(file, flipped);
      try {
        const damaged: string[] = [];
        const onDamage = (path: string) => damaged.push(path);
        const reader = new LayersReader(GAME, folder, onDamage);
        let i = 0;
        for (const { board } of reader.bounds()) if (i++ % 200 === 0) reader.boundOf(board);
        expect(damaged).toEqual([file]);
      } finally {
        writeFileSync(file, bytes);
      }
    },
  );

  it("ends with the same whole files as a proof in memory", async () => {
    const other = temporaryFolder();
    const database = Database.open(join(other, "test.db"));
    try {
      using proof = LayeredProof.open(GAME, join(other, "layers"));
      await using crew = new VisitCrew(GAME, proof, { threads: 2, bytes: 2 * ROOM });
      await solveByLayers(GAME, database, proof, crew, { guess: GUESS });
    } finally {
      database.close();
    }
    const expected = join(other, "layers");
    const made = await solve(above);
    const whole = blocksIn(made);
    expect(whole.filter((name) => baseOf(made, name) > 0)).toEqual([]);
    expect(whole).toEqual(blocksIn(expected));
    for (const name of whole) {
      expect(readFileSync(join(made, name)).equals(readFileSync(join(expected, name)))).toBe(true);
    }
    rmSync(expected, { recursive: true });
  });
});

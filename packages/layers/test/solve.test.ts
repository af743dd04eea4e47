import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isExact, packBoard, seededRandom, starts, type Tiles } from "@gridlock/game";
import {
  DamagedFile,
  LayeredProof,
  LayersReader,
  solveByLayers,
  type Visit,
  VisitCrew,
} from "@gridlock/layers";
import type { StartBound } from "@gridlock/solver";
import { Database, LayersFile } from "@gridlock/store";
import { Oracle, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { STARTS } from "../src/blocks.js";
import { FILES_VERSION } from "../src/folder.js";
import { filesIn, gameOf, ReadingCrew, solveInPieces, solveWith, verifyLayers } from "./setup.js";

const SMALL: [shape: string, tiles: Tiles][] = [
  ["1x2", [2, 4]],
  ["1x5", [2, 4]],
  ["2x2", [2, 4]],
  ["2x2", [2]],
  ["2x3", [2, 4]],
  ["2x3", [2]],
];

describe.each(SMALL)("a proof by layers of %s, tiles %j", (shape, tiles) => {
  const game = gameOf(shape, tiles);

  it("finds the value of each start, and true bounds of all nodes", async () => {
    const oracle = new Oracle(game).valueAll();
    const high = { guess: 600 };
    const ways = tiles.length === 1 ? [high] : [{ guess: 40 }, high, { guess: 40, split: 4 }];
    for (const how of ways) {
      const { starts, nodes } = await solveWith(game, how);
      for (const { board, bound } of starts) {
        const value = oracle.positions.get(packBoard(board));
        expect(bound).toEqual({ lo: value, hi: value });
      }
      for (const { board, lo, hi } of nodes) {
        const value = oracle.afterstates.get(board) as number;
        expect(value).toBeGreaterThanOrEqual(lo);
        expect(value).toBeLessThanOrEqual(hi);
      }
    }
  });
});

/**
 * Number of starts of 3×3 by value; a first threshold just above, and the most nodes to expand with
 * it.
 */
const VALUES_OF_3X3 = { 164: 8, 180: 12, 184: 8 };
const GUESS_OF_3X3 = 188;
const MOST_EXPANDED_OF_3X3 = 61_000;

function histogram(values: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

describe("a proof by layers of 3×3", () => {
  const game = gameOf("3x3");

  it("has the same files with threads in little memory, and if stopped and resumed", async () => {
    const whole = temporaryFolder();
    const once = await solveWith(game, { folder: whole, guess: GUESS_OF_3X3 });
    expect(histogram(once.starts.map(({ bound }) => bound.lo))).toEqual(VALUES_OF_3X3);
    expect(once.starts.every(({ bound }) => isExact(bound))).toBe(true);
    expect(once.status.expanded).toBeLessThanOrEqual(MOST_EXPANDED_OF_3X3);

    const threaded = temporaryFolder();
    // In a little less than this, a block that is visited alone has too little. Together, four need
    // more, and give up visits until others have ended.
    const how = { threads: 4, bytes: 7.25 * 2 ** 20, guess: GUESS_OF_3X3 };
    const many = await solveWith(game, { ...how, folder: threaded });
    expect(many.status).toMatchObject({ expanded: once.status.expanded, looks: once.status.looks });
    expect(filesIn(join(threaded, "layers"))).toEqual(filesIn(join(whole, "layers")));

    const resumed = await solveInPieces(game, 60, { guess: GUESS_OF_3X3 });
    expect(resumed.status).toMatchObject({ expanded: once.status.expanded });
    expect(filesIn(join(resumed.folder, "layers"))).toEqual(filesIn(join(whole, "layers")));
  });
});

describe("a folder", () => {
  it("has one proof of one game at a time", () => {
    const folder = temporaryFolder();
    {
      using _proof = LayeredProof.open(gameOf("2x3"), folder);
      expect(() => LayeredProof.open(gameOf("2x3"), folder)).toThrow(
        /another process is working on/,
      );
    }
    expect(() => LayeredProof.open(gameOf("2x2"), folder)).toThrow(/belongs to "2x3"/);
    LayeredProof.open(gameOf("3x2"), folder)[Symbol.dispose]();
  });

  it("keeps the thresholds of a resumed proof's round, even of one that took no step", async () => {
    const folder = temporaryFolder();
    const game = gameOf("2x3");
    const bytes = 32 * 2 ** 20;
    await using crew = new VisitCrew(game, { folder, split: 1 }, { threads: 1, bytes });
    for (const [i, threshold] of [40, 20].entries()) {
      const thresholds = starts(game.shape).map(() => threshold);
      {
        using proof = LayeredProof.open(game, folder);
        const bounds = await proof.ask(thresholds, crew);
        expect(bounds.every(({ lo }) => lo >= threshold)).toBe(true);
      }
      using resumed = LayeredProof.open(game, folder);
      expect(resumed.thresholds).toEqual(thresholds);
      expect(resumed.status.round).toBe(i + 1);
    }
  });

  it("with files of another version is rejected", () => {
    const folder = temporaryFolder();
    const game = gameOf("2x3");
    new LayersFile(join(folder, "progress.db"), game, "0")[Symbol.dispose]();
    expect(() => LayeredProof.open(game, folder)).toThrow(
      new RegExp(`another version .* \\("0"; this is ${FILES_VERSION}\\)`),
    );
  });
});

/** Inverts a bit of a file, selected by a number. */
function flipBit(file: string, number: number): void {
  const bytes = readFileSync(file);
  const bit = number % (8 * bytes.length);
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  writeFileSync(file, bytes);
}

/** Files to damage, in each run and in the long one, and steps after which a run of 2×4 or of 3×3 is stopped. */
const MOST_DAMAGED = 40;
const MOST_DAMAGED_LONG = 160;
const STEPS_OF_A_RUN = 12;
const STEPS_OF_A_RUN_OF_3X3 = 36;
/** Bits of the first chunk of a file of letters to a single block, with its head. */
const LETTERS_HEAD_BITS = 8 * (8 + 16);

/** Number of starts of 2×4 by value; a first threshold just above. */
const VALUES_OF_2X4 = { 112: 4, 116: 7, 124: 23 };
const GUESS_OF_2X4 = 128;

describe("a damaged file", () => {
  it("is detected wherever a bit of its bounds is wrong or its end is missing", async () => {
    const game = gameOf("2x3");
    const folder = temporaryFolder();
    await solveWith(game, { folder });
    const layers = join(folder, "layers");
    const readAll = () => {
      const onDamage = (name: string) => {
        throw new DamagedFile(name, "is damaged");
      };
      return [...new LayersReader(game, layers, onDamage).bounds()].length;
    };
    const count = readAll();
    const isOfBoards = /^[0-9a-e].*\.block$/; // the block of the starts has no own bounds
    for (const name of readdirSync(layers).filter((name) => isOfBoards.test(name))) {
      const file = join(layers, name);
      const bytes = readFileSync(file);
      for (let bit = 0; bit < 8 * bytes.length; bit += 691) {
        flipBit(file, bit);
        expect(readAll, `${name}, bit ${bit}`).toThrow(DamagedFile);
        writeFileSync(file, bytes);
      }
      writeFileSync(file, bytes.subarray(0, bytes.length - 1));
      expect(readAll, name).toThrow(DamagedFile);
      writeFileSync(file, bytes);
    }
    expect(readAll()).toBe(count);
  });

  const whileSolving =
    "is detected while solving, its bounds are proven again, and the proof holds";
  it(whileSolving, () => isSurvived(MOST_DAMAGED));
  it(`${whileSolving}, many times`, { tags: ["long"] }, () => isSurvived(MOST_DAMAGED_LONG));

  async function isSurvived(most: number): Promise<void> {
    const game = gameOf("2x4");
    const folder = temporaryFolder();
    const layers = join(folder, "layers");
    const random = seededRandom(1);
    const damaged: string[] = [];
    const found: string[] = [];
    const damage = (file: string, bits = 2 ** 30) => {
      flipBit(join(layers, file), Math.floor(random() * bits));
      damaged.push(join(layers, file));
    };
    let starts: readonly StartBound[] = [];
    for (let isSolved = false; !isSolved; ) {
      const database = Database.open(join(folder, "test.db"));
      using _closing = { [Symbol.dispose]: () => database.close() };
      using proof = LayeredProof.open(game, layers, { onDamage: (file) => found.push(file) });
      const stop = new AbortController();
      let steps = 0;
      const isLast = damaged.length >= most;
      class DamagingCrew extends ReadingCrew {
        override visit(visits: readonly Visit[]) {
          if (isLast || visits[0]?.block === STARTS) return super.visit(visits);
          // The first visit of a run reads its block from the file. All visits read letters: those
          // for their own block, and the first chunk.
          const [{ block, last, letters }] = visits as [Visit];
          const inFile = letters.find(({ kept }) => !kept)?.file;
          if (steps === 0 && last !== undefined) damage(`${block}.${last}.block`);
          else if (inFile && random() < 0.5) damage(inFile, LETTERS_HEAD_BITS);
          if (++steps === STEPS_OF_A_RUN || damaged.length >= most) stop.abort();
          return super.visit(visits);
        }
      }
      await using crew = new DamagingCrew(game, proof, 32 * 2 ** 20);
      const signal = isLast ? {} : { signal: stop.signal };
      const options = { guess: GUESS_OF_2X4, ...signal };
      starts = await solveByLayers(game, database, proof, crew, options);
      isSolved = starts.every(({ bound }) => isExact(bound));
    }
    expect(histogram(starts.map(({ bound }) => bound.lo))).toEqual(VALUES_OF_2X4);
    expect(damaged.length).toBeGreaterThanOrEqual(most);
    expect(found).toEqual(damaged);
    const report = await verifyLayers(game, layers, new Map(), { threads: 1, bytes: 64 * 2 ** 20 });
    expect(report).toMatchObject({ failed: 0, damaged: [], complete: true });
  }

  it("leaves files that prove all values, however many runs that takes", async () => {
    const game = gameOf("3x3");
    const folder = temporaryFolder();
    const layers = join(folder, "layers");
    const damaged: string[] = [];
    const found: string[] = [];
    let starts: readonly StartBound[] = [];
    do {
      const database = Database.open(join(folder, "test.db"));
      using _closing = { [Symbol.dispose]: () => database.close() };
      using proof = LayeredProof.open(game, layers, { onDamage: (file) => found.push(file) });
      const stop = new AbortController();
      let steps = 0;
      class DamagingCrew extends ReadingCrew {
        override visit(visits: readonly Visit[]) {
          if (visits[0]?.block === STARTS) return super.visit(visits);
          // Once, when some values are already in the database.
          if (damaged.length === 0 && starts.some(({ bound }) => isExact(bound))) {
            for (const { block, last } of visits) {
              if (last !== undefined) damaged.push(join(layers, `${block}.${last}.block`));
            }
            for (const file of damaged) flipBit(file, 1000);
          }
          if (++steps === STEPS_OF_A_RUN_OF_3X3) stop.abort();
          return super.visit(visits);
        }
      }
      await using crew = new DamagingCrew(game, proof, 32 * 2 ** 20);
      const onProgress = (now: readonly StartBound[]) => {
        starts = now;
      };
      const options = { guess: GUESS_OF_3X3, signal: stop.signal, onProgress };
      starts = await solveByLayers(game, database, proof, crew, options);
    } while (!starts.every(({ bound }) => isExact(bound)));
    expect(histogram(starts.map(({ bound }) => bound.lo))).toEqual(VALUES_OF_3X3);
    expect(damaged).not.toEqual([]);
    expect(found).toEqual(damaged);
    const report = await verifyLayers(game, layers, new Map(), { threads: 2, bytes: 64 * 2 ** 20 });
    expect(report).toMatchObject({ failed: 0, damaged: [], complete: true });
  });
});

describe("a thread without enough memory", () => {
  it("fails with a sentence, and nothing hangs", async () => {
    const game = gameOf("3x3");
    const folder = temporaryFolder();
    using proof = LayeredProof.open(game, folder);
    await using crew = new VisitCrew(game, proof, { threads: 1, bytes: 2 * 2 ** 20 });
    await expect(proof.ask(Array(28).fill(GUESS_OF_3X3), crew)).rejects.toThrow(/memory/);
  });
});

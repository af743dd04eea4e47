import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isExact, packBoard, type Tiles } from "@gridlock/game";
import { DamagedFile, LayeredProof, VisitCrew } from "@gridlock/layers";
import { Oracle, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { gameOf, solveWith } from "./setup.js";

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
    for (const guess of tiles.length === 1 ? [600] : [40, 600]) {
      const { starts, nodes } = await solveWith(game, { guess });
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

/** Number of starts of 3×3 with each value; a first threshold just above them, and the most nodes to expand then. */
const VALUES_OF_3X3 = { 164: 8, 180: 12, 184: 8 };
const GUESS_OF_3X3 = 188;
const MOST_EXPANDED_OF_3X3 = 61_000;

function histogram(values: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** The names of the files in a folder, with digests of their contents. */
function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.(visit|bounds)$/.test(name))
    .sort()
    .map((name) => {
      const digest = createHash("sha256").update(readFileSync(join(folder, name)));
      return `${name} ${digest.digest("hex")}`;
    });
}

describe("a proof by layers of 3×3", () => {
  const game = gameOf("3x3");

  it("is the same, file by file, with any number of threads, and when it is stopped and resumed", async () => {
    const whole = temporaryFolder();
    const once = await solveWith(game, { folder: whole, guess: GUESS_OF_3X3 });
    expect(histogram(once.starts.map(({ bound }) => bound.lo))).toEqual(VALUES_OF_3X3);
    expect(once.starts.every(({ bound }) => isExact(bound))).toBe(true);
    expect(once.status.expanded).toBeLessThanOrEqual(MOST_EXPANDED_OF_3X3);

    const threaded = temporaryFolder();
    const many = await solveWith(game, { folder: threaded, threads: 3, guess: GUESS_OF_3X3 });
    expect(many.status).toMatchObject({ expanded: once.status.expanded, looks: once.status.looks });
    expect(filesIn(join(threaded, "layers"))).toEqual(filesIn(join(whole, "layers")));

    const pieces = temporaryFolder();
    let resumed = once;
    for (let done = false; !done; ) {
      const stop = new AbortController();
      let steps = 0;
      resumed = await solveWith(game, {
        ...{ folder: pieces, guess: GUESS_OF_3X3 },
        signal: stop.signal,
        onProgress: () => ++steps > 300 && stop.abort(),
      });
      done = resumed.starts.every(({ bound }) => isExact(bound));
    }
    expect(resumed.status).toMatchObject({ expanded: once.status.expanded });
    expect(filesIn(join(pieces, "layers"))).toEqual(filesIn(join(whole, "layers")));
  });
});

describe("a folder", () => {
  it("has one proof at a time, of one game", () => {
    const folder = temporaryFolder();
    {
      using _proof = LayeredProof.open(gameOf("2x3"), folder);
      expect(() => LayeredProof.open(gameOf("2x3"), folder)).toThrow(/another process is solving/);
    }
    expect(() => LayeredProof.open(gameOf("2x2"), folder)).toThrow(/belongs to 2x3/);
    LayeredProof.open(gameOf("3x2"), folder)[Symbol.dispose]();
  });
});

describe("a damaged file", () => {
  it("is found wherever a bit is wrong, and whatever is missing", async () => {
    const game = gameOf("2x3");
    const folder = temporaryFolder();
    await solveWith(game, { folder });
    const layers = join(folder, "layers");
    const files = readdirSync(layers).filter((name) => /\.(visit|bounds)$/.test(name));
    const readAll = () => {
      using proof = LayeredProof.open(game, layers);
      return [...proof.bounds()].length;
    };
    const count = readAll();
    for (const name of files.filter((name) => name.endsWith(".bounds"))) {
      const file = join(layers, name);
      const bytes = readFileSync(file);
      for (let bit = 0; bit < 8 * bytes.length; bit += 149) {
        const wrong = Buffer.from(bytes);
        wrong[bit >> 3] = (wrong[bit >> 3] as number) ^ (1 << (bit & 7));
        writeFileSync(file, wrong);
        expect(readAll, `${name}, bit ${bit}`).toThrow(DamagedFile);
      }
      writeFileSync(file, bytes.subarray(0, bytes.length - 1));
      expect(readAll, name).toThrow(DamagedFile);
      writeFileSync(file, bytes);
    }
    expect(readAll()).toBe(count);
  });
});

describe("a thread without enough memory", () => {
  it("fails with a sentence, and nothing hangs", async () => {
    const game = gameOf("2x4");
    const folder = temporaryFolder();
    using proof = LayeredProof.open(game, folder);
    await using crew = new VisitCrew(game, folder, { threads: 1, bytes: 5 * 2 ** 20 });
    await expect(proof.ask([148, ...Array(27).fill(148)], crew)).rejects.toThrow(/memory/);
  });
});

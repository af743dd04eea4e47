import { join } from "node:path";
import { packBoard, parseBoard, parseShape } from "@gridlock/game";
import { LayeredProof, LayersReader } from "@gridlock/layers";
import { Oracle, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { makeBlockMemory } from "../src/block-memory.js";
import { MOST_SPLIT, STARTS, splitOf } from "../src/blocks.js";
import { savedState } from "../src/folder.js";
import { Visitor } from "../src/visitor.js";
import { gameOf, solveInPieces, solveWith, verifyLayers } from "./setup.js";

/** A first threshold of 2×3 far above its values. */
const GUESS = 100;

describe("a proof whose blocks are split", () => {
  it("has the values, true bounds of all nodes, and blocks that any reader finds", async () => {
    const game = gameOf("2x3");
    const oracle = new Oracle(game).valueAll();
    const folder = temporaryFolder();
    const { starts, nodes } = await solveWith(game, { folder, split: 4 });
    for (const { board, bound } of starts) {
      const value = oracle.positions.get(packBoard(board));
      expect(bound).toEqual({ lo: value, hi: value });
    }
    const reader = new LayersReader(game, join(folder, "layers"));
    for (const { board, lo, hi } of nodes) {
      const value = oracle.afterstates.get(board) as number;
      expect(value).toBeGreaterThanOrEqual(lo);
      expect(value).toBeLessThanOrEqual(hi);
      expect(reader.boundOf(board)).toBeDefined();
    }
  });

  it("has smaller blocks, holds, and expands the same nodes however it is made", async () => {
    const game = gameOf("2x3");
    const folder = temporaryFolder();
    const once = await solveWith(game, { folder, split: 4, guess: GUESS });
    const unsplit = temporaryFolder();
    await solveWith(game, { folder: unsplit, guess: GUESS });
    const blocksIn = (folder: string) => savedState(game, join(folder, "layers")).blocks;
    const [blocks, whole] = [blocksIn(folder), blocksIn(unsplit)];
    expect(blocks.length).toBeGreaterThan(2 * whole.length);
    expect(largest(blocks)).toBeLessThan(largest(whole));
    const report = await verifyLayers(game, join(folder, "layers"), new Map(), {
      ...{ threads: 2, bytes: 2 ** 26 },
    });
    expect(report).toMatchObject({ failed: 0, unproven: [], damaged: [], complete: true });

    const resumed = await solveInPieces(game, 60, { split: 4, guess: GUESS, threads: 2 });
    expect(resumed.status).toMatchObject({
      ...{ expanded: once.status.expanded, looks: once.status.looks },
      boards: once.status.boards,
    });
  });

  it("is not continued with another split", () => {
    const game = gameOf("2x4");
    const layers = join(temporaryFolder(), "layers");
    LayeredProof.open(game, layers, { split: 4 })[Symbol.dispose]();
    LayeredProof.open(game, layers, { split: 4 })[Symbol.dispose]();
    expect(() => LayeredProof.open(game, layers, { split: 2 })).toThrow(
      /was begun with --split 4, not 2; delete the folder to start over/,
    );
    LayeredProof.open(game, layers)[Symbol.dispose]();
    expect(savedState(game, layers).split).toBe(4);
  });
});

function largest(blocks: readonly { readonly boards: number }[]): number {
  return Math.max(...blocks.map(({ boards }) => boards));
}

describe("blocks", () => {
  it("are split where they would be too large for memory", () => {
    const splits = ["2x2", "3x4", "2x7", "2x8", "3x5", "4x4"].map((shape) =>
      splitOf(parseShape(shape)),
    );
    expect(splits.slice(0, 3)).toEqual([1, 1, 1]);
    for (const split of splits.slice(3)) {
      expect(split).toBeGreaterThan(1);
      expect(Math.log2(split) % 1).toBe(0);
      expect(split).toBeLessThanOrEqual(MOST_SPLIT);
    }
  });

  it("have no number for the largest tile sums, which end a visit with a sentence", () => {
    const game = gameOf("4x4");
    const folder = join(temporaryFolder(), "layers");
    LayeredProof.open(game, folder)[Symbol.dispose]();
    const board = packBoard(parseBoard("16384 8192 2 0/0 0 0 0/0 0 0 0/0 0 0 0").board);
    const visitor = new Visitor(game, { folder, split: 1 }, makeBlockMemory(game, 1, 2 ** 26), 0);
    const visit = { block: STARTS, step: 1, last: undefined, isNewRound: false };
    expect(() => visitor.visit({ ...visit, letters: [], starts: [{ board, need: 100 }] })).toThrow(
      /the proof has more blocks than this version can handle/,
    );
    expect(new LayersReader(game, folder).boundOf(board)).toBeUndefined();
  });
});

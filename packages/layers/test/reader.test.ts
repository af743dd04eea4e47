import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Bound,
  isExact,
  type PackedBoard,
  packedFromBits,
  seededRandom,
} from "@gridlock/game";
import { LayersReader } from "@gridlock/layers";
import {
  blockFilesIn,
  readClaimFile,
  resealChunks,
  temporaryFolder,
  writeClaimFile,
} from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { gameOf, solveWith } from "./setup.js";

/** Solves a game, or takes the first steps; returns the proof's folder and its nodes. */
async function proofOf(shape: string, steps = Number.POSITIVE_INFINITY) {
  const folder = temporaryFolder();
  const stop = new AbortController();
  let step = 0;
  const { nodes } = await solveWith(gameOf(shape), {
    ...{ folder, signal: stop.signal, bytes: 128 * 2 ** 20 },
    onProgress: () => ++step >= steps && stop.abort(),
  });
  return { folder: join(folder, "layers"), nodes };
}

/** Returns whether a bound is that of a node. */
function isOf({ lo, hi }: Bound, bound: Bound | undefined): boolean {
  return bound?.lo === lo && bound.hi === hi;
}

/** A bit of a board's fourth cell: with this bit inverted, hardly any board has a node. */
const OTHER = 1n << 13n;

describe("a reader of layers", () => {
  it.each([
    ["1x6", undefined],
    ["2x3", undefined],
    ["3x3", 20],
    ["2x6", 2], // 32 and more count as large tiles
    ["2x7", 3], // 16 and more
    ["3x5", 3], // keys of more than 53 bits
    ["4x4", 2], // keys of 64 bits
  ])("finds every node of %s with its bounds, and nothing else", async (shape, steps) => {
    const { folder, nodes } = await proofOf(shape, steps);
    expect(nodes.length).toBeGreaterThan(20);
    const reader = new LayersReader(gameOf(shape), folder);
    const known = new Set(nodes.map(({ board }) => board as bigint));
    const every = Math.ceil(nodes.length / 200);
    for (const { board, lo, hi } of nodes.filter((_, i) => i % every === 0)) {
      expect(reader.boundOf(board)).toEqual({ lo, hi });
      const other = packedFromBits(board ^ OTHER);
      if (!known.has(other)) expect(reader.boundOf(other)).toBeUndefined();
    }
    const all = new Map(nodes.map((node) => [node.board, node]));
    let [found, same] = [0, 0];
    for (const { board, lo, hi } of reader.bounds()) {
      found++;
      const node = all.get(board);
      if (node?.lo === lo && node.hi === hi) same++;
    }
    expect({ found, same }).toEqual({ found: nodes.length, same: nodes.length });
  });

  it("finds the nodes of a file in the right chunk", async () => {
    const { folder, nodes } = await proofOf("2x3");
    for (const name of blockFilesIn(folder)) {
      const file = readClaimFile(folder, name);
      writeClaimFile(folder, { ...file, chunks: file.chunks.flat().map((claim) => [claim]) });
    }
    const reader = new LayersReader(gameOf("2x3"), folder);
    expect(nodes.filter((node) => !isOf(node, reader.boundOf(node.board)))).toEqual([]);
  });

  it("follows a proof that continues and replaces its files", async () => {
    const proof = await proofOf("2x3");
    const nodes = proof.nodes.filter((_, i) => i % 5 === 0);
    const game = gameOf("2x3");
    const folder = temporaryFolder();
    const damaged: string[] = [];
    let reader: LayersReader | undefined;
    let before = new Map<PackedBoard, Bound>();
    let reloads = 0;
    for (let isDone = false; !isDone; ) {
      const stop = new AbortController();
      let steps = 0;
      const { starts } = await solveWith(game, {
        ...{ folder, signal: stop.signal },
        onProgress: () => ++steps > 4 && stop.abort(),
      });
      isDone = starts.every(({ bound }) => isExact(bound));
      reader ??= new LayersReader(game, join(folder, "layers"), (file) => damaged.push(file));
      const known = new Map<PackedBoard, Bound>();
      for (const { board } of nodes) {
        const bound = reader.boundOf(board);
        if (bound) known.set(board, bound);
      }
      for (const [board, { lo, hi }] of before) {
        expect(known.get(board)?.lo).toBeGreaterThanOrEqual(lo);
        expect(known.get(board)?.hi).toBeLessThanOrEqual(hi);
      }
      if (known.size > before.size) reloads++;
      before = known;
    }
    expect(damaged).toEqual([]);
    expect(reloads).toBeGreaterThan(2);
    expect(before).toEqual(new Map(nodes.map(({ board, lo, hi }) => [board, { lo, hi }])));
  });

  it("never returns a bound from a damaged file, and names the file", async () => {
    const proof = await proofOf("2x3");
    const { folder } = proof;
    const nodes = proof.nodes.filter((_, i) => i % 5 === 0);
    const random = seededRandom(3);
    const names = blockFilesIn(folder);
    let unknown = 0;
    for (let i = 0; i < 30; i++) {
      const name = names[i % names.length] as string;
      const file = join(folder, name);
      const bytes = readFileSync(file);
      const reading = new LayersReader(gameOf("2x3"), folder);
      expect(nodes.filter((node) => !isOf(node, reading.boundOf(node.board)))).toEqual([]);
      const bit = Math.floor(random() * 8 * bytes.length);
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      writeFileSync(file, flipped);
      const damaged: string[] = [];
      const reader = new LayersReader(gameOf("2x3"), folder, (path) => damaged.push(path));
      let missing = 0;
      const wrong = nodes.filter((node) => {
        const bound = reader.boundOf(node.board);
        if (bound === undefined) missing++;
        // One that has read the file before notices it, too.
        return [bound, reading.boundOf(node.board)].some((found) => found && !isOf(node, found));
      });
      expect(wrong, `${name}, bit ${bit}`).toEqual([]);
      expect(damaged, `${name}, bit ${bit}`).toEqual(missing > 0 ? [file] : []);
      expect(missing).toBeLessThan(nodes.length);
      unknown += missing;
      writeFileSync(file, bytes);
    }
    expect(unknown).toBeGreaterThan(0);
  });

  it("ends on files that no visit writes, although their checksums are right", async () => {
    const { folder } = await proofOf("2x3", 4); // with nodes
    const names = blockFilesIn(folder);
    let reported = 0;
    for (const name of names) {
      const file = join(folder, name);
      const bytes = readFileSync(file);
      // More at the beginning, in the heads of the file and of its first chunk.
      for (let at = 8; at + 4 <= bytes.length; at += at < 60 ? 3 : 29) {
        const forged = Buffer.from(bytes);
        forged.writeUInt32LE(at % 2 === 0 ? 0xffffffff : 0x7fffffff, at);
        resealChunks(forged);
        writeFileSync(file, forged);
        const onDamage = () => reported++;
        const reader = new LayersReader(gameOf("2x3"), folder, onDamage);
        expect([...reader.bounds()].filter(({ lo, hi }) => lo > hi)).toEqual([]);
      }
      writeFileSync(file, bytes);
    }
    expect(reported).toBeGreaterThan(0);
  });

  it("returns no bound from a missing file", async () => {
    const { folder, nodes } = await proofOf("2x3");
    const names = blockFilesIn(folder);
    const [name] = names as [string];
    renameSync(join(folder, name), join(folder, "elsewhere"));
    const damaged: string[] = [];
    const reader = new LayersReader(gameOf("2x3"), folder, (path) => damaged.push(path));
    const found = nodes.filter(({ board }) => reader.boundOf(board));
    expect(damaged).toEqual([join(folder, name)]);
    expect(found.length).toBeLessThan(nodes.length);
    expect(found.length).toBeGreaterThan(0);
    expect([...reader.bounds()]).toHaveLength(found.length);
  });

  it("rejects a folder without a proof, and one of another game", async () => {
    const { folder } = await proofOf("2x2");
    expect(() => new LayersReader(gameOf("2x3"), folder)).toThrow(/belongs to "2x2"/);
    expect(() => new LayersReader(gameOf("2x2"), join(folder, "none"))).toThrow(/there is no/);
  });
});

import { crc32 } from "node:zlib";
import { exponentOf, type Game } from "@gridlock/game";
import { BLOCK_POSITIONS, codeOf, encodeBlock } from "./block.js";
import type { Column } from "./columns.js";

/*
 * A column of a tabulation; docs/tablebase.md has every byte. A head of 24 bytes is followed by layers, each with a head,
 * a directory of its blocks and the blocks; last comes a layer head that says that it is the end. All of it follows from
 * the rules, so that the same file is made however often the making is interrupted; every head, directory and block has
 * a checksum, and what has a wrong one is as good as not there.
 */

const MAGIC = Buffer.from("GRLKTAB\x01", "latin1");
export const FILE_HEAD_BYTES = 24;
export const LAYER_HEAD_BYTES = 32;
export const DIRECTORY_ENTRY_BYTES = 16;
/** The tile sum in the head of the layer that is none. */
export const END = 0;
/** Where a layer's head has the checksum of what is before it and of the directory. */
const CHECKSUM_AT = 28;

/** What is counted of a layer; the last two are 0 in columns of values. */
export interface LayerCount {
  readonly sum: number;
  readonly positions: number;
  readonly afterstates: number;
  /** Positions without a slide. */
  readonly terminals: number;
}

/** A layer as a file has it. */
export interface StoredLayer extends LayerCount {
  /** Where its head is. */
  readonly at: number;
  /** Where its blocks begin, and how many bytes they have in all. */
  readonly blocksAt: number;
  readonly bytes: number;
  /** How many blocks the layers before it in the file have. */
  readonly blocksBefore: number;
  /** For each block: its first board without the first cell, where it begins, its bytes, its checksum. */
  readonly firsts: Float64Array;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  readonly checksums: Uint32Array;
}

const COLUMN_CODES = { positions: 0, minimax: 1, expected: 2, reach: 3 } as const;

/** The head of a column's file. */
export function fileHead({ shape, tiles }: Game, column: Column): Buffer {
  const head = Buffer.alloc(FILE_HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt8(shape.rows, 8);
  head.writeUInt8(shape.cols, 9);
  head.writeUInt8(tiles.length, 10);
  head.writeUInt8(COLUMN_CODES[typeof column === "string" ? column : "reach"], 11);
  head.writeUInt8(typeof column === "string" ? 0 : exponentOf(column.reach), 12);
  head.writeUInt32LE(crc32(head.subarray(0, 20)), 20);
  return head;
}

/** What a layer's head tells of it. */
export interface LayerHead extends LayerCount {
  readonly blocks: number;
  /** Bytes of all blocks. */
  readonly bytes: number;
}

/** The blocks of a layer with their directory, ready to be written. */
export interface EncodedBlocks {
  readonly directory: Buffer;
  readonly blocks: readonly Uint8Array[];
}

/**
 * Writes what a column tells of a layer as blocks.
 *
 * @param boards the positions, as pairs of words
 * @param pairs what the column is of: the same, or their values
 */
export function encodeBlocks(
  column: Column,
  boards: Uint32Array,
  pairs: Uint32Array,
): EncodedBlocks {
  const count = boards.length / 2;
  const blocks: Uint8Array[] = [];
  const directory = Buffer.alloc(DIRECTORY_ENTRY_BYTES * Math.ceil(count / BLOCK_POSITIONS));
  for (let from = 0; from < count; from += BLOCK_POSITIONS) {
    const block = encodeBlock(column, pairs, from, Math.min(from + BLOCK_POSITIONS, count));
    const first = codeOf(boards[2 * from] as number, boards[2 * from + 1] as number);
    const at = DIRECTORY_ENTRY_BYTES * blocks.length;
    directory.writeUInt32LE(first % 2 ** 32, at);
    directory.writeUInt32LE(Math.floor(first / 2 ** 32), at + 4);
    directory.writeUInt32LE(block.length, at + 8);
    directory.writeUInt32LE(crc32(block), at + 12);
    blocks.push(block);
  }
  return { directory, blocks };
}

/** A layer as it is in a file. */
export function layerBytes(count: LayerCount, { directory, blocks }: EncodedBlocks): Buffer {
  const head = Buffer.alloc(LAYER_HEAD_BYTES);
  head.writeUInt32LE(count.sum, 0);
  head.writeUInt32LE(count.positions, 4);
  head.writeUInt32LE(count.afterstates, 8);
  head.writeUInt32LE(count.terminals, 12);
  head.writeUInt32LE(blocks.length, 16);
  head.writeUInt32LE(
    blocks.reduce((bytes, block) => bytes + block.length, 0),
    20,
  );
  head.writeUInt32LE(layerChecksum(head, directory), CHECKSUM_AT);
  return Buffer.concat([head, directory, ...blocks]);
}

/** What is behind the last layer: the head of a layer without a tile sum. */
export const END_MARK = layerBytes(
  { sum: END, positions: 0, afterstates: 0, terminals: 0 },
  { directory: Buffer.alloc(0), blocks: [] },
);

function layerChecksum(head: Buffer, directory: Buffer): number {
  return crc32(Buffer.concat([head.subarray(0, CHECKSUM_AT), directory]));
}

/** Whether a layer's head and directory are what was written. */
export function isWhole(head: Buffer, directory: Buffer): boolean {
  return layerChecksum(head, directory) === head.readUInt32LE(CHECKSUM_AT);
}

/** Reads a layer's head. */
export function readHead(head: Buffer): LayerHead {
  return {
    sum: head.readUInt32LE(0),
    positions: head.readUInt32LE(4),
    afterstates: head.readUInt32LE(8),
    terminals: head.readUInt32LE(12),
    blocks: head.readUInt32LE(16),
    bytes: head.readUInt32LE(20),
  };
}

/** The layer whose head is at `at` in a file, behind layers with `blocksBefore` blocks. */
export function storedLayer(
  { sum, positions, afterstates, terminals }: LayerCount,
  at: number,
  blocksBefore: number,
  directory: Buffer,
): StoredLayer {
  const blocks = directory.length / DIRECTORY_ENTRY_BYTES;
  const blocksAt = at + LAYER_HEAD_BYTES + directory.length;
  const firsts = new Float64Array(blocks);
  const offsets = new Float64Array(blocks);
  const lengths = new Uint32Array(blocks);
  const checksums = new Uint32Array(blocks);
  let bytes = 0;
  for (let block = 0; block < blocks; block++) {
    const entry = DIRECTORY_ENTRY_BYTES * block;
    firsts[block] = directory.readUInt32LE(entry) + directory.readUInt32LE(entry + 4) * 2 ** 32;
    offsets[block] = blocksAt + bytes;
    lengths[block] = directory.readUInt32LE(entry + 8);
    checksums[block] = directory.readUInt32LE(entry + 12);
    bytes += lengths[block] as number;
  }
  return {
    ...{ sum, positions, afterstates, terminals },
    ...{ at, blocksAt, bytes, blocksBefore, firsts, offsets, lengths, checksums },
  };
}

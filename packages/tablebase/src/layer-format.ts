import { crc32 } from "node:zlib";
import { exponentOf, type Game } from "@gridlock/game";
import { BLOCK_POSITIONS, codeOf, encodeBlock } from "./block.js";
import type { Column } from "./columns.js";
import type { LayerCount } from "./sweep.js";

/*
 * Format of a column's file; docs/tablebase.md describes every byte. A head of 24 bytes is followed
 * by layers, each with a head, a directory of its blocks and the blocks; a layer head that marks
 * the end comes last. All of it follows from the rules, so the file is the same however often its
 * creation is interrupted. Every head, directory and block has a checksum; data with a wrong
 * checksum is treated as missing.
 */

const MAGIC = Buffer.from("GRLKTAB\x01", "latin1");
/** Bytes of the head of a file. */
export const FILE_HEAD_BYTES = 24;
/** Bytes of the head of a layer. */
export const LAYER_HEAD_BYTES = 32;
/** Bytes of an entry of a layer's directory. */
export const DIRECTORY_ENTRY_BYTES = 16;
/** Tile sum in the layer head that marks the end. */
export const END = 0;
/** Offset, in a layer's head, of the checksum of the bytes before it and of the directory. */
const CHECKSUM_AT = 28;

/** A layer in a file; in columns of values, its afterstates and terminals are 0. */
export interface StoredLayer extends LayerCount {
  /** Offset of its head. */
  readonly at: number;
  /** Offset of its blocks, and their total size in bytes. */
  readonly blocksAt: number;
  readonly bytes: number;
  /** Number of blocks in the preceding layers of the file. */
  readonly blocksBefore: number;
  /**
   * For each block: its first board without the first cell, its offset, its size in bytes and its
   * checksum.
   */
  readonly firsts: Float64Array;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  readonly checksums: Uint32Array;
}

const COLUMN_CODES = { positions: 0, minimax: 1, expected: 2, reach: 3 } as const;

/** Returns the head of a column's file. */
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

/** A layer's blocks and their directory, ready to be written. */
export interface EncodedBlocks {
  readonly directory: Buffer;
  readonly blocks: readonly Uint8Array[];
}

/**
 * Encodes a layer of a column as blocks.
 *
 * @param boards the positions, as pairs of words
 * @param pairs the data of the column: the same positions, or their values
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

/** Returns a layer as it is stored in a file. */
export function layerBytes(count: LayerCount, { directory, blocks }: EncodedBlocks): Buffer {
  const head = Buffer.alloc(LAYER_HEAD_BYTES);
  const { sum, positions, afterstates, terminals } = count;
  const bytes = blocks.reduce((total, block) => total + block.length, 0);
  const words = [sum, positions, afterstates, terminals, blocks.length, bytes];
  for (const [i, word] of words.entries()) head.writeUInt32LE(word, 4 * i);
  head.writeUInt32LE(layerChecksum(head, directory), CHECKSUM_AT);
  return Buffer.concat([head, directory, ...blocks]);
}

/** Returns the end mark after the last layer: the head of a layer without a tile sum. */
export function endMark(): Buffer {
  return layerBytes(
    { sum: END, positions: 0, afterstates: 0, terminals: 0 },
    { directory: Buffer.alloc(0), blocks: [] },
  );
}

function layerChecksum(head: Buffer, directory: Buffer): number {
  return crc32(Buffer.concat([head.subarray(0, CHECKSUM_AT), directory]));
}

/** Returns true if a layer's head and directory are undamaged. */
export function isWhole(head: Buffer, directory: Buffer): boolean {
  return layerChecksum(head, directory) === head.readUInt32LE(CHECKSUM_AT);
}

/** Reads a layer's head: its counts, the number of its blocks, and their total size in bytes. */
export function readHead(head: Buffer) {
  return {
    sum: head.readUInt32LE(0),
    positions: head.readUInt32LE(4),
    afterstates: head.readUInt32LE(8),
    terminals: head.readUInt32LE(12),
    blocks: head.readUInt32LE(16),
    bytes: head.readUInt32LE(20),
  };
}

/**
 * Describes the layer whose head is at offset `at` in a file, after layers with `blocksBefore`
 * blocks.
 */
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
    sum,
    positions,
    afterstates,
    terminals,
    at,
    blocksAt,
    bytes,
    blocksBefore,
    firsts,
    offsets,
    lengths,
    checksums,
  };
}

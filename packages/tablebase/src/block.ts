import { deflateRawSync, inflateRawSync } from "node:zlib";
import { tileOf } from "@gridlock/game";
import type { Column } from "./columns.js";
import { MAX_SWEEP_CELLS } from "./module.js";
import { MOST_BYTES, type Numbers, readNumbers, writeNumber } from "./numbers.js";

/*
 * A block holds one column's data for up to 1,024 consecutive positions of a layer. Boards are
 * packed, four bits per cell, without their first cell, which follows from the tile sum of the
 * layer. They are numbers below 2^36: the layer's directory stores the first, and the block stores
 * the difference of each other one from its predecessor. Values against the placer are points / 4;
 * values against chance are 32-bit words. All but the latter are encoded as in `numbers.ts`, and
 * the whole block is deflated.
 *
 * In memory a layer is a list of pairs of 32-bit words: either the two halves of a packed board, or
 * the value against the placer plus 1, shifted by 16 bits, and the value against chance.
 */

/** Positions per block; the last block of a layer may have fewer. */
export const BLOCK_POSITIONS = 1024;

// `firstExponent` looks a board up without its first cell in three parts of sixteen bits.
if (4 * (MAX_SWEEP_CELLS - 1) > 48) throw new RangeError("boards have too many cells for a block");

const scratch = new Uint8Array(BLOCK_POSITIONS * MOST_BYTES);

/** Returns a packed board without its first cell. */
export function codeOf(low: number, high: number): number {
  return high * 2 ** 28 + (low >>> 4);
}

/** Encodes positions `from` (inclusive) to `to` (exclusive) of a layer as a block of a column. */
export function encodeBlock(
  column: Column,
  pairs: Uint32Array,
  from: number,
  to: number,
): Uint8Array {
  let bytes = 0;
  if (column === "positions") {
    let last = codeOf(pairs[2 * from] as number, pairs[2 * from + 1] as number);
    for (let i = from + 1; i < to; i++) {
      const code = codeOf(pairs[2 * i] as number, pairs[2 * i + 1] as number);
      bytes = writeNumber(scratch, bytes, code - last);
      last = code;
    }
  } else if (column === "minimax") {
    for (let i = from; i < to; i++) {
      bytes = writeNumber(scratch, bytes, ((pairs[2 * i] as number) >>> 16) - 1);
    }
  } else {
    const view = new DataView(scratch.buffer);
    for (let i = from; i < to; i++, bytes += 4) {
      view.setUint32(bytes, pairs[2 * i + 1] as number, true);
    }
  }
  return deflateRawSync(scratch.subarray(0, bytes));
}

/** The most bytes of a block, deflated or not: deflating adds a few to what it cannot compress. */
export const MOST_BLOCK_BYTES = BLOCK_POSITIONS * MOST_BYTES + 64;

/**
 * Output chunk size that fits nearly every inflated block. A larger chunk costs time, since each is
 * cleared.
 */
const INFLATED = { chunkSize: 4 * BLOCK_POSITIONS + 64, maxOutputLength: MOST_BLOCK_BYTES };

/**
 * Decodes a block of `count` positions into boards without their first cell, or into values.
 *
 * @throws {RangeError} if the block has more or fewer numbers, or zlib's error
 */
export function decodeBlock(
  column: Column,
  block: Uint8Array,
  first: number,
  count: number,
): Numbers {
  const bytes = inflateRawSync(block, INFLATED);
  if (column === "positions") {
    const codes = new Float64Array(count);
    expectAll(bytes, readNumbers(bytes, codes, 1));
    let code = first;
    for (let i = 0; i < count; i++) {
      code += codes[i] as number;
      codes[i] = code;
    }
    return codes;
  }
  if (column === "minimax") {
    const quarters = new Uint16Array(count);
    expectAll(bytes, readNumbers(bytes, quarters, 0));
    return quarters;
  }
  expectAll(bytes, 4 * count);
  const values = new Uint32Array(count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < count; i++) values[i] = view.getUint32(4 * i, true);
  return values;
}

/** Checks that a block's numbers take all of its bytes, and no more. */
function expectAll({ length }: Uint8Array, read: number): void {
  if (read !== length) throw new RangeError(`a block has ${length} bytes; expected ${read}`);
}

/** Sum of the tiles in four cells, indexed by their packed content; made when first needed. */
let tileSums: Uint32Array | undefined;

function makeTileSums(): Uint32Array {
  const sums = new Uint32Array(2 ** 16);
  for (let content = 1; content < sums.length; content++) {
    sums[content] = (sums[content >> 4] as number) + tileOf(content & 15);
  }
  return sums;
}

/** Returns the first cell's exponent, given the other cells and the tile sum of the board. */
function firstExponent(code: number, sum: number): number {
  tileSums ??= makeTileSums();
  const high = Math.floor(code / 2 ** 32);
  const low = code - high * 2 ** 32; // several times as fast as a remainder
  const others =
    (tileSums[low & 0xffff] as number) +
    (tileSums[low >>> 16] as number) +
    (tileSums[high] as number);
  return others === sum ? 0 : 31 - Math.clz32(sum - others);
}

/** Returns the largest exponent on a packed board, given as two halves. */
export function largestExponent(low: number, high: number): number {
  let largest = 0;
  for (let rest = low; rest !== 0; rest >>>= 4) largest = Math.max(largest, rest & 15);
  for (let rest = high; rest !== 0; rest >>>= 4) largest = Math.max(largest, rest & 15);
  return largest;
}

/** Copies a decoded block of a column into a layer's pairs, starting at position `from`. */
export function spread(
  column: Column,
  decoded: Numbers,
  pairs: Uint32Array,
  from: number,
  sum: number,
): void {
  for (let i = 0; i < decoded.length; i++) {
    const entry = decoded[i] as number;
    const at = 2 * (from + i);
    if (column === "positions") {
      const high = Math.floor(entry / 2 ** 28);
      pairs[at] = (entry - high * 2 ** 28) * 16 + firstExponent(entry, sum);
      pairs[at + 1] = high;
    } else if (column === "minimax") pairs[at] = (entry + 1) << 16;
    else pairs[at + 1] = entry;
  }
}

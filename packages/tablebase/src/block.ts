import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Column } from "./columns.js";
import { MOST_BYTES, type Numbers, readNumbers, writeNumber } from "./numbers.js";

/*
 * A block is what a column tells of up to 1,024 positions that follow each other in a layer. Boards are packed, four
 * bits a cell, without their first cell, whose tile is what the sum of the layer leaves: numbers below 2^36, of which the
 * first is in the layer's directory and each other is told by how much it is more than the one before. Values against the
 * placer are points / 4; values against chance are words of 32 bits. All but the latter are written as in `numbers.ts`,
 * and everything is deflated.
 *
 * In memory a layer is a list of pairs of 32-bit words: the two halves of a packed board, or the value against the placer,
 * raised by 1, and that against chance.
 */

/** Positions of a block; the last one of a layer may have fewer. */
export const BLOCK_POSITIONS = 1024;

const scratch = new Uint8Array(BLOCK_POSITIONS * MOST_BYTES);

/** A packed board without its first cell. */
export function codeOf(low: number, high: number): number {
  return high * 2 ** 28 + (low >>> 4);
}

/** Writes positions `from` to `to` of a layer as a block of a column. */
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
      bytes = writeNumber(scratch, bytes, (pairs[2 * i] as number) - 1);
    }
  } else {
    const view = new DataView(scratch.buffer);
    for (let i = from; i < to; i++, bytes += 4) {
      view.setUint32(bytes, pairs[2 * i + 1] as number, true);
    }
  }
  return deflateRawSync(scratch.subarray(0, bytes));
}

/** Room for what a block inflates to, nearly always; a larger one would be cleared again and again. */
const INFLATED = { chunkSize: 4 * BLOCK_POSITIONS + 64 };

/** Reads a block of so many positions, which must be as it was written: boards without the first cell, or values. */
export function decodeBlock(
  column: Column,
  block: Uint8Array,
  first: number,
  count: number,
): Numbers {
  const bytes = inflateRawSync(block, INFLATED);
  if (column === "positions") {
    const codes = new Float64Array(count);
    readNumbers(bytes, codes, 1);
    let code = first;
    for (let i = 0; i < count; i++) {
      code += codes[i] as number;
      codes[i] = code;
    }
    return codes;
  }
  if (column === "minimax") {
    const quarters = new Uint16Array(count);
    readNumbers(bytes, quarters, 0);
    return quarters;
  }
  const values = new Uint32Array(count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < count; i++) values[i] = view.getUint32(4 * i, true);
  return values;
}

/** By the content of four cells: the sum of their tiles. */
const SUMS = Uint32Array.from({ length: 2 ** 16 }, (_, content) =>
  [0, 4, 8, 12].reduce((sum, bit) => {
    const exponent = (content >> bit) & 15;
    return exponent === 0 ? sum : sum + 2 ** exponent;
  }, 0),
);

/** The first cell's exponent on a board of a tile sum, of which all others are given. */
export function firstExponent(code: number, sum: number): number {
  const low = code % 2 ** 32;
  const high = Math.floor(code / 2 ** 32);
  const others =
    (SUMS[low & 0xffff] as number) + (SUMS[low >>> 16] as number) + (SUMS[high] as number);
  return others === sum ? 0 : 31 - Math.clz32(sum - others);
}

/** The largest exponent on a packed board, given in its halves. */
export function largestExponent(low: number, high: number): number {
  let largest = 0;
  for (let rest = low; rest !== 0; rest >>>= 4) largest = Math.max(largest, rest & 15);
  for (let rest = high; rest !== 0; rest >>>= 4) largest = Math.max(largest, rest & 15);
  return largest;
}

/** Puts a block of a column into a layer's pairs, from position `from` on. */
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
      pairs[at] = ((entry % 2 ** 28) * 16 + firstExponent(entry, sum)) >>> 0;
      pairs[at + 1] = Math.floor(entry / 2 ** 28);
    } else if (column === "minimax") pairs[at] = entry + 1;
    else pairs[at + 1] = entry;
  }
}

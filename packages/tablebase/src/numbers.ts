/*
 * Whole numbers from 0 to 2^53 − 1 as bytes, seven bits per byte, the lowest first; the highest bit
 * of a byte is set if more bytes follow (LEB128): 300 is 0xac 0x02.
 */

/** A list of numbers, of any width that fits. */
export type Numbers = Float64Array | Uint32Array | Uint16Array;

/** Maximum size of an encoded number in bytes. */
export const MOST_BYTES = 8;

/** Writes a number into `bytes` at offset `at`; returns the offset after it. */
export function writeNumber(bytes: Uint8Array, at: number, number: number): number {
  let to = at;
  let rest = number;
  while (rest >= 2 ** 31) {
    bytes[to++] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
  }
  while (rest >= 128) {
    bytes[to++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[to++] = rest;
  return to;
}

/**
 * Reads numbers from the beginning of `bytes` until `into` is filled from index `from` to its end;
 * returns the bytes read, which are more than there are if some are missing.
 */
export function readNumbers(bytes: Uint8Array, into: Numbers, from: number): number {
  let at = 0;
  for (let i = from; i < into.length; i++) {
    let byte = bytes[at++] as number;
    let number = byte & 127;
    for (let weight = 128; byte >= 128; weight *= 128) {
      byte = bytes[at++] as number;
      number += (byte & 127) * weight;
    }
    into[i] = number;
  }
  return at;
}

/**
 * Returns the index of the last of some ascending numbers, from one index to before another, that
 * is at most `number`; the index before them if all are larger.
 */
export function lastNotAbove(ascending: Numbers, from: number, to: number, number: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/*
 * Whole numbers from 0 to 2^53 − 1 as bytes, seven bits in each, the lowest first; the highest bit says that
 * more follow (LEB128): 300 is 0xac 0x02.
 */

/** Numbers of some kind, one after another. */
export type Numbers = Float64Array | Uint32Array | Uint16Array;

/** Bytes that a number takes at most. */
export const MOST_BYTES = 8;

/** Writes a number into `bytes` from `at` on; returns where the next one goes. */
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

/** Reads numbers from the beginning of `bytes` into places `from` and up: as many as there are places. */
export function readNumbers(bytes: Uint8Array, into: Numbers, from: number): void {
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
}

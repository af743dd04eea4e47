import { crc32 } from "node:zlib";
import type { Bound } from "@gridlock/game";

/*
 * Decodes chunks of a block's file, in the format of `assembly/saving.ts`. Only boards of the block
 * and their bounds are kept, without nodes and guests.
 */

/** The boards of a chunk in the order of their keys, with their bounds. */
export interface BoardChunk {
  readonly keys: BigUint64Array;
  /** Points / 4; `hi` is {@link NO_BOUND} if none is known. */
  readonly lo: Uint16Array;
  readonly hi: Uint16Array;
}

/** Stands for an unknown upper bound. */
const NO_BOUND = 0xffff;

/* Flags in a board's byte. */
const IS_GUEST = 1;
const HAS_NODE = 2;
const IS_WATCHING = 8;

/** Fewest bytes of a board: a key, a bound, and a byte of flags. */
const LEAST_BYTES = 3;

/** Returns a bound in points. */
export function boundIn(lo: number, hi: number): Bound {
  return { lo: 4 * lo, hi: hi === NO_BOUND ? Number.POSITIVE_INFINITY : 4 * hi };
}

/**
 * Decodes the bytes of a chunk, or of a run of its boards.
 *
 * @param before the key of the board before the first one
 */
export function decodeChunk(bytes: Uint8Array, before = 0n): BoardChunk {
  return new Decoder(bytes, before).boards();
}

/** Boards of a run. */
const RUN = 64;

/** Divides a chunk into runs of boards that can be read separately. */
export interface ChunkIndex {
  /** The key of the last board before each run; 0 for the first run. */
  readonly before: BigUint64Array;
  /** The byte of the chunk at which each run begins, followed by the chunk's length. */
  readonly starts: Uint32Array;
  /** CRC-32 of each run. */
  readonly checksums: Uint32Array;
}

/** Finds the runs of a chunk. */
export function indexChunk(bytes: Uint8Array): ChunkIndex {
  const decoder = new Decoder(bytes);
  const [before, starts]: [bigint[], number[]] = [[], []];
  for (let board = 0; !decoder.isAtEnd; board++) {
    if (board % RUN === 0) {
      before.push(decoder.key);
      starts.push(decoder.position);
    }
    decoder.skipBoard();
  }
  starts.push(bytes.length);
  return {
    before: new BigUint64Array(before),
    starts: new Uint32Array(starts),
    checksums: Uint32Array.from(before, (_, run) =>
      crc32(bytes.subarray(starts[run], starts[run + 1])),
    ),
  };
}

/** Returns the first key of a chunk, given its first bytes. */
export function firstKeyOf(bytes: Uint8Array): bigint {
  const decoder = new Decoder(bytes);
  decoder.number();
  return joined(decoder.high, decoder.low);
}

function joined(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Most bytes of a number. */
export const MOST_NUMBER_BYTES = 10;

class Decoder {
  /**
   * The last number, in two halves of 32 bits: JavaScript's numbers are exact only up to 53 bits.
   */
  low = 0;
  high = 0;
  readonly #bytes: Uint8Array;
  #at = 0;
  /** The key of the board before the current one, in two halves. */
  #keyLow: number;
  #keyHigh: number;

  constructor(bytes: Uint8Array, before = 0n) {
    this.#bytes = bytes;
    this.#keyLow = Number(before & 0xffffffffn);
    this.#keyHigh = Number(before >> 32n);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  get position(): number {
    return this.#at;
  }

  /** The key of the last board. */
  get key(): bigint {
    return joined(this.#keyHigh, this.#keyLow);
  }

  boards(): BoardChunk {
    const most = Math.floor(this.#bytes.length / LEAST_BYTES);
    const keys = new BigUint64Array(most);
    const halves = new Uint32Array(keys.buffer);
    const [los, his] = [new Uint16Array(most), new Uint16Array(most)];
    let count = 0;
    while (!this.isAtEnd) {
      this.#readKey();
      const code = this.#small();
      const value = code >> 2;
      const lo = code & 1 ? value : 0;
      const hi = (code & 3) === 3 ? value + this.#small() : code & 2 ? value : NO_BOUND;
      const kind = this.#bytes[this.#at++] as number;
      const isGuest = (kind & IS_GUEST) !== 0;
      if (kind & HAS_NODE) this.#skipNode(kind);
      if (isGuest) continue;
      halves[2 * count] = this.#keyLow;
      halves[2 * count + 1] = this.#keyHigh;
      los[count] = lo;
      his[count] = hi;
      count++;
    }
    return { keys: keys.slice(0, count), lo: los.slice(0, count), hi: his.slice(0, count) };
  }

  /** Skips a board, except for its key. */
  skipBoard(): void {
    this.#readKey();
    const code = this.#small();
    if ((code & 3) === 3) this.#skip(1);
    const kind = this.#bytes[this.#at++] as number;
    if (kind & HAS_NODE) this.#skipNode(kind);
  }

  #readKey(): void {
    this.number();
    const low = this.#keyLow + this.low;
    this.#keyHigh = (this.#keyHigh + this.high + (low >= 2 ** 32 ? 1 : 0)) >>> 0;
    this.#keyLow = low >>> 0;
  }

  #skipNode(kind: number): void {
    this.#skip(2); // need, and the need sent to its block or fulfilled by its settled placements
    if (kind & IS_GUEST) return;
    this.#skip(1); // open placements
    if (kind & IS_WATCHING) this.#at++;
    this.#skip(2 * this.#small()); // blocks and their demands
  }

  #skip(numbers: number): void {
    for (; numbers > 0; numbers--) {
      while ((this.#bytes[this.#at++] as number) > 127);
    }
  }

  /** Reads a number of up to 64 bits. */
  number(): void {
    this.low = 0;
    this.high = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] as number;
      const bits = byte & 127;
      if (shift < 32) this.low |= bits << shift;
      if (shift === 28) this.high = bits >> 4;
      else if (shift > 28) this.high |= bits << (shift - 32);
      if (!(byte > 127)) break;
    }
    this.low >>>= 0;
    this.high >>>= 0;
  }

  /** Reads a number of less than 32 bits. */
  #small(): number {
    this.number();
    return this.low;
  }
}

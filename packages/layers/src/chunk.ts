import { crc32 } from "node:zlib";
import type { Bound } from "@gridlock/game";
import { malformed } from "./chunk-file.js";

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
/** Bytes about the board that a node watches. */
const WATCHED_BYTES = 4;
/*
 * Flags in the form of its bounds (`assembly/bounds.ts`), and the positions of a single bound, and of
 * the difference of two bounds and the lower one.
 */
const IS_SINGLE = 1;
const IS_UPPER = 2;
const IS_GUEST_FORM = 4;
const SINGLE_LOG2 = 3;
const DIFFERENCE_LOG2 = 3;
const MOST_DIFFERENCE = 31;
const LO_LOG2 = 8;

/** Bytes at the beginning of a chunk: those of a difference (a byte), and the first key less 1. */
export const CHUNK_HEAD_BYTES = 9;
/** Fewest bytes of a board: a difference, and two more. */
export const LEAST_BYTES = 3;
/** Most bytes of a difference between keys. */
const MOST_WIDTH = 8;

/** Returns a bound in points. */
export function boundIn(lo: number, hi: number): Bound {
  return { lo: 4 * lo, hi: hi === NO_BOUND ? Number.POSITIVE_INFINITY : 4 * hi };
}

/**
 * Decodes the bytes of a chunk.
 *
 * @param file the name of its file, for errors
 * @throws {DamagedFile} if no visit writes such bytes
 */
export function decodeChunk(bytes: Buffer, file: string): BoardChunk {
  return decoderOf(bytes, file).boards();
}

/**
 * Decodes a run of a chunk's boards.
 *
 * @param width bytes of a difference between keys
 * @param before the key of the board before the first one
 * @param file the name of its file, for errors
 * @throws {DamagedFile} if no visit writes such bytes
 */
export function decodeRun(bytes: Buffer, width: number, before: bigint, file: string): BoardChunk {
  return new Decoder(bytes, 0, width, before, file).boards();
}

/** Boards of a run. */
const RUN = 64;

/** Divides a chunk into runs of boards that can be read separately. */
export interface ChunkIndex {
  /** Bytes of a difference between keys. */
  readonly width: number;
  /** The key of the last board before each run; for the first run, the first key less 1. */
  readonly before: BigUint64Array;
  /** The byte of the chunk at which each run begins, followed by the chunk's length. */
  readonly starts: Uint32Array;
  /** CRC-32 of each run. */
  readonly checksums: Uint32Array;
}

/**
 * Finds the runs of a chunk.
 *
 * @param file the name of its file, for errors
 * @throws {DamagedFile} if no visit writes such bytes
 */
export function indexChunk(bytes: Buffer, file: string): ChunkIndex {
  const decoder = decoderOf(bytes, file);
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
    width: decoder.width,
    before: new BigUint64Array(before),
    starts: new Uint32Array(starts),
    checksums: Uint32Array.from(before, (_, run) =>
      crc32(bytes.subarray(starts[run], starts[run + 1])),
    ),
  };
}

/** Returns the first key of a chunk, given its first bytes. */
export function firstKeyOf(bytes: Buffer): bigint {
  return bytes.readBigUInt64LE(1) + 1n;
}

/** Returns a decoder of a chunk, after its first bytes. */
function decoderOf(bytes: Buffer, file: string): Decoder {
  if (bytes.length === 0) return new Decoder(bytes, 0, 1, 0n, file);
  if (bytes.length < CHUNK_HEAD_BYTES) throw malformed(file);
  return new Decoder(bytes, CHUNK_HEAD_BYTES, bytes[0] as number, bytes.readBigUInt64LE(1), file);
}

function joined(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Reads boards one by one. The bytes may be anything: a checksum only shows damage. */
class Decoder {
  readonly #bytes: Buffer;
  readonly #file: string;
  #at: number;
  /** Bytes of a difference between keys. */
  readonly width: number;
  /**
   * The key of the board before the current one, in two halves of 32 bits: JavaScript's numbers are
   * exact only up to 53 bits.
   */
  #keyLow: number;
  #keyHigh: number;

  /** @param before the key of the board before the first one */
  constructor(bytes: Buffer, at: number, width: number, before: bigint, file: string) {
    if (width < 1 || width > MOST_WIDTH) throw malformed(file);
    this.#bytes = bytes;
    this.#file = file;
    this.#at = at;
    this.width = width;
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
      if (!this.#readNext()) continue;
      halves[2 * count] = this.#keyLow;
      halves[2 * count + 1] = this.#keyHigh;
      los[count] = this.#lo;
      his[count] = this.#hi;
      count++;
    }
    return { keys: keys.slice(0, count), lo: los.slice(0, count), hi: his.slice(0, count) };
  }

  /** Skips a board, except for its key. */
  skipBoard(): void {
    this.#readNext();
  }

  /** Reads a board; returns false if it is a guest. */
  #readNext(): boolean {
    this.#readKey();
    const isOwn = this.#readBoard();
    if (this.#at > this.#bytes.length) throw malformed(this.#file);
    return isOwn;
  }

  #readKey(): void {
    const low = this.#keyLow + this.#fixed(Math.min(this.width, 4));
    const high = this.#fixed(Math.max(this.width - 4, 0));
    this.#keyHigh = (this.#keyHigh + high + (low >= 2 ** 32 ? 1 : 0)) >>> 0;
    this.#keyLow = low >>> 0;
  }

  /** The bound of the last board, points / 4. */
  #lo = 0;
  #hi = NO_BOUND;

  /** Reads a board after its key; returns false if it is a guest. */
  #readBoard(): boolean {
    const form = this.#fixed(2);
    if (form !== 0) {
      this.#setBounds(form);
      return (form & IS_GUEST_FORM) === 0;
    }
    const code = this.#number();
    const value = code >> 2;
    this.#lo = code & 1 ? value : 0;
    this.#hi = (code & 3) === 3 ? value + this.#number() : code & 2 ? value : NO_BOUND;
    const kind = this.#bytes[this.#at++] as number;
    if (kind & HAS_NODE) this.#skipNode(kind);
    return (kind & IS_GUEST) === 0;
  }

  #setBounds(form: number): void {
    if ((form & IS_SINGLE) === 0) {
      this.#lo = form >> LO_LOG2;
      this.#hi = this.#lo + ((form >> DIFFERENCE_LOG2) & MOST_DIFFERENCE);
    } else {
      const isUpper = (form & IS_UPPER) !== 0;
      this.#lo = isUpper ? 0 : form >> SINGLE_LOG2;
      this.#hi = isUpper ? form >> SINGLE_LOG2 : NO_BOUND;
    }
  }

  #skipNode(kind: number): void {
    this.#skip(2); // need, and the need sent to its block or fulfilled by its settled placements
    if (kind & IS_GUEST) return;
    this.#skip(1); // open placements
    if (kind & IS_WATCHING) this.#at += WATCHED_BYTES;
    this.#skip(2 * this.#number()); // blocks and their demands
  }

  #skip(numbers: number): void {
    if (numbers > this.#bytes.length - this.#at) throw malformed(this.#file); // a byte each
    for (; numbers > 0; numbers--) {
      while ((this.#bytes[this.#at++] as number) > 127);
    }
  }

  /** Reads a number of at most 4 bytes, the lowest first; bytes after the end are 0. */
  #fixed(bytes: number): number {
    let value = 0;
    for (let shift = 0; shift < 8 * bytes; shift += 8) {
      value |= (this.#bytes[this.#at++] ?? 0) << shift;
    }
    return value >>> 0;
  }

  /** Reads a varint of less than 32 bits. */
  #number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] as number;
      value |= (byte & 127) << shift;
      if (!(byte > 127)) return value >>> 0;
    }
  }
}

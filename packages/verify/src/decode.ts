import { inflateRawSync } from "node:zlib";
import type { BlockIndex } from "./block-index.js";
import { CLAIM_WORDS, MOST_CLAIM_BYTES } from "./blocks.js";
import { CertificateError } from "./errors.js";

/**
 * Decodes a block: four words a claim, by strictly ascending board. No board has eight empty cells
 * in front: the table of `look-ups.ts` relies on it.
 *
 * @param name what messages call the file
 * @throws {CertificateError} `bad-checksum`, `bad-value` or `disorder`
 */
export function decodeBlock(
  name: string,
  index: BlockIndex,
  block: number,
  payload: Uint8Array,
): Uint32Array {
  const fail = (code: "bad-checksum" | "bad-value" | "disorder", what: string, cause?: unknown) =>
    new CertificateError(
      code,
      `${name}: block ${block + 1}, of tile sum ${index.tileSum(block)}, ${what}; it is damaged and proves nothing`,
      { cause },
    );
  if (!index.hasDigest(block, payload)) {
    throw fail("bad-checksum", "does not have the SHA-256 in its head");
  }
  const count = index.claims(block);
  let columns: Columns;
  try {
    columns = new Columns(inflate(payload, MOST_CLAIM_BYTES * count));
  } catch (error) {
    throw fail("bad-value", `cannot be inflated (${(error as Error).message})`, error);
  }
  const claims = new Uint32Array(CLAIM_WORDS * count);
  let low = index.firstLow(block);
  let high = index.firstHigh(block);
  for (let at = 0; ; at += CLAIM_WORDS) {
    // A canonical board with a tile has one in its first eight cells: else turning it by 180
    // degrees would move all tiles there and make a smaller packed number.
    if (low === 0) throw fail("bad-value", "has a board that is empty or not canonical");
    claims[at] = low;
    claims[at + 1] = high;
    if (at === claims.length - CLAIM_WORDS) break;
    columns.readDifference();
    if (columns.low === 0 && columns.high === 0) throw fail("disorder", "has a board twice");
    const sum = low + columns.low;
    low = sum >>> 0;
    high += columns.high + (sum === low ? 0 : 1);
    if (high > 0xffff_ffff) throw fail("bad-value", "has a board of more than 64 bits");
  }
  for (const word of [2, 3]) {
    for (let at = word; at < claims.length; at += CLAIM_WORDS) claims[at] = columns.readValue();
  }
  if (columns.isBad) throw fail("bad-value", "has a number that is not in its shortest form");
  if (!columns.isAtEnd) throw fail("bad-value", "has bytes after its columns, or too few");
  if (low !== index.lastLow(block) || high !== index.lastHigh(block)) {
    throw fail("disorder", "does not end with the board that its head names");
  }
  return claims;
}

/** Inflates a payload; fails if it is longer or shorter than its deflate stream. */
function inflate(payload: Uint8Array, mostBytes: number): Uint8Array {
  // With `info`, the result also has the engine, which the types do not declare.
  const { buffer, engine } = inflateRawSync(payload, {
    maxOutputLength: mostBytes,
    info: true,
  }) as unknown as { buffer: Uint8Array; engine: { bytesWritten: number } };
  if (engine.bytesWritten !== payload.length) {
    throw new Error(`${payload.length - engine.bytesWritten} bytes follow the compressed data`);
  }
  return buffer;
}

/** Reads the numbers of a block's columns: LEB128, in shortest form. */
class Columns {
  /** The halves of the last difference read. */
  low = 0;
  high = 0;
  /** True if a number was malformed; the numbers read since then mean nothing. */
  isBad = false;
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** True if all bytes have been read, and no more than there are. */
  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  #next(): number {
    return this.#at < this.bytes.length ? (this.bytes[this.#at++] as number) : this.#beyond();
  }

  /** Returns the last byte of a number after the end. */
  #beyond(): number {
    this.#at = this.bytes.length + 1;
    return 1;
  }

  /** Reads a number of at most 32 bits. */
  readValue(): number {
    let byte = this.#next();
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; ; shift += 7) {
      byte = this.#next();
      value |= (byte & 127) << shift;
      if (byte < 128) {
        if (byte === 0 || (shift === 28 && byte > 15)) this.isBad = true;
        return value >>> 0;
      }
      if (shift === 28) {
        this.isBad = true;
        return 0;
      }
    }
  }

  /** Reads a number of at most 64 bits. */
  readDifference(): void {
    let byte = this.#next();
    let low = byte & 127;
    let high = 0;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = this.#next();
      const bits = byte & 127;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high = bits >>> 4;
      if (shift > 28) high |= bits << (shift - 32);
      if (byte === 0 || (shift === 63 && byte > 1)) {
        this.isBad = true;
        break;
      }
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
  }
}

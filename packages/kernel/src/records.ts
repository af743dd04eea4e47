/*
 * Records: bounds outside a table. A kernel reads them out and takes them in as 16 bytes each,
 * little-endian (`assembly/layout.ts`):
 *
 *     byte  0             8     10    12        16
 *           mixed key     lo    hi    effort
 *
 * The mixed key (`assembly/keys.ts`) has at most 64 bits; lo and hi, quarters of points, have 15 and effort
 * has 6. To be kept they are packed into 9 bytes or so: one word of 64 bits, and by how much the high part of the
 * key, its bits from 28 up, differs from that of the record before, in base 128, the lowest digit first, 128
 * added to all but the last; a difference d ≥ 0 is written as 2d, one below as −2d − 1
 * (`assembly/records.ts` does that):
 *
 *     bit   63            36       21       6         0
 *           low 28 of key | lo     | hi     | effort  |
 */

import { instantiatePacker, type Packer } from "./module.js";

/** Bytes of a record. */
export const RECORD_BYTES = 16;

const LOW_BITS = 28;

/** How many high parts the mixed keys of so many bits can have. */
export function highParts(keyBits: number): number {
  return 2 ** Math.max(0, keyBits - LOW_BITS);
}

/** The records as words of 32 bits, four each. */
function wordsOf(records: Uint8Array): Uint32Array {
  return new Uint32Array(records.buffer, records.byteOffset, records.length / 4);
}

let packer: Packer | undefined;

/** This thread's packer, with records to work on. */
function packerOf(records: Uint8Array): Packer {
  packer ??= instantiatePacker();
  const at = packer.room(records.length / RECORD_BYTES);
  new Uint8Array(packer.memory.buffer).set(records, at);
  return packer;
}

/** A copy of what the packer has made of `count` records. */
function resultOf({ memory, resultAt }: Packer, count: number, bytes: number): Uint8Array {
  return new Uint8Array(memory.buffer, resultAt(count), bytes).slice();
}

/**
 * Records in the order of the table: by the highest 22 bits of their mixed keys, which are all that tells one stretch
 * of a table, or one high part, from another.
 *
 * @param keyBits bits of a mixed key
 */
export function inTableOrder(records: Uint8Array, keyBits: number): Uint8Array {
  const count = records.length / RECORD_BYTES;
  const packer = packerOf(records);
  packer.sort(count, keyBits);
  return resultOf(packer, count, records.length);
}

/** Packs records: in the order of the table, for mixed keys of `keyBits` bits, or in the order that they have. */
export function packRecords(records: Uint8Array, keyBits?: number): Uint8Array {
  const count = records.length / RECORD_BYTES;
  const packer = packerOf(records);
  const bytes = packer.pack(count, keyBits ?? 0, keyBits !== undefined);
  return resultOf(packer, count, bytes);
}

/** Unpacks records from the first to the last, some at a time. */
export class RecordReader {
  readonly #packed: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  /** The high part of the key of the record that begins before `#at`. */
  #high = 0;

  constructor(packed: Uint8Array) {
    this.#packed = packed;
    this.#view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  }

  /**
   * Unpacks into `records` the next ones whose keys have a high part below `limit`, as many as there is room
   * for; returns how many bytes they take.
   */
  read(records: Uint8Array, limit: number): number {
    const words = wordsOf(records);
    let to = 0;
    while (to < words.length && this.#at < this.#packed.length) {
      let at = this.#at + 8;
      let digits = 0; // up to 37 bits, more than a shift can take
      let digit = 128;
      for (let scale = 1; digit >= 128; scale *= 128) {
        digit = this.#packed[at++] as number;
        digits += (digit & 127) * scale;
      }
      const high = this.#high + (digits % 2 === 1 ? -((digits + 1) / 2) : digits / 2);
      if (high >= limit) break;
      const word = this.#view.getUint32(this.#at, true);
      const upper = this.#view.getUint32(this.#at + 4, true);
      const lo = ((upper & 15) << 11) | (word >>> 21);
      words[to] = ((high << LOW_BITS) | (upper >>> 4)) >>> 0; // of high the lowest bits
      words[to + 1] = Math.floor(high / 2 ** (32 - LOW_BITS));
      words[to + 2] = lo | (((word >>> 6) & 0x7fff) << 16);
      words[to + 3] = word & 63;
      to += 4;
      this.#at = at;
      this.#high = high;
    }
    return 4 * to;
  }
}

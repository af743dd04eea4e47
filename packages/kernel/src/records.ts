/*
 * Records: bounds outside a table. A kernel reads and writes them as 16 bytes each, little-endian
 * (`assembly/record.ts`):
 *
 *     byte  0             8     10    12        16
 *           mixed key     lo    hi    effort
 *
 * The mixed key (`assembly/keys.ts`) has at most 64 bits; lo and hi, quarters of points, have 15,
 * and effort has 6. For storage, `assembly/records.ts` packs a record into about 9 bytes: one word
 * of 64 bits, and the difference of the high part of the key (its bits from 28 up) from that of the
 * previous record. The difference is in base 128, the lowest digit first, with 128 added to all
 * digits but the last; d ≥ 0 is written as 2d, and d < 0 as −2d − 1.
 *
 *     bit   63            36       21       6         0
 *           low 28 of key | lo     | hi     | effort  |
 */

import { instantiatePacker, type Packer } from "./module.js";

/** Bytes of a record. */
export const RECORD_BYTES = 16;

const LOW_BITS = 28;

/** Returns the number of different high parts of mixed keys of `keyBits` bits. */
export function highParts(keyBits: number): number {
  return 2 ** Math.max(0, keyBits - LOW_BITS);
}

let packer: Packer | undefined;

/** Returns this thread's packer, loaded with the records of all parts, and their number. */
function packerOf(...parts: readonly Uint8Array[]): { packer: Packer; count: number } {
  packer ??= instantiatePacker();
  const count = parts.reduce((sum, part) => sum + part.length / RECORD_BYTES, 0);
  let at = packer.room(count);
  const bytes = new Uint8Array(packer.memory.buffer);
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { packer, count };
}

/** Returns a copy of bytes of the packer's memory, in `room` if that is large enough. */
function copyOf({ memory }: Packer, at: number, bytes: number, room?: Uint8Array): Uint8Array {
  const found = new Uint8Array(memory.buffer, at, bytes);
  if (room === undefined || room.length < bytes) return found.slice();
  room.set(found);
  return room.subarray(0, bytes);
}

/**
 * Sorts records into the order of the table: by the highest 22 bits of their mixed keys, which
 * determine both the stretch of a table and the high part.
 *
 * @param keyBits bits of a mixed key
 */
export function inTableOrder(records: Uint8Array, keyBits: number): Uint8Array {
  const { packer, count } = packerOf(records);
  packer.sort(count, keyBits);
  return copyOf(packer, packer.resultAt(count), records.length);
}

/**
 * Packs records, sorted into the order of the table if `keyBits` is given, else in the given order.
 *
 * @param keyBits bits of a mixed key
 * @param room memory for the result, used if it is large enough
 */
export function packRecords(records: Uint8Array, keyBits?: number, room?: Uint8Array): Uint8Array {
  const { packer, count } = packerOf(records);
  const bytes = packer.pack(count, keyBits ?? 0, keyBits !== undefined);
  return copyOf(packer, packer.resultAt(count), bytes, room);
}

/** Unpacks records in order, several at a time. */
export class RecordReader {
  readonly #packed: Uint8Array;
  #at = 0;
  /** The high part of the key of the last record before `#at`. */
  #high = 0;

  constructor(packed: Uint8Array) {
    this.#packed = packed;
  }

  /**
   * Unpacks the next records whose keys have a high part below `limit` into `records`, as many as
   * fit, and returns their size in bytes.
   *
   * @throws {RangeError} if the next bytes are not a packed record.
   */
  read(records: Uint8Array, limit: number): number {
    packer ??= instantiatePacker();
    const most = records.length / RECORD_BYTES;
    const from = packer.room(most);
    const next = this.#packed.subarray(this.#at, this.#at + most * packer.MOST_BYTES.value);
    const bytes = new Uint8Array(packer.memory.buffer);
    bytes.set(next, packer.packedAt(most));
    const count = packer.unpack(next.length, most, this.#high, limit);
    if (count < 0) throw new RangeError(`there is no packed record at byte ${this.#at}`);
    this.#at += packer.unpackedBytes.value;
    this.#high = packer.unpackedHigh.value;
    records.set(bytes.subarray(from, from + count * RECORD_BYTES));
    return count * RECORD_BYTES;
  }
}

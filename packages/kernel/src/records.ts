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

import { kernelFiles } from "./files.js";

/** Bytes of a record. */
export const RECORD_BYTES = 16;

/** Maximum size of a packed record in bytes: its word, and a difference of six digits. */
export const MOST_RECORD_BYTES = 14;

const LOW_BITS = 28;

/** Returns the number of different high parts of mixed keys of `keyBits` bits. */
export function highParts(keyBits: number): number {
  return 2 ** Math.max(0, keyBits - LOW_BITS);
}

/** The module that packs records, whatever their shape. */
export const PACKER_FILE = "records.wasm";

/** Exports of that module; see `assembly/records.ts`. Addresses are unsigned 32 bits. */
interface Packer {
  readonly memory: WebAssembly.Memory;
  room(count: number): number;
  resultAt(count: number): number;
  pack(count: number, keyBits: number, sorting: boolean): number;
}

let packer: Packer | undefined;

/**
 * Packs records, sorted into the order of the table if `keyBits` is given, else in the given order.
 * That order is by the highest 22 bits of their mixed keys, which determine both the stretch of a
 * table and the high part.
 *
 * @param keyBits bits of a mixed key
 */
export function packRecords(records: Uint8Array, keyBits?: number): Uint8Array {
  packer ??= new WebAssembly.Instance(kernelFiles.module(PACKER_FILE)).exports as unknown as Packer;
  const count = records.length / RECORD_BYTES;
  const at = packer.room(count);
  const memory = new Uint8Array(packer.memory.buffer);
  memory.set(records, at);
  const bytes = packer.pack(count, keyBits ?? 0, keyBits !== undefined);
  const from = packer.resultAt(count);
  return memory.slice(from, from + bytes);
}

/*
 * Sorts, packs and unpacks records, in a memory of its own and for all shapes:
 * `src/records.ts` describes records and packed records. The memory, for `count` records:
 *
 *     COUNTS     number of records with each digit of the sort, for two passes
 *     RECORDS    the records (`record.ts`), written by the loader
 *     then       twice 8 bytes per record: the highest bits of its mixed key (high half), its index (low half)
 *     then       the packed or the sorted records
 *
 * Unpacking reads packed records from the place of those pairs and writes records to RECORDS.
 */
import { BoundRecord } from "./record";

/** Bits of a key that each of the two passes of the sort examines. */
const DIGIT_BITS: i32 = 11;
const DIGITS: i32 = 1 << DIGIT_BITS;
const SORTED_MASK: u64 = (u64(1) << (2 * DIGIT_BITS)) - 1;

const COUNTS: usize = 64;
const RECORDS: usize = COUNTS + 2 * 4 * DIGITS;
const RECORD_BYTES: usize = offsetof<BoundRecord>();

/**
 * Bits of a mixed key in the word of a packed record; the rest is stored as the difference from the
 * previous record.
 */
const LOW_BITS: u64 = 28;
const LOW_MASK: u64 = (u64(1) << LOW_BITS) - 1;
/** Bits of the rest of a key, its high part. */
const HIGH_BITS: u64 = 64 - LOW_BITS;
/** Maximum number of digits of a difference, which has one bit more than a high part. */
const MOST_DIGITS: i32 = 6;
/** Maximum size of a packed record in bytes. */
export const MOST_BYTES: i32 = 8 + MOST_DIGITS;

@inline
function placesAt(count: i32): usize {
  return RECORDS + RECORD_BYTES * count;
}

/** Returns the address of the output of `pack` and `sort` for `count` records. */
@inline
export function resultAt(count: i32): usize {
  return RECORDS + 32 * count;
}

/**
 * Grows the memory to hold `count` records; returns the address of the records, both as input and
 * as output of unpacking.
 */
export function room(count: i32): usize {
  // Sorting needs the most memory.
  const pages = <i32>((resultAt(count) + RECORD_BYTES * count + 0xffff) >> 16);
  if (pages > memory.size()) memory.grow(pages - memory.size());
  return RECORDS;
}

/** Converts the counts of a digit to the index of the first record with each digit. */
function sumUp(counts: usize): void {
  let sum: u32 = 0;
  for (let at = counts; at < counts + 4 * DIGITS; at += 4) {
    const count = load<u32>(at);
    store<u32>(at, sum);
    sum += count;
  }
}

/** Sorts `count` pairs by a digit of their keys. */
@inline
function sortByDigit(from: usize, to: usize, count: i32, counts: usize, shift: u64): void {
  const end = from + 8 * count;
  for (let at = from; at < end; at += 8) {
    const place = load<u64>(at);
    const next = counts + 4 * (<usize>(place >> shift) & (DIGITS - 1));
    const index = load<u32>(next);
    store<u64>(to + 8 * index, place);
    store<u32>(next, index + 1);
  }
}

/**
 * Finds the order of `count` records by the highest 22 of the `keyBits` bits of their mixed keys
 * with a stable radix sort.
 */
function order(count: i32, keyBits: i32): void {
  const highest = COUNTS + 4 * DIGITS;
  memory.fill(COUNTS, 0, 2 * 4 * DIGITS);
  const places = placesAt(count);
  const others = places + 8 * count;
  const shift = keyBits - 2 * DIGIT_BITS; // 42 at most
  for (let i = 0; i < count; i++) {
    const mixed = load<u64>(RECORDS + RECORD_BYTES * i, offsetof<BoundRecord>("mixed"));
    const key = (shift < 0 ? mixed << -shift : mixed >> shift) & SORTED_MASK;
    store<u64>(places + 8 * i, (key << 32) | i);
    const low = COUNTS + 4 * (<usize>key & (DIGITS - 1));
    const high = highest + 4 * <usize>(key >> DIGIT_BITS);
    store<u32>(low, load<u32>(low) + 1);
    store<u32>(high, load<u32>(high) + 1);
  }
  sumUp(COUNTS);
  sumUp(highest);
  sortByDigit(places, others, count, COUNTS, 32);
  sortByDigit(others, places, count, highest, 32 + DIGIT_BITS);
}

/** Sorts `count` records into the order of the table. */
export function sort(count: i32, keyBits: i32): void {
  order(count, keyBits);
  const places = placesAt(count);
  const out = resultAt(count);
  for (let i = 0; i < count; i++) {
    const record = RECORDS + RECORD_BYTES * load<u32>(places + 8 * i);
    v128.store(out + RECORD_BYTES * i, v128.load(record));
  }
}

/**
 * Packs `count` records, in the order of the table if `sorting`, else in their own; returns the
 * size in bytes.
 */
export function pack(count: i32, keyBits: i32, sorting: bool): i32 {
  if (sorting) order(count, keyBits);
  const places = placesAt(count);
  const out = resultAt(count);
  let at = out;
  let before: u64 = 0;
  for (let i = 0; i < count; i++) {
    const record = RECORDS + RECORD_BYTES * <usize>(sorting ? load<u32>(places + 8 * i) : i);
    const mixed = load<u64>(record, offsetof<BoundRecord>("mixed"));
    const lo = <u64>load<u16>(record, offsetof<BoundRecord>("lo")) & 0x7fff;
    const hi = <u64>load<u16>(record, offsetof<BoundRecord>("hi"));
    const effort = <u64>load<u32>(record, offsetof<BoundRecord>("effort"));
    store<u64>(at, ((mixed & LOW_MASK) << 36) | (lo << 21) | (hi << 6) | effort);
    at += 8;
    const high = mixed >> LOW_BITS;
    let rest = high >= before ? (high - before) << 1 : ((before - high) << 1) - 1;
    before = high;
    for (; rest >= 128; rest >>= 7) store<u8>(at++, <u8>(rest | 128));
    store<u8>(at++, <u8>rest);
  }
  return <i32>(at - out);
}

/** Returns the address at which to put packed bytes of up to `count` records for unpacking. */
export function packedAt(count: i32): usize {
  return placesAt(count);
}

/** Bytes consumed by the last unpacking, and the high part of its last record's key. */
export let unpackedBytes: i32 = 0;
export let unpackedHigh: f64 = 0;

/**
 * Unpacks the next records of `bytes` packed bytes: at most `most`, and only while the high part of
 * the key is below `limit`; `before` is the high part of the previous record. Returns the number of
 * records, or −1 if the next one is invalid.
 */
export function unpack(bytes: i32, most: i32, before: f64, limit: f64): i32 {
  const begin = packedAt(most);
  const end = begin + bytes;
  const last: u64 = limit < f64(u64(1) << HIGH_BITS) ? <u64>limit : u64(1) << HIGH_BITS;
  let high = <u64>before;
  let at = begin;
  let count = 0;
  for (; count < most && at < end; count++) {
    let next = at + 8;
    let difference: u64 = 0;
    let digit: u64 = 128;
    for (let shift: u64 = 0; digit >= 128; shift += 7) {
      if (next >= end || shift == 7 * MOST_DIGITS) return -1;
      digit = load<u8>(next++);
      difference |= (digit & 127) << shift;
    }
    const here = difference & 1 ? high - (difference >> 1) - 1 : high + (difference >> 1);
    if (here >> HIGH_BITS) return -1;
    if (here >= last) break;
    high = here;
    const word = load<u64>(at);
    const record = RECORDS + RECORD_BYTES * count;
    store<u64>(record, (high << LOW_BITS) | (word >> 36), offsetof<BoundRecord>("mixed"));
    store<u16>(record, <u16>((word >> 21) & 0x7fff), offsetof<BoundRecord>("lo"));
    store<u16>(record, <u16>((word >> 6) & 0x7fff), offsetof<BoundRecord>("hi"));
    store<u32>(record, <u32>word & 63, offsetof<BoundRecord>("effort"));
    at = next;
  }
  unpackedBytes = <i32>(at - begin);
  unpackedHigh = <f64>high;
  return count;
}

/*
 * Sorts and packs records, in a memory of its own and for all shapes: `src/records.ts` describes
 * records and packed records. The memory, for `count` records:
 *
 *     COUNTS     number of records with each digit of the sort, for two passes
 *     RECORDS    the records (`record.ts`), written by the loader
 *     then       twice 8 bytes per record: the highest bits of its mixed key (high half), its index
 *                (low half)
 *     then       the packed records
 */
import { BoundRecord, LOW_BITS, LOW_MASK, MOST_DIGITS } from "./record";

/** Bits of a key that each of the two passes of the sort examines. */
const DIGIT_BITS: i32 = 11;
const DIGITS: i32 = 1 << DIGIT_BITS;
const SORTED_MASK: u64 = (u64(1) << (2 * DIGIT_BITS)) - 1;

const COUNTS: usize = 64;
const RECORDS: usize = COUNTS + 2 * 4 * DIGITS;
const RECORD_BYTES: usize = offsetof<BoundRecord>();

@inline
function placesAt(count: i32): usize {
  return RECORDS + RECORD_BYTES * count;
}

/** Returns the address of the output of `pack` for `count` records. */
@inline
export function resultAt(count: i32): usize {
  return RECORDS + 32 * count;
}

/** Maximum size of a packed record in bytes. */
const MOST_BYTES: i32 = 8 + MOST_DIGITS;

/** Grows the memory to pack `count` records; returns the address at which to put them. */
export function room(count: i32): usize {
  const pages = <i32>((resultAt(count) + MOST_BYTES * count + 0xffff) >> 16);
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

/*
 * The transposition table: buckets of four entries, one 64-bit word each, read and written as one
 * atomic word, so that any number of threads may share it: a reader sees a whole entry or another
 * whole entry, each of them true. An update lost to another thread's costs time only.
 *
 * The table is exact: no two keys are ever taken for one another. A key (the board, and whose turn
 * it is) of KEY_BITS bits is mixed by an invertible function. Bucket i of n holds the mixed keys m
 * with floor(m·n / 2^KEY_BITS) = i: a run of at most 2^(KEY_BITS − floor(log2 n)) consecutive
 * numbers, so that many low bits of m tell them apart, and bucket and low bits give the key back.
 *
 * An entry, from the lowest bit; 0 is an empty one:
 *     EFFORT_BITS   effort: about 2·log2 of the nodes spent on it, at least 1
 *     VALUE_BITS    hi, points / 4; all ones: none known
 *     VALUE_BITS    lo, points / 4
 *     the rest      low bits of the mixed key
 */
import { canonicalUnder, NORMAL } from "./board";
import { markBusy } from "./busy";
import { RECORD_BYTES } from "./layout";
import { CELLS } from "./shape";
import { KEY_BITS, KEY_MASK, mix, unmix } from "./keys";

/**
 * Bits of a bound. No board's value exceeds ((CELLS − 1)·2^(CELLS + 2) + 4) points, a quarter of
 * which takes at most CELLS + ceil(log2 CELLS) bits. Past 15 bits (131,064 points) bounds saturate, to a
 * smaller `lo` or to no `hi`, which is sound.
 */
export const VALUE_BITS: i32 =
  CELLS <= 2 ? 3 : CELLS <= 4 ? 7 : CELLS <= 8 ? CELLS + 3 : CELLS <= 11 ? CELLS + 4 : 15;
/** No upper bound known; also the mask of a bound. */
export const NONE: i32 = (1 << VALUE_BITS) - 1;

const EFFORT_BITS: i32 = 6;
const EFFORT_MASK: u64 = (u64(1) << EFFORT_BITS) - 1;
/** The largest effort that an entry holds. */
export const MAX_EFFORT: i32 = <i32>EFFORT_MASK;
const HI_SHIFT: i32 = EFFORT_BITS;
const LO_SHIFT: i32 = EFFORT_BITS + VALUE_BITS;
const REST_SHIFT: i32 = EFFORT_BITS + 2 * VALUE_BITS;
const BOUNDS_MASK: u64 = ((u64(1) << REST_SHIFT) - 1) & ~EFFORT_MASK;

/** Fewest buckets, as a power of two: what an entry cannot hold of the key, the bucket must. */
// @ts-ignore: a bool times an i32
export const MIN_BUCKETS_LOG2: i32 = KEY_BITS + REST_SHIFT > 64 ? KEY_BITS + REST_SHIFT - 64 : 0;

export const BUCKET_ENTRIES: i32 = 4;
export const BUCKET_BYTES: i32 = 8 * BUCKET_ENTRIES;

/** Bits of the mixed key that find the bucket, so that the product with their number fits a u64. */
const TOP_BITS: i32 = KEY_BITS < 32 ? KEY_BITS : 32;

let table: usize = 0;
let buckets: u64 = 0;
/** Mask of the low bits that tell the keys of a bucket apart. */
let restMask: u64 = 0;

/** Uses `count` buckets at `at`; `count` must be at least 2^MIN_BUCKETS_LOG2 and at most 2^TOP_BITS. */
export function attachTable(at: usize, count: u32): void {
  table = at;
  buckets = count;
  restMask = (u64(1) << (KEY_BITS - (31 - <i32>clz(count)))) - 1;
}

// @ts-ignore: decorator
@inline
function bucketOf(mixed: u64): usize {
  const index = ((mixed >> (KEY_BITS - TOP_BITS)) * buckets) >> TOP_BITS;
  return table + <usize>index * BUCKET_BYTES;
}

/** What is known of a key: an entry for {@link loOf} and {@link hiOf}, or 0 when nothing is. */
// @ts-ignore: decorator
@inline
export function probe(key: u64): u64 {
  const mixed = mix(key);
  const bucket = bucketOf(mixed);
  const rest = mixed & restMask;
  for (let i = 0; i < BUCKET_ENTRIES; i++) {
    const entry = atomic.load<u64>(bucket + 8 * i);
    if (entry >> REST_SHIFT == rest && entry != 0) return entry;
  }
  return 0;
}

/** Where the bucket of a key is. */
// @ts-ignore: decorator
@inline
export function addressOf(key: u64): usize {
  return bucketOf(mix(key));
}

let fetchedSum: u64 = 0;

/**
 * Has the processor fetch the buckets whose addresses are listed, 4 bytes each. In a large table it waits long for each; but
 * as many as it can hold the instructions for it waits for at the same time, so this loop does nothing else.
 */
// @ts-ignore: decorator
@inline
export function fetchBuckets(addresses: usize, count: i32): void {
  let sum: u64 = 0;
  for (let i = 0; i < count; i++) sum += load<u64>(load<u32>(addresses + 4 * i));
  fetchedSum = sum; // or the compiler would leave all of it out
}

/** The lower bound of an entry, points / 4; 0 of none. */
// @ts-ignore: decorator
@inline
export function loOf(entry: u64): i32 {
  return <i32>(entry >> LO_SHIFT) & NONE;
}

/** The upper bound of an entry, points / 4; NONE of none. */
// @ts-ignore: decorator
@inline
export function hiOf(entry: u64): i32 {
  return entry == 0 ? NONE : <i32>(entry >> HI_SHIFT) & NONE;
}

/** The effort of an entry. */
// @ts-ignore: decorator
@inline
export function effortIn(entry: u64): i32 {
  return <i32>(entry & EFFORT_MASK);
}

/** The bound by which the table settles whether h ≥ threshold, points / 4; negative if it does not. */
export function settledBy(key: u64, threshold: i32): i32 {
  const entry = probe(key);
  if (loOf(entry) >= threshold) return loOf(entry);
  if (hiOf(entry) < threshold) return hiOf(entry);
  return -1;
}

/** The effort of so many nodes as entries hold it. */
export function effortOf(nodes: u64): u64 {
  if (nodes < 2) return 1;
  const log2 = 63 - clz(nodes);
  const half = (nodes >> (log2 - 1)) & 1;
  return min(2 * log2 + half, EFFORT_MASK);
}

/**
 * Merges a bound into the table: the larger `lo` and the smaller `hi`. In a full bucket it takes the
 * place of the entry that cost least. `lo` and `hi` are points / 4, `hi` NONE when unknown.
 */
export function merge(key: u64, lo: i32, hi: i32, effort: u64): void {
  mergeMixed(mix(key), lo, hi, effort);
}

// @ts-ignore: decorator
@inline
function mergeMixed(mixed: u64, lo: i32, hi: i32, effort: u64): void {
  lo = min(lo, NONE - 1);
  hi = min(hi, NONE);
  const bucket = bucketOf(mixed);
  const rest = mixed & restMask;
  let at = bucket;
  let least = u64.MAX_VALUE;
  for (let i = 0; i < BUCKET_ENTRIES; i++) {
    const slot = bucket + 8 * i;
    const entry = atomic.load<u64>(slot);
    if (entry == 0) {
      if (least != 0) {
        least = 0;
        at = slot;
      }
    } else if (entry >> REST_SHIFT == rest) {
      lo = max(lo, loOf(entry));
      hi = min(hi, hiOf(entry));
      effort = max(effort, entry & EFFORT_MASK);
      at = slot;
      break;
    } else if ((entry & EFFORT_MASK) < least) {
      least = entry & EFFORT_MASK;
      at = slot;
    }
  }
  atomic.store<u64>(
    at,
    (rest << REST_SHIFT) | (<u64>lo << LO_SHIFT) | (<u64>hi << HI_SHIFT) | effort,
  );
}

/** The key of a record. */
export function keyOfRecord(mixed: u64): u64 {
  return unmix(mixed);
}

/** Writes a bound as a record; its keys are mixed so that records in their order are in the table's. */
export function storeRecord(at: usize, key: u64, lo: i32, hi: i32, effort: u64): void {
  store<u64>(at, mix(key));
  store<u16>(at, <u16>lo, 8);
  store<u16>(at, <u16>hi, 10);
  store<u32>(at, <u32>effort, 12);
}

/**
 * Copies entries that cost `minEffort` or more to `to` as records, bucket by bucket. Starts with
 * bucket `from` and stops before bucket `end`, or one whose entries might not fit in `room`. Returns the next
 * bucket in the high half, the number of records in the low half.
 */
export function readRecords(from: u32, end: u32, minEffort: u64, to: usize, room: i32): u64 {
  let count = 0;
  let index: u64 = from;
  for (; index < end && count + BUCKET_ENTRIES <= room; index++) {
    // The first top part of the bucket: the least x with floor(x·buckets / 2^TOP_BITS) = index.
    const firstTop = ((index << TOP_BITS) + buckets - 1) / buckets;
    const first = firstTop << (KEY_BITS - TOP_BITS);
    for (let i = 0; i < BUCKET_ENTRIES; i++) {
      const entry = atomic.load<u64>(table + <usize>index * BUCKET_BYTES + 8 * i);
      if (entry == 0 || (entry & EFFORT_MASK) < minEffort) continue;
      // The only number in the bucket's run with these low bits.
      store<u64>(to, first + (((entry >> REST_SHIFT) - first) & restMask));
      store<u16>(to, <u16>loOf(entry), 8);
      store<u16>(to, <u16>hiOf(entry), 10);
      store<u32>(to, <u32>(entry & EFFORT_MASK), 12);
      to += RECORD_BYTES;
      count++;
    }
  }
  return (index << 32) | count;
}

/** Whether a record from elsewhere can be true: a canonical board, and bounds in their order. */
function isPlausible(record: usize): bool {
  const mixed = load<u64>(record);
  if (mixed > KEY_MASK) return false;
  const board = unmix(mixed) >> 1;
  const lo = load<u16>(record, 8);
  const hi = load<u16>(record, 10);
  return lo <= hi && hi <= <u16>NONE && canonicalUnder(board, NORMAL) == board;
}

/** Records whose buckets are fetched together. */
const FETCHED: i32 = 64;

/**
 * Has the processor fetch the buckets of records at the same time. A merge ends with an atomic store, which waits
 * for all before it, so that without this each record would wait for its bucket alone.
 */
function fetchRecords(from: usize, count: i32): void {
  let sum: u64 = 0;
  for (let i = 0; i < count; i++) {
    sum += load<u64>(bucketOf(load<u64>(from + i * RECORD_BYTES) & KEY_MASK));
  }
  fetchedSum = sum;
}

/**
 * Merges `count` records into the table, and marks as busy what they announce. Fastest in the order of their mixed
 * keys, which is the table's. Where they are `foreign`, those that cannot be true are left out; returns how many.
 */
export function mergeRecords(from: usize, count: i32, foreign: bool): i32 {
  let refused = 0;
  for (let i = 0; i < count; i++, from += RECORD_BYTES) {
    if (i % FETCHED == 0) fetchRecords(from, min(FETCHED, count - i));
    if (foreign && !isPlausible(from)) {
      refused++;
      continue;
    }
    const mixed = load<u64>(from) & KEY_MASK;
    const effort = min(<u64>load<u32>(from, 12), EFFORT_MASK);
    if (effort == 0) markBusy(unmix(mixed));
    else mergeMixed(mixed, load<u16>(from, 8), load<u16>(from, 10), effort);
  }
  return refused;
}

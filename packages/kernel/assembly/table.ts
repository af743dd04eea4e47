/*
 * The transposition table: buckets of four entries, shared by all threads. It lies after the
 * threads' blocks in their memory or, if one memory is too small, in several others, its shards. A
 * small table (see `bucket.ts`) is a single shard. With n shards, each is a table for the boards of
 * every n-th tile sum. Entries looked up together then lie in one or two shards, and the processor
 * can predict the calls. (With shards by ranges of keys it cannot, and a search takes 1.6 times as
 * long.)
 *
 * The table is exact: no two keys are ever confused. A key (the board, and whose turn it is) of
 * KEY_BITS bits is mixed by an invertible function. Bucket i of n holds the mixed keys m with
 * floor(m·n / 2^KEY_BITS) = i: a run of at most 2^(KEY_BITS − floor(log2 n)) consecutive numbers.
 * So KEY_BITS − floor(log2 n) low bits of m distinguish them, and the bucket and the low bits
 * determine the key.
 */
import { BUCKET_BYTES, BUCKET_ENTRIES, entryAt, findIn, LACKING_BITS, mergeInto } from "./bucket";
import { effortIn, hiOf, loOf, REST_SHIFT, restOf } from "./entry";
import { RECORD_BYTES } from "./layout";
import { BoundRecord } from "./record";
import { boardOf, KEY_BITS, mix, unmix } from "./keys";

/**
 * Minimum number of buckets, as a power of two: the bucket must determine the bits of the key that
 * an entry cannot hold.
 */
export const MIN_BUCKETS_LOG2: i32 = KEY_BITS + REST_SHIFT > 64 ? KEY_BITS + REST_SHIFT - 64 : 0;
/** The same for a small table. */
export const SMALL_MIN_BUCKETS_LOG2: i32 =
  MIN_BUCKETS_LOG2 > LACKING_BITS ? MIN_BUCKETS_LOG2 - LACKING_BITS : 0;
/** Maximum number of buckets, as a power of two: one per key, and bucket numbers fit 32 bits. */
export const MAX_BUCKETS_LOG2: i32 = KEY_BITS < 31 ? KEY_BITS : 31;

/**
 * Bits of the mixed key that determine the bucket, few enough that their product with the number of
 * buckets fits a u64.
 */
const TOP_BITS: i32 = KEY_BITS < 32 ? KEY_BITS : 32;

let table: usize = 0;
/** Number of buckets in the table, or in each shard. */
let buckets: u64 = 0;
/** Mask of the low bits that distinguish the keys of a bucket. */
let restMask: u64 = 0;
/** Number of shards; 0: the table lies in the threads' memory. */
let shards: u32 = 0;

/** Indices of a shard's functions, relative to its first; see `shard.ts`. */
const SHARD_FIND: u32 = 0;
const SHARD_MERGE: u32 = 1;
const SHARD_ENTRY: u32 = 2;
const SHARD_FETCH: u32 = 3;
const SHARD_REST: u32 = 4;
const SHARD_OPERATIONS: u32 = 5;

/**
 * Attaches a table of `count` buckets at `at` or, if there are shards, of `count` in each; `count`
 * must be at least 2^MIN_BUCKETS_LOG2, or 2^SMALL_MIN_BUCKETS_LOG2 in a small table, and at most
 * 2^MAX_BUCKETS_LOG2.
 */
export function attachTable(at: usize, count: u32, shardCount: u32): void {
  table = at;
  buckets = count;
  restMask = (u64(1) << (KEY_BITS - (31 - <i32>clz(count)))) - 1;
  shards = shardCount;
}

/** Returns true if the table lies in shards. */
@inline
export function isSharded(): bool {
  return shards != 0;
}

/** Returns the number of a board's shard; 0 without shards. */
export function shardOf(board: u64): u32 {
  if (shards < 2) return 0;
  let halves: u32 = 0; // of the tile sum
  for (let cells = board; cells != 0; cells >>= 4) halves += (1 << (<u32>cells & 15)) >> 1;
  return halves % shards;
}

/**
 * Returns the shard of the boards that follow when a 2 or a 4 (`tile` 1 or 2) is placed on a board
 * of shard `shard`.
 */
@inline
export function shardAfter(shard: u32, tile: u32): u32 {
  const after = shard + tile;
  return after < shards ? after : shards < 2 ? 0 : after - shards;
}

/** Returns the number of a mixed key's bucket in its shard. */
@inline
export function bucketOfMixed(mixed: u64): u32 {
  return <u32>(((mixed >> (KEY_BITS - TOP_BITS)) * buckets) >> TOP_BITS);
}

@inline
function addressOf(bucket: u32): usize {
  return table + <usize>bucket * BUCKET_BYTES;
}

/** Returns entry `i` of a bucket of a shard. */
@inline
export function entryOfBucket(shard: u32, bucket: u32, i: i32): u64 {
  return shards == 0
    ? entryAt(addressOf(bucket), i)
    : call_indirect<u64>(shard * SHARD_OPERATIONS + SHARD_ENTRY, bucket, i);
}

/** Returns the low bits of the mixed key of `entry`, which is entry `i` of a bucket of a shard. */
@inline
function restOfBucket(shard: u32, bucket: u32, i: i32, entry: u64): u64 {
  return shards == 0
    ? restOf(entry)
    : call_indirect<u64>(shard * SHARD_OPERATIONS + SHARD_REST, bucket, i);
}

/**
 * Looks up a mixed key of a board in shard `shard`; returns an entry for {@link loOf} and
 * {@link hiOf}, or 0 if there is none.
 */
@inline
export function probeIn(shard: u32, mixed: u64): u64 {
  const bucket = bucketOfMixed(mixed);
  const rest = mixed & restMask;
  return shards == 0
    ? findIn(addressOf(bucket), rest)
    : call_indirect<u64>(shard * SHARD_OPERATIONS + SHARD_FIND, bucket, rest);
}

/** Looks up a key as {@link probeIn} does. */
export function probe(key: u64): u64 {
  return probeIn(shardOf(boardOf(key)), mix(key));
}

let fetchedSum: u64 = 0;

/**
 * Prefetches the buckets of a shard whose numbers are listed, 4 bytes each. In a large table each
 * access is slow, but the processor waits at the same time for all accesses whose instructions it
 * can hold, so this function does nothing else. There must be room for 12 bytes after the list.
 */
@inline
export function fetchBuckets(shard: u32, numbers: usize, count: i32): void {
  let sum: u64 = 0;
  if (shards == 0) {
    for (let i = 0; i < count; i++) sum += load<u64>(addressOf(load<u32>(numbers + 4 * i)));
  } else {
    if (count == 0) return;
    const last = load<u32>(numbers + 4 * count - 4);
    for (let i = count; i % 4 != 0; i++) store<u32>(numbers + 4 * i, last);
    for (let at = numbers; at < numbers + 4 * count; at += 16) {
      sum += call_indirect<u64>(
        shard * SHARD_OPERATIONS + SHARD_FETCH,
        load<u32>(at),
        load<u32>(at, 4),
        load<u32>(at, 8),
        load<u32>(at, 12),
      );
    }
  }
  fetchedSum = sum; // otherwise the compiler would remove all of it
}

/**
 * Returns the bound by which the table settles whether h ≥ threshold, points / 4; negative if it
 * does not.
 */
export function settledBy(key: u64, threshold: i32): i32 {
  const entry = probe(key);
  if (loOf(entry) >= threshold) return loOf(entry);
  if (hiOf(entry) < threshold) return hiOf(entry);
  return -1;
}

/** Merges a bound into the table; see {@link mergeInto}. */
export function merge(key: u64, lo: i32, hi: i32, effort: u64): void {
  mergeMixed(shardOf(boardOf(key)), mix(key), lo, hi, effort);
}

/** Merges a bound of a mixed key of a board in shard `shard`. */
@inline
export function mergeMixed(shard: u32, mixed: u64, lo: i32, hi: i32, effort: u64): void {
  const bucket = bucketOfMixed(mixed);
  const rest = mixed & restMask;
  if (shards == 0) mergeInto(addressOf(bucket), rest, lo, hi, effort);
  else call_indirect<void>(shard * SHARD_OPERATIONS + SHARD_MERGE, bucket, rest, lo, hi, effort);
}

/** Returns the key of a record. */
export function keyOfRecord(mixed: u64): u64 {
  return unmix(mixed);
}

/**
 * Writes a bound as a record. The keys of records are mixed so that their order is that of the
 * table.
 */
export function storeRecord(at: usize, key: u64, lo: i32, hi: i32, effort: u64): void {
  store<u64>(at, mix(key), offsetof<BoundRecord>("mixed"));
  store<u16>(at, <u16>lo, offsetof<BoundRecord>("lo"));
  store<u16>(at, <u16>hi, offsetof<BoundRecord>("hi"));
  store<u32>(at, <u32>effort, offsetof<BoundRecord>("effort"));
}

/**
 * Copies the entries of a shard with effort `minEffort` or more to `to` as records, bucket by
 * bucket. Starts at bucket `from` and stops before bucket `end`, or before one whose entries might
 * not fit in `room`. Returns the next bucket in the high half and the number of records in the low
 * half.
 */
export function readRecords(
  shard: u32,
  from: u32,
  end: u32,
  minEffort: u64,
  to: usize,
  room: i32,
): u64 {
  let count = 0;
  let index: u64 = from;
  for (; index < end && count + BUCKET_ENTRIES <= room; index++) {
    // The first top part of the bucket: the least x with floor(x·buckets / 2^TOP_BITS) = index.
    const firstTop = ((index << TOP_BITS) + buckets - 1) / buckets;
    const first = firstTop << (KEY_BITS - TOP_BITS);
    for (let i = 0; i < BUCKET_ENTRIES; i++) {
      const entry = entryOfBucket(shard, <u32>index, i);
      if (entry == 0 || effortIn(entry) < minEffort) continue;
      // The only number in the bucket's run with these low bits.
      const rest = restOfBucket(shard, <u32>index, i, entry);
      const mixed = first + ((rest - first) & restMask);
      store<u64>(to, mixed, offsetof<BoundRecord>("mixed"));
      store<u16>(to, <u16>loOf(entry), offsetof<BoundRecord>("lo"));
      store<u16>(to, <u16>hiOf(entry), offsetof<BoundRecord>("hi"));
      store<u32>(to, <u32>effortIn(entry), offsetof<BoundRecord>("effort"));
      to += RECORD_BYTES;
      count++;
    }
  }
  return (index << 32) | count;
}

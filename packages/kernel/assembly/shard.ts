/*
 * A separate module: the part in one memory of a table that is too large for a single memory or,
 * compiled with SMALL, all of a small table (see `bucket.ts`). The search calls it through the
 * function table passed to it, in the order of `SHARD_OPERATIONS` in `table.ts`.
 */
import { BUCKET_BYTES, BUCKET_ENTRIES, entryAt, findIn, mergeInto, restIn } from "./bucket";

@inline
function addressOf(bucket: u32): usize {
  return <usize>bucket * BUCKET_BYTES;
}

/** Finds an entry; see `findIn`. */
export function find(bucket: u32, rest: u64): u64 {
  return findIn(addressOf(bucket), rest);
}

/** Merges a bound; see `mergeInto`. */
export function merge(bucket: u32, rest: u64, lo: i32, hi: i32, effort: u64): void {
  mergeInto(addressOf(bucket), rest, lo, hi, effort);
}

/** Returns entry `i` of a bucket; 0 if its buckets have fewer entries. */
export function entry(bucket: u32, i: i32): u64 {
  return i < BUCKET_ENTRIES ? entryAt(addressOf(bucket), i) : 0;
}

/** Returns the low bits of the mixed key of entry `i` of a bucket. */
export function rest(bucket: u32, i: i32): u64 {
  const at = addressOf(bucket);
  return restIn(at, i, entryAt(at, i));
}

/** Prefetches four buckets; see `fetchBuckets` in `table.ts`. */
export function fetch(a: u32, b: u32, c: u32, d: u32): u64 {
  return (
    load<u64>(addressOf(a)) +
    load<u64>(addressOf(b)) +
    load<u64>(addressOf(c)) +
    load<u64>(addressOf(d))
  );
}

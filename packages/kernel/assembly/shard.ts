/*
 * A separate module: the part in one memory of a table that is too large for a single memory. The
 * search calls it through the function table passed to it, in the order of `SHARD_OPERATIONS` in
 * `table.ts`.
 */
import { BUCKET_BYTES, entryAt, findIn, mergeInto } from "./bucket";

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

/** Returns entry `i` of a bucket. */
export function entry(bucket: u32, i: i32): u64 {
  return entryAt(addressOf(bucket), i);
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

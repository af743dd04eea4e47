/*
 * A bucket of the table: four entries, in any memory. Any number of threads may share it: a reader
 * always sees a whole entry, old or new, and both are true. A lost update costs only time.
 */
import { effortIn, entryOf, hiOf, loOf, NONE, restOf } from "./entry";

export const BUCKET_ENTRIES: i32 = 4;
export const BUCKET_BYTES: i32 = 8 * BUCKET_ENTRIES;

/** Returns entry `i` of a bucket. */
@inline
export function entryAt(bucket: usize, i: i32): u64 {
  return atomic.load<u64>(bucket + 8 * i);
}

/**
 * Returns the entry with these low bits of a mixed key; 0 if there is none. (Entries fill a bucket
 * from the first on and are never removed, so if an empty entry seems to match, no occupied one
 * follows it.)
 */
@inline
export function findIn(bucket: usize, rest: u64): u64 {
  const a = entryAt(bucket, 0);
  if (restOf(a) == rest) return a;
  const b = entryAt(bucket, 1);
  if (restOf(b) == rest) return b;
  const c = entryAt(bucket, 2);
  if (restOf(c) == rest) return c;
  const d = entryAt(bucket, 3);
  return restOf(d) == rest ? d : 0;
}

/**
 * Merges a bound into a bucket: keeps the larger `lo` and the smaller `hi`. In a full bucket it
 * replaces the entry that cost least. `lo` and `hi` are points / 4, `hi` is NONE if unknown; values
 * too large for an entry are weakened to a smaller `lo` or no `hi`.
 */
@inline
export function mergeInto(bucket: usize, rest: u64, lo: i32, hi: i32, effort: u64): void {
  lo = min(lo, NONE - 1);
  hi = min(hi, NONE);
  let at = bucket;
  let least = u64.MAX_VALUE;
  for (let i = 0; i < BUCKET_ENTRIES; i++) {
    const entry = entryAt(bucket, i);
    if (entry == 0) {
      if (least != 0) {
        least = 0;
        at = bucket + 8 * i;
      }
    } else if (restOf(entry) == rest) {
      lo = max(lo, loOf(entry));
      hi = min(hi, hiOf(entry));
      effort = max(effort, effortIn(entry));
      at = bucket + 8 * i;
      break;
    } else if (effortIn(entry) < least) {
      least = effortIn(entry);
      at = bucket + 8 * i;
    }
  }
  atomic.store<u64>(at, entryOf(rest, lo, hi, effort));
}

/*
 * A bucket of the table: four entries, in any memory. Any number of threads may share it: a reader
 * always sees a whole entry, old or new, and both are true. A lost update costs only time.
 *
 * A small table has so few buckets that an entry lacks room for all low bits that distinguish the
 * keys of a bucket. There, a bucket has three entries, and the last word has the higher ones of
 * those bits, LACKING_BITS for each entry. An entry and that word are not written at once, so only
 * one thread may use a small table.
 */
import { effortIn, entryOf, hiOf, loOf, NONE, REST_SHIFT, restOf } from "./entry";

/** True in modules of small tables. */
const IS_SMALL: bool = SMALL != 0; // given by the compiler's command line
export const BUCKET_ENTRIES: i32 = IS_SMALL ? 3 : 4;
export const BUCKET_BYTES: i32 = 32;
/** Bits of each entry of a small table that are in the last word of its bucket. */
export const LACKING_BITS: i32 = 21;
const LACKING_MASK: u64 = (u64(1) << LACKING_BITS) - 1;
/** Address, in a bucket of a small table, of that word. */
const LACKING: i32 = 24;

/** Returns entry `i` of a bucket. */
@inline
export function entryAt(bucket: usize, i: i32): u64 {
  return atomic.load<u64>(bucket + 8 * i);
}

/** Returns the low bits of the mixed key of `entry`, which is entry `i` of a bucket. */
@inline
export function restIn(bucket: usize, i: i32, entry: u64): u64 {
  if (!IS_SMALL) return restOf(entry);
  const lacking = (load<u64>(bucket, LACKING) >> (LACKING_BITS * i)) & LACKING_MASK;
  return (lacking << (64 - REST_SHIFT)) | restOf(entry);
}

/**
 * Returns the entry with these low bits of a mixed key; 0 if there is none. (Entries fill a bucket
 * from the first on and are never removed, so if an empty entry seems to match, no occupied one
 * follows it.)
 */
@inline
export function findIn(bucket: usize, rest: u64): u64 {
  const a = entryAt(bucket, 0);
  if (restIn(bucket, 0, a) == rest) return a;
  const b = entryAt(bucket, 1);
  if (restIn(bucket, 1, b) == rest) return b;
  const c = entryAt(bucket, 2);
  if (restIn(bucket, 2, c) == rest) return c;
  if (IS_SMALL) return 0;
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
    } else if (restIn(bucket, i, entry) == rest) {
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
  if (IS_SMALL) {
    const shift = LACKING_BITS * (<i32>(at - bucket) >> 3);
    const others = load<u64>(bucket, LACKING) & ~(LACKING_MASK << shift);
    store<u64>(bucket, others | ((rest >> (64 - REST_SHIFT)) << shift), LACKING);
  }
}

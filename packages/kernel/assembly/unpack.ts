/*
 * Puts packed records into the table; `src/records.ts` describes their format.
 */
import { MAX_EFFORT } from "./entry";
import { boardOf, KEY_MASK, unmix } from "./keys";
import { FETCHED_RECORDS, NEWS, RECORD_BYTES } from "./layout";
import { BoundRecord, LOW_BITS } from "./record";
import {
  bucketOfMixed,
  entryOfBucket,
  fetchBuckets,
  isSharded,
  mergeMixed,
  shardOf,
} from "./table";

/** Bytes that the last call has read, and the high part of its last record's key. */
export let unpackedBytes: i32 = 0;
export let unpackedHigh: u64 = 0;

/** The digits of a difference, 6 at most, and the bits that all but the last of them have. */
const DIGITS: u64 = 0xffff_ffff_ffff;
const CONTINUED: u64 = 0x8080_8080_8080;

@inline
function shardOfMixed(mixed: u64): u32 {
  return isSharded() ? shardOf(boardOf(unmix(mixed))) : 0;
}

let fetchedSum: u64 = 0;

/** Fetches the buckets of `count` records that may lie in different shards. */
function fetchFromShards(unpacked: usize, count: i32): void {
  let sum: u64 = 0;
  for (let i = 0; i < count; i++) {
    const mixed = load<u64>(unpacked + RECORD_BYTES * i, offsetof<BoundRecord>("mixed"));
    sum += entryOfBucket(shardOfMixed(mixed), bucketOfMixed(mixed), 0);
  }
  fetchedSum = sum; // otherwise the compiler would remove all of it
}

/**
 * Merges the records of `bytes` packed bytes at `from` into the table, up to one that goes beyond
 * these bytes or has a key whose high part is `limit` or more; `before` is the high part of the
 * previous record. Returns their number. There must be room for 16 bytes after the packed ones.
 *
 * A merge ends with an atomic store, which waits for all earlier accesses, so each record would
 * wait for its own bucket. Therefore the buckets of some records are fetched together first.
 *
 * @param unpacked a private area for FETCHED_RECORDS records
 * @param fetches a private area for numbers of buckets
 */
export function mergePacked(
  from: usize,
  bytes: i32,
  before: u64,
  limit: u64,
  unpacked: usize,
  fetches: usize,
): i32 {
  const end = from + bytes;
  let high = before;
  let at = from;
  let merged = 0;
  let more = true;
  while (more) {
    let count = 0;
    for (; count < FETCHED_RECORDS; count++) {
      // No branch depends on the number of digits: a processor could not predict it.
      const digits = load<u64>(at, 8) & DIGITS;
      const ends = ~digits & CONTINUED;
      const used = digits & (ends ^ (ends - 1));
      const difference =
        (used & 0x7f) |
        ((used >> 1) & (0x7f << 7)) |
        ((used >> 2) & (0x7f << 14)) |
        ((used >> 3) & (0x7f << 21)) |
        ((used >> 4) & (0x7f << 28)) |
        ((used >> 5) & (0x7f << 35));
      const here = high + ((difference >> 1) ^ (0 - (difference & 1)));
      const next = at + 9 + <usize>(ctz(ends) >> 3);
      more = ends != 0 && next <= end && here < limit;
      if (!more) break;
      high = here;
      const word = load<u64>(at);
      const mixed = ((high << LOW_BITS) | (word >> 36)) & KEY_MASK;
      const record = unpacked + RECORD_BYTES * count;
      store<u64>(record, mixed, offsetof<BoundRecord>("mixed"));
      store<u16>(record, <u16>((word >> 21) & 0x7fff), offsetof<BoundRecord>("lo"));
      store<u16>(record, <u16>((word >> 6) & 0x7fff), offsetof<BoundRecord>("hi"));
      store<u32>(record, <u32>word & MAX_EFFORT, offsetof<BoundRecord>("effort"));
      store<u32>(fetches + 4 * count, bucketOfMixed(mixed));
      at = next;
    }
    if (isSharded()) fetchFromShards(unpacked, count);
    else fetchBuckets(0, fetches, count);
    for (let i = 0; i < count; i++) {
      const record = unpacked + RECORD_BYTES * i;
      const mixed = load<u64>(record, offsetof<BoundRecord>("mixed"));
      mergeMixed(
        shardOfMixed(mixed),
        mixed,
        load<u16>(record, offsetof<BoundRecord>("lo")),
        load<u16>(record, offsetof<BoundRecord>("hi")),
        <u64>max(load<u32>(record, offsetof<BoundRecord>("effort")), 1),
      );
    }
    merged += count;
  }
  atomic.add<u32>(NEWS, 1);
  unpackedBytes = <i32>(at - from);
  unpackedHigh = high;
  return merged;
}

/*
 * The settled boards of a block that was read from its files, packed: they take a quarter of the
 * memory of slots. A board whose bound changes, or that gets a node, gets a slot (`slots.ts`), and
 * from then on only the slot counts.
 *
 * Boards whose keys have the same top bits form a bucket; buckets have 4 to 8 boards on average, and
 * all about as many, since keys are mixed. First comes a directory of the buckets, then the records
 * of all boards in the order of their keys:
 *     u32 for each bucket, + 1     the number of its first record
 *     for each record              the key's bits below those of the bucket, in as many bytes as they
 *                                  need; the form of its bound, in two bytes (`bounds.ts`)
 */
import { KEY_BITS, KEY_MASK } from "../../kernel/assembly/keys";
import { pagesFor, takePages } from "./pages";
import { block, owner } from "./residents";
import { maskOf } from "./varint";

/** Fewest boards of a bucket on average, as a binary logarithm. */
const BUCKET_LOG2: i32 = 2;
/** Bytes of a form. */
export const FORM_BYTES: u32 = 2;
/** Bytes that are read and written at a time. */
const WORD_BYTES: usize = 8;

/** Returns the bytes of a key's low bits in a record. */
@inline
function lowBytes(shift: u32): u32 {
  return (shift + 7) >> 3;
}

@inline
function lowBits(key: u64, shift: u32): u64 {
  return key & ((u64(1) << shift) - 1);
}

@inline
function bucketOf(key: u64, shift: u32): u32 {
  return <u32>(key >> shift);
}

function bucketsFor(shift: u32): u32 {
  return (<u32>1) << (KEY_BITS - shift);
}

/** The directory that is being made, its low bits of a key, and its next record. */
let directory: usize = 0;
let shift: u32 = 0;
let records: usize = 0;
let nextRecord: usize = 0;
let made: u32 = 0;
let most: u32 = 0;

/** Begins to pack at most `count` boards, which come in the order of their keys. */
export function beginPacking(count: u32): void {
  const bucketBits = max(31 - clz<i32>(count | 1) - BUCKET_LOG2, 1);
  shift = max(KEY_BITS - bucketBits, 1);
  const head = (<usize>bucketsFor(shift) + 1) * 4;
  const pages = pagesFor(head + <usize>count * (lowBytes(shift) + FORM_BYTES) + WORD_BYTES);
  directory = takePages(pages, owner);
  memory.fill(directory, 0, head);
  records = directory + head;
  nextRecord = records;
  made = 0;
  most = count;
}

/** The key of the last board that {@link packRun} has packed. */
export let lastKey: u64 = 0;

/**
 * Packs boards of a file (`saving.ts`) between two addresses, up to the first one without a form;
 * returns the address of that one, or `end`. A difference between keys has `width` bytes; `before` is
 * the key of the board before the first one.
 */
export function packRun(from: usize, end: usize, before: u64, width: u32): usize {
  // Copies in registers: this loop takes much of the time of reading a block.
  const differenceMask = maskOf(width);
  const lowMask = (u64(1) << shift) - 1;
  const toBucket: u64 = shift;
  const bound = lowBytes(shift);
  const counts = directory + 4;
  const limit = most;
  let record = nextRecord;
  let count = made;
  let key = before;
  let at = from;
  while (at < end) {
    const next = key + (load<u64>(at) & differenceMask);
    const form: u32 = load<u16>(at + width);
    if (form == 0) break;
    if (count == limit || next > KEY_MASK) unreachable(); // no visit leaves such a file
    key = next;
    at += width + FORM_BYTES;
    store<u64>(record, key & lowMask);
    store<u16>(record + bound, <u16>form);
    record += bound + FORM_BYTES;
    store<u32>(counts + ((<usize>(key >> toBucket)) << 2), ++count);
  }
  nextRecord = record;
  made = count;
  lastKey = key;
  return at;
}

/** Ends packing: the boards become part of the current block. */
export function endPacking(): void {
  const end = directory + ((<usize>bucketsFor(shift)) << 2);
  let count: u32 = 0;
  for (let at = directory; at <= end; at += 4) {
    count = max(count, load<u32>(at)); // an empty bucket begins where the one before ends
    store<u32>(at, count);
  }
  block.directory = directory;
  block.records = records;
  block.keyShift = shift;
}

/** Returns the address of a bucket in the directory. */
@inline
function bucketAt(key: u64): usize {
  return block.directory + ((<usize>bucketOf(key, block.keyShift)) << 2);
}

/** Returns the address of a record of the current block. */
@inline
function recordAt(number: u32): usize {
  return block.records + <usize>number * (lowBytes(block.keyShift) + FORM_BYTES);
}

/** Returns the address of the first record that may have a key, which can then be read ahead. */
@inline
export function firstRecordFor(key: u64): usize {
  return block.directory == 0 ? 0 : recordAt(load<u32>(bucketAt(key)));
}

/** Looks a packed board up by its key: returns its bounds as a form, or 0 if there is no such board. */
@inline
export function packedForm(key: u64): u32 {
  return block.directory == 0 ? 0 : formInBucket(key);
}

function formInBucket(key: u64): u32 {
  const width = lowBytes(block.keyShift);
  const mask = maskOf(width);
  const low = lowBits(key, block.keyShift);
  const bucket = bucketAt(key);
  const end = recordAt(load<u32>(bucket, 4));
  for (let at = recordAt(load<u32>(bucket)); at < end; at += width + FORM_BYTES) {
    const here = load<u64>(at) & mask;
    if (here == low) return load<u16>(at + width);
    if (here > low) break;
  }
  return 0;
}

/** Number of the packed board that is listed, its bucket, its key, and the number of all. */
let listed: u32 = 0;
let listedBucket: u32 = 0;
export let listedKey: u64 = 0;
let listedEnd: u32 = 0;

/** Begins to list the current block's packed boards in order; returns false if it has none. */
export function listPacked(): bool {
  if (block.directory == 0) return false;
  listed = u32.MAX_VALUE; // one before the first
  listedBucket = 0;
  listedEnd = load<u32>(block.directory + ((<usize>bucketsFor(block.keyShift)) << 2));
  return nextPacked();
}

/** Moves on to the next packed board, and sets its key; returns false after the last one. */
export function nextPacked(): bool {
  if (++listed == listedEnd) return false;
  while (load<u32>(block.directory + ((<usize>listedBucket + 1) << 2)) <= listed) listedBucket++;
  const low = load<u64>(recordAt(listed)) & maskOf(lowBytes(block.keyShift));
  listedKey = ((<u64>listedBucket) << block.keyShift) | low;
  return true;
}

/** Returns the bounds of the listed board as a form. */
@inline
export function listedForm(): u32 {
  return load<u16>(recordAt(listed) + lowBytes(block.keyShift));
}

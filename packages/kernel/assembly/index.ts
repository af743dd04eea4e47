/*
 * Functions that the loader calls. Boards cross to JavaScript as BigInt, which is slow, so they do
 * so only at roots.
 */
import { canonicalUnder, NORMAL, prepareBoards } from "../../boards/assembly/board";
import {
  FETCHES,
  FRAMES,
  JOURNAL,
  PATH,
  SLID,
  THREAD_BYTES,
  THREADS,
  TRANSFER,
  TRANSFER_RECORDS,
  UNPACKED,
} from "./layout";
import { endsNext, surelyEarned } from "./bound";
import { COL_COUNT } from "../../boards/assembly/shape";
import { attachJournal } from "./journal";
import { prepareEarnings, prepareLines } from "../../boards/assembly/lines";
import { attachMoves, preparePlaces } from "./moves";
import { attachSearch, lookAtPosition, setConfirming } from "./search";
import { attachPath } from "./together";
import { BUCKET_BYTES } from "./bucket";
import { hiOf, loOf, MAX_EFFORT, NONE } from "./entry";
import { afterstateKey, boardOf, KEEPS_POSITIONS, KEY_BITS, positionKey } from "./keys";
import {
  attachTable,
  keyOfRecord,
  MAX_BUCKETS_LOG2,
  merge,
  MIN_BUCKETS_LOG2,
  probe,
  readRecords,
  SMALL_MIN_BUCKETS_LOG2,
} from "./table";
import { mergePacked } from "./unpack";

export { ask } from "./search";
export { unpackedBytes, unpackedHigh } from "./unpack";
export { MAX_PLACEMENTS } from "./limits";
export {
  AFTERSTATES,
  JOURNAL_EFFORT,
  JOURNAL_MISSED,
  JOURNAL_READ,
  JOURNAL_RECORDS,
  JOURNAL_WRITTEN,
  POSITIONS,
  STEP,
  STEPPED,
  STOP,
  TRANSFER_RECORDS,
} from "./layout";
export {
  boardOf,
  BUCKET_BYTES,
  KEEPS_POSITIONS,
  KEY_BITS,
  keyOfRecord,
  MAX_BUCKETS_LOG2,
  MIN_BUCKETS_LOG2,
  NONE,
  SMALL_MIN_BUCKETS_LOG2,
};

/**
 * Fills the read-only tables. Called once for a memory, before any thread attaches. A `goal` other
 * than 0 is the exponent of a tile; a board's value is then the number of times that the slider can
 * force that tile.
 */
export function prepare(goal: i32): void {
  prepareBoards();
  prepareEarnings(goal);
  prepareLines();
  preparePlaces();
}

/** Returns the address of a thread's control words. */
export function threadAt(thread: i32): usize {
  return THREADS + thread * THREAD_BYTES;
}

/** Returns the address of the table, after the blocks of `threads` threads. */
export function tableAt(threads: i32): usize {
  return threadAt(threads);
}

/** Returns the address of a thread's transfer area. */
export function transferAt(thread: i32): usize {
  return threadAt(thread) + TRANSFER;
}

/** Returns the address of a thread's journal. */
export function journalAt(thread: i32): usize {
  return threadAt(thread) + JOURNAL;
}

/**
 * Makes this instance thread number `thread` of `threads`, over a table of `buckets` buckets, or of
 * `buckets` in each shard if there are shards. `tiles` are exponent bits. `withoutBound` and
 * `otherOrder` are for confirming results; see `search.ts`.
 */
export function attach(
  thread: i32,
  threads: i32,
  buckets: u32,
  shards: u32,
  tiles: u32,
  withoutBound: bool,
  otherOrder: bool,
): void {
  const block = threadAt(thread);
  attachMoves(block + SLID, block + FETCHES, withoutBound ? 0 : tiles);
  attachPath(block + PATH);
  attachSearch(block, block + FRAMES, tiles);
  setConfirming(withoutBound, otherOrder);
  attachJournal(block, block + JOURNAL);
  attachTable(tableAt(threads), buckets, shards);
}

/** Returns the canonical form of a board in the normal layout. */
export function canonical(board: u64): u64 {
  return canonicalUnder(board, NORMAL);
}

@inline
function keyOf(board: u64, placerToMove: bool): u64 {
  return placerToMove ? afterstateKey(board) : positionKey(board);
}

/**
 * Returns the table's bounds of a canonical board, points / 4: lo in the low half, hi (or NONE) in
 * the high half.
 */
export function look(board: u64, placerToMove: bool): i32 {
  if (!placerToMove) return lookAtPosition(board);
  const entry = probe(afterstateKey(board));
  return (hiOf(entry) << 16) | loOf(entry);
}

/**
 * Stores a proven bound of a canonical board in the table, if the board has a key; `hi` is NONE if
 * unknown.
 */
export function learn(board: u64, placerToMove: bool, lo: i32, hi: i32, effort: i32): void {
  if (!placerToMove && !KEEPS_POSITIONS) return;
  merge(keyOf(board, placerToMove), lo, hi, <u64>min(max(effort, 1), MAX_EFFORT));
}

/** Copies entries to the thread's transfer area; see `readRecords` in `table.ts`. */
export function read(thread: i32, shard: u32, from: u32, end: u32, minEffort: i32): u64 {
  return readRecords(shard, from, end, <u64>minEffort, transferAt(thread), TRANSFER_RECORDS);
}

/** Merges packed records of the thread's transfer area into the table; see {@link mergePacked}. */
export function unpack(thread: i32, bytes: i32, before: u64, limit: u64): i32 {
  const block = threadAt(thread);
  return mergePacked(transferAt(thread), bytes, before, limit, block + UNPACKED, block + FETCHES);
}

/** Returns true if the placer can end the game at once after a canonical board; see `bound.ts`. */
export function ends(board: u64, tiles: u32): bool {
  return endsNext(board, COL_COUNT, tiles);
}

/**
 * Returns points / 4 that the slider is certain to earn from a canonical afterstate; see
 * `bound.ts`.
 */
export function earned(board: u64, tiles: u32): i32 {
  return surelyEarned(board, false, tiles, tiles, i32.MAX_VALUE);
}

/*
 * A thread's journal: a ring of recently found bounds that cost some effort, for the snapshot. The
 * thread writes and the snapshot thread reads; if it falls behind, records are dropped, which costs
 * time but is never unsound.
 */
import {
  JOURNAL_EFFORT,
  JOURNAL_MISSED,
  JOURNAL_READ,
  JOURNAL_RECORDS,
  JOURNAL_WRITTEN,
  RECORD_BYTES,
} from "./layout";
import { storeRecord } from "./table";

let control: usize = 0;
let ring: usize = 0;

/** Sets the journal's control words and ring. */
export function attachJournal(controlAt: usize, ringAt: usize): void {
  control = controlAt;
  ring = ringAt;
}

/** Returns true if the journal accepts bounds of this effort. */
@inline
export function isJournaled(effort: u64): bool {
  const least = load<i32>(control + JOURNAL_EFFORT);
  return least != 0 && <i32>effort >= least;
}

/**
 * Writes a bound for which {@link isJournaled} is true to the journal; points / 4, `hi` is NONE if
 * unknown.
 */
export function journal(key: u64, lo: i32, hi: i32, effort: u64): void {
  const written = load<u32>(control + JOURNAL_WRITTEN);
  if (written - atomic.load<u32>(control + JOURNAL_READ) >= JOURNAL_RECORDS) {
    store<u32>(control + JOURNAL_MISSED, load<u32>(control + JOURNAL_MISSED) + 1);
    return;
  }
  storeRecord(ring + (written & (JOURNAL_RECORDS - 1)) * RECORD_BYTES, key, lo, hi, effort);
  atomic.store<u32>(control + JOURNAL_WRITTEN, written + 1);
}

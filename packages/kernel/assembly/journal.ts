/*
 * A thread's journal: a ring of recently found bounds that cost some effort, for readers that store
 * them (snapshots) or pass them on (other machines). The thread writes and the readers read; if a
 * reader falls behind, records are dropped, which costs time but is never unsound.
 */
import {
  JOURNAL_EFFORT,
  JOURNAL_MISSED,
  JOURNAL_READ,
  JOURNAL_READERS,
  JOURNAL_RECORDS,
  JOURNAL_WRITTEN,
  RECORD_BYTES,
} from "./layout";
import { NONE } from "./entry";
import { storeRecord } from "./table";

let control: usize = 0;
let ring: usize = 0;

/** Sets the journal's control words and ring. */
export function attachJournal(controlAt: usize, ringAt: usize): void {
  control = controlAt;
  ring = ringAt;
}

/** Returns true if a reader of the journal accepts bounds of this effort. */
// @ts-ignore: decorator
@inline
export function isJournaled(effort: u64): bool {
  return isTaken(effort, 0) || isTaken(effort, 1);
}

// @ts-ignore: decorator
@inline
function isTaken(effort: u64, reader: usize): bool {
  const least = load<i32>(control + 4 * reader, JOURNAL_EFFORT);
  return least != 0 && <i32>effort >= least;
}

/**
 * Writes a bound for which {@link isJournaled} is true to the journal; points / 4, `hi` is NONE if
 * unknown.
 */
export function journal(key: u64, lo: i32, hi: i32, effort: u64): void {
  const written = load<u32>(control + JOURNAL_WRITTEN);
  for (let reader: usize = 0; reader < JOURNAL_READERS; reader++) {
    if (load<i32>(control + 4 * reader, JOURNAL_EFFORT) == 0) continue;
    if (written - atomic.load<u32>(control + 4 * reader, JOURNAL_READ) < JOURNAL_RECORDS) continue;
    store<u32>(control + JOURNAL_MISSED, load<u32>(control + JOURNAL_MISSED) + 1);
    return;
  }
  storeRecord(ring + (written & (JOURNAL_RECORDS - 1)) * RECORD_BYTES, key, lo, hi, effort);
  atomic.store<u32>(control + JOURNAL_WRITTEN, written + 1);
}

/** Announces to other machines, through the journal, that a node is being searched. */
export function announce(key: u64): void {
  journal(key, 0, NONE, 0);
}

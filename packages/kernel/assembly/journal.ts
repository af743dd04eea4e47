/*
 * A thread's journal: a ring of records of what it has lately learned at some cost, for whoever keeps or
 * passes on what searches learn (snapshots, other machines). The thread writes, the readers read; when one
 * falls behind, records are missed, which costs others time and never truth.
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

/** Gives the journal its thread's control words and its ring. */
export function attachJournal(controlAt: usize, ringAt: usize): void {
  control = controlAt;
  ring = ringAt;
}

/** Whether a reader of the journal takes a bound of this effort. */
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

/** Writes a bound that {@link isJournaled} into the journal; points / 4, `hi` NONE when unknown. */
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

/** Tells other machines, through the journal, that a node is under search. */
export function announce(key: u64): void {
  journal(key, 0, NONE, 0);
}

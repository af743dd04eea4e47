import type { Bound } from "@gridlock/game";
import { RECORD_BYTES } from "@gridlock/kernel";

/*
 * The fields of records that the simulated network reads (16 bytes each, `kernel/src/records.ts`): the first eight bytes
 * are the key, mixed, so that its low bits are practically random; the last four are the effort, 0 for an announcement.
 */

const EFFORT_AT = 12;

/** Counts the bounds and the announcements among records. */
export function tally(records: Uint8Array): { bounds: number; marks: number } {
  const view = viewOf(records);
  let marks = 0;
  for (let at = 0; at < records.length; at += RECORD_BYTES) {
    if (view.getUint32(at + EFFORT_AT, true) === 0) marks++;
  }
  return { bounds: records.length / RECORD_BYTES - marks, marks };
}

/** Deals records out by the owners of their boards: one of `machines` each, by the low bits of its key. */
export function byOwner(records: Uint8Array, machines: number): Uint8Array[] {
  const view = viewOf(records);
  const ownerAt = (at: number) => view.getUint32(at, true) % machines;
  const sizes = new Array<number>(machines).fill(0);
  for (let at = 0; at < records.length; at += RECORD_BYTES) {
    sizes[ownerAt(at)] = (sizes[ownerAt(at)] as number) + RECORD_BYTES;
  }
  const parts = sizes.map((size) => new Uint8Array(size));
  const ends = sizes.map(() => 0);
  for (let at = 0; at < records.length; at += RECORD_BYTES) {
    const owner = ownerAt(at);
    parts[owner]?.set(records.subarray(at, at + RECORD_BYTES), ends[owner]);
    ends[owner] = (ends[owner] as number) + RECORD_BYTES;
  }
  return parts;
}

/** A record as an owner reads it. */
export interface OwnedRecord {
  /** The mixed key: 53 bits at most, so a number holds it. */
  readonly key: number;
  readonly announces: boolean;
  readonly record: Uint8Array;
}

/** Records one by one. */
export function* each(records: Uint8Array): Generator<OwnedRecord> {
  const view = viewOf(records);
  for (let at = 0; at < records.length; at += RECORD_BYTES) {
    yield {
      key: view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32,
      announces: view.getUint32(at + EFFORT_AT, true) === 0,
      record: records.subarray(at, at + RECORD_BYTES),
    };
  }
}

/** The record of a bound of the board that an announcement is about. */
export function boundAbout(
  announcement: Uint8Array,
  { lo, hi }: Bound,
  effort: number,
): Uint8Array {
  const record = announcement.slice();
  const view = viewOf(record);
  view.setUint16(8, lo / 4, true);
  if (Number.isFinite(hi)) view.setUint16(10, hi / 4, true); // else it says already that none is known
  view.setUint32(EFFORT_AT, effort, true);
  return record;
}

function viewOf(records: Uint8Array): DataView {
  return new DataView(records.buffer, records.byteOffset, records.length);
}

/** A bound outside the table. Areas of records are how the loader reads and writes bounds. */
@unmanaged
export class BoundRecord {
  /** The mixed key; see `keys.ts`. */
  mixed: u64;
  /** Lower bound, points / 4. */
  lo: u16;
  /** Upper bound, points / 4. */
  hi: u16;
  /** Effort as in an entry; see `entry.ts`. */
  effort: u32;
}

/*
 * The format of packed records, which `src/records.ts` describes: the low bits of a mixed key are
 * in a record's word, and the rest is stored as the difference from the previous record.
 */
export const LOW_BITS: u64 = 28;
export const LOW_MASK: u64 = (u64(1) << LOW_BITS) - 1;
/** Maximum number of digits of a difference: one more bit than the 36 of a high part, 7 each. */
export const MOST_DIGITS: i32 = 6;

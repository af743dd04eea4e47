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

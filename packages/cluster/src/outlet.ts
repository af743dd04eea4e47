import { RECORD_BYTES } from "@gridlock/kernel";
import { Allowance, type Selection, splitAt } from "@gridlock/solver";

/** Milliseconds of the unit of an allowance. */
const SECOND_MS = 1000;
/** Least effort of records that are kept while a batch is still under way: 1,024 nodes. */
const DEAR = 20;
/** Most records kept so. */
const MOST_KEPT = 1 << 16;

/**
 * Selects the bounds to send to others: those that cost most, as many as the rate allows. While the
 * batch before is still under way, the dearest bounds wait, and the others are left out.
 */
export class Outlet {
  readonly #allowance: Allowance;
  #selectedAt = performance.now();
  #kept: Uint8Array = new Uint8Array(0);

  /** @param rate most bytes a second */
  constructor(rate: number) {
    this.#allowance = new Allowance(rate, SECOND_MS);
  }

  /** Selects the records to send now, and returns the rest too. */
  select(records: Uint8Array, isUnderWay: boolean): Selection {
    if (isUnderWay) {
      const dear = splitAt(records, DEAR).passed;
      const room = MOST_KEPT * RECORD_BYTES - this.#kept.length;
      this.#kept = joined(this.#kept, dear.subarray(0, room));
      return { passed: records.subarray(0, 0), held: records };
    }
    const now = performance.now();
    const elapsed = now - this.#selectedAt;
    this.#selectedAt = now;
    const all = this.#kept.length > 0 ? joined(this.#kept, records) : records;
    this.#kept = new Uint8Array(0);
    return this.#allowance.select(all, elapsed);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

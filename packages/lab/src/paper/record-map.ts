import { hash } from "@gridlock/enumeration";

/** Returned by {@link RecordMap.find} for a key that is absent. */
export const NOT_FOUND = -1;

/**
 * Records of a few numbers by a key, an integer from 0 to 2^53 − 2: a hash table with open addressing that
 * grows as needed. The key and the values of a record lie side by side in one array, so that a look-up
 * waits for memory once; these waits dominate the time of a search.
 */
export class RecordMap {
  /**
   * The records: the key plus one, or 0 in an empty slot, followed by the values. {@link add} replaces the
   * array when it grows the table.
   */
  data: Float64Array;
  readonly #width: number;
  #mask: number;
  #size = 0;

  /** @param values number of values in a record, beside its key */
  constructor(values: number) {
    this.#width = values + 1;
    this.#mask = 15;
    this.data = new Float64Array(this.#width * (this.#mask + 1));
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Returns the index in `data` of the first value of a record, valid until the next {@link add}, or
   * {@link NOT_FOUND}.
   */
  find(key: number): number {
    const at = this.#slotOf(key);
    return this.data[at] === 0 ? NOT_FOUND : at + 1;
  }

  /** Does the same as {@link find}, but adds a record of zeros for an absent key. */
  add(key: number): number {
    // At most five eighths full, so that runs of full slots stay short.
    if (this.#size * 8 >= (this.#mask + 1) * 5) this.#grow();
    const at = this.#slotOf(key);
    if (this.data[at] === 0) {
      this.data[at] = key + 1;
      this.#size++;
    }
    return at + 1;
  }

  /** Returns the index in `data` of the slot of a key, or of the empty one in which it belongs. */
  #slotOf(key: number): number {
    for (let slot = hash(key) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * this.#width;
      const held = this.data[at] as number;
      if (held === key + 1 || held === 0) return at;
    }
  }

  #grow(): void {
    const from = this.data;
    const width = this.#width;
    this.#mask = 2 * this.#mask + 1;
    this.data = new Float64Array(width * (this.#mask + 1));
    for (let at = 0; at < from.length; at += width) {
      const held = from[at] as number;
      if (held === 0) continue;
      const to = this.#slotOf(held - 1);
      for (let i = 0; i < width; i++) this.data[to + i] = from[at + i] as number;
    }
  }
}

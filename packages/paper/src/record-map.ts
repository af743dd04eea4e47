import { hash } from "@gridlock/enumeration";

/** What {@link RecordMap.find} returns for a key that is not there. */
export const NOT_FOUND = -1;

/**
 * Records of a few numbers by a key, any whole number from 0 to 2^53 − 2: a hash table of open addressing
 * that grows as it must and loses nothing. Key and values of a record lie side by side in one array, for a
 * search spends most of its time waiting for such tables: one wait for a record is better than one for
 * each of its parts.
 */
export class RecordMap {
  /**
   * The records: in each, the key plus one, or 0 where there is none; then its values. Another array once
   * {@link add} has had to grow it.
   */
  data: Float64Array;
  readonly #width: number;
  #mask: number;
  #size = 0;

  /** @param values how many values a record has beside its key */
  constructor(values: number) {
    this.#width = values + 1;
    this.#mask = 15;
    this.data = new Float64Array(this.#width * (this.#mask + 1));
  }

  get size(): number {
    return this.#size;
  }

  /** Where in `data` the first value of a key's record is, until the next {@link add}; or {@link NOT_FOUND}. */
  find(key: number): number {
    for (let slot = hash(key) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * this.#width;
      const held = this.data[at] as number;
      if (held === key + 1) return at + 1;
      if (held === 0) return NOT_FOUND;
    }
  }

  /** As {@link find}, but adds a record of zeros where there is none. */
  add(key: number): number {
    // At most five eighths full, so that runs of full slots stay short.
    if (this.#size * 8 >= (this.#mask + 1) * 5) this.#grow();
    for (let slot = hash(key) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * this.#width;
      const held = this.data[at] as number;
      if (held === key + 1) return at + 1;
      if (held === 0) {
        this.data[at] = key + 1;
        this.#size++;
        return at + 1;
      }
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
      let slot = hash(held - 1) & this.#mask;
      while (this.data[slot * width] !== 0) slot = (slot + 1) & this.#mask;
      for (let i = 0; i < width; i++) this.data[slot * width + i] = from[at + i] as number;
    }
  }
}

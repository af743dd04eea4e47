/** Result of {@link KeyIndex.find} for an absent key. */
export const ABSENT = -1;

/**
 * Numbers keys 0, 1, 2, … in the order in which they are first added; a key is any whole number
 * from 0 to 2^53 − 1. The caller stores values of the keys in arrays indexed by these numbers. The
 * index is an open-addressing hash table, at most half full, that compares whole keys, so it
 * neither loses nor confuses any.
 */
export class KeyIndex {
  #keys: Float64Array;
  /** Number of each slot's key plus one, or 0. */
  #slots: Uint32Array;
  #size = 0;

  constructor(expected = 16) {
    this.#keys = new Float64Array(Math.max(16, expected));
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * this.#keys.length)));
  }

  get size(): number {
    return this.#size;
  }

  /** Returns a copy of the keys, in the order of their numbers. */
  keys(): Float64Array {
    return this.#keys.slice(0, this.#size);
  }

  /** Returns the number of a key, or {@link ABSENT} if it was never added. */
  find(key: number): number {
    return (this.#slots[this.#slotOf(key)] as number) - 1;
  }

  /**
   * Returns the number of a key, adding it if it is new: its number is then the former
   * {@link size}.
   */
  add(key: number): number {
    const slot = this.#slotOf(key);
    const held = this.#slots[slot] as number;
    if (held !== 0) return held - 1;
    if (this.#size === this.#keys.length) {
      this.#grow();
      return this.add(key);
    }
    this.#slots[slot] = this.#size + 1;
    this.#keys[this.#size] = key;
    return this.#size++;
  }

  /** Returns the slot of a key, or the free one in which it belongs. */
  #slotOf(key: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash(key) & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot] as number;
      if (held === 0 || this.#keys[held - 1] === key) return slot;
    }
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let i = 0; i < this.#size; i++) this.#slots[this.#slotOf(keys[i] as number)] = i + 1;
  }
}

/** Mixes both halves of a key into 32 bits (the finisher of MurmurHash3). */
function hash(key: number): number {
  let x = (key | 0) ^ Math.imul((key / 2 ** 32) | 0, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/**
 * Places for recently read blocks in memory: a limited number of *slots*. To make room, a hand
 * circles over the slots and spares blocks requested since its last visit (the clock algorithm), so
 * a request changes only one byte.
 */
export class BlockCache {
  /** Number of slots. */
  readonly slots: number;
  /** The slot of each block plus 1; 0 if it is not cached. */
  readonly #slotOf: Int32Array;
  /** The block in each slot. */
  readonly #blockIn: Int32Array;
  readonly #asked: Uint8Array;
  #used = 0;
  #hand = 0;

  /**
   * @param blocks number of blocks there are
   * @param slots most blocks to cache, at least one
   */
  constructor(blocks: number, slots: number) {
    this.slots = Math.max(1, Math.min(blocks, slots));
    this.#slotOf = new Int32Array(blocks);
    this.#blockIn = new Int32Array(this.slots);
    this.#asked = new Uint8Array(this.slots);
  }

  /** Returns the slot of a block; −1 if it is not cached. */
  slotOf(block: number): number {
    const slot = (this.#slotOf[block] as number) - 1;
    if (slot >= 0) this.#asked[slot] = 1;
    return slot;
  }

  /** Gives a slot to a block that has none; another block may lose it. */
  allocate(block: number): number {
    const slot = this.#free();
    this.#slotOf[block] = slot + 1;
    this.#blockIn[slot] = block;
    return slot;
  }

  /** Returns a slot that holds no block, after evicting one if there is none. */
  #free(): number {
    if (this.#used < this.slots) return this.#used++;
    while (this.#asked[this.#hand] === 1) {
      this.#asked[this.#hand] = 0;
      this.#advance();
    }
    const slot = this.#hand;
    this.#slotOf[this.#blockIn[slot] as number] = 0;
    this.#advance();
    return slot;
  }

  #advance(): void {
    this.#hand = (this.#hand + 1) % this.slots;
  }
}

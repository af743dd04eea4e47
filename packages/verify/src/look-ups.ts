import { CLAIM_WORDS } from "./blocks.js";

/** Bytes of a slot of a table: one claim. */
export const SLOT_BYTES = 4 * CLAIM_WORDS;
/**
 * The most slots that a claim is put away from its own one. With two thirds of the slots taken,
 * some hundred are the most; boards that hash alike by design fail a check instead of stalling it.
 */
const MOST_PROBES = 10_000;

/** Returns a hash of 32 bits of a board. The seed is random, so no file can be made to collide. */
export function hashOf(low: number, high: number, seed: number): number {
  let hash = Math.imul(low ^ seed, 0x9e37_79b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ high, 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ seed, 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

/**
 * The claims of one tile sum, or a part of them, by board: a hash table with open addressing in
 * shared memory. Threads first insert, at the same time, and look up later. A slot has the four
 * words of a claim; the low half of its board is 0 in an empty slot and, as `decodeBlock` makes
 * sure, in no claim.
 */
export class LookUps {
  #slots = 0;
  /** Slots for each hash. */
  #scale = 0;

  constructor(readonly words: Int32Array) {}

  /** Uses the first slots of the memory, all of which must be empty. */
  resize(slots: number): void {
    this.#slots = slots;
    this.#scale = slots / 2 ** 32;
  }

  /** Empties the slots in use. */
  clear(): void {
    this.words.fill(0, 0, CLAIM_WORDS * this.#slots);
  }

  /** Returns the slot where the claims of a hash are, or after it. */
  slotOf(hash: number): number {
    return Math.floor((hash >>> 0) * this.#scale);
  }

  /** Returns a word of a slot. */
  at(slot: number): number {
    return this.words[CLAIM_WORDS * slot] as number;
  }

  /** Inserts a claim, whose board is not there; returns whether there was a slot. */
  insert(claims: Uint32Array, at: number, hash: number): boolean {
    const { words } = this;
    const low = (claims[at] as number) | 0;
    let slot = this.slotOf(hash);
    for (let probes = 0; probes < MOST_PROBES; probes++) {
      const to = CLAIM_WORDS * slot;
      if (words[to] === 0 && Atomics.compareExchange(words, to, 0, low) === 0) {
        words[to + 1] = claims[at + 1] as number;
        words[to + 2] = claims[at + 2] as number;
        words[to + 3] = claims[at + 3] as number;
        return true;
      }
      if (++slot === this.#slots) slot = 0;
    }
    return false;
  }

  /**
   * Returns the index of a claim's first word, or −1.
   *
   * @param low the halves of its board, as signed numbers
   * @param first the slot of its hash
   */
  find(low: number, high: number, first: number): number {
    const { words } = this;
    const slots = this.#slots;
    let slot = first;
    for (let probes = 0; probes < MOST_PROBES; probes++) {
      const at = CLAIM_WORDS * slot;
      const found = words[at];
      if (found === low && words[at + 1] === high) return at;
      if (found === 0) return -1;
      if (++slot === slots) slot = 0;
    }
    return -1;
  }

  /** Returns the lower word of a claim that was found. */
  lowerAt(at: number): number {
    return (this.words[at + 2] as number) >>> 0;
  }

  /** Returns the upper word of a claim that was found. */
  upperAt(at: number): number {
    return (this.words[at + 3] as number) >>> 0;
  }
}

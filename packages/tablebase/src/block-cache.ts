import type { Numbers } from "./numbers.js";

/**
 * Blocks that were read lately, as many as fit into a number of bytes. Each has a place of its own. A hand goes round all
 * places when room is needed, and spares the blocks that were asked for since it last came by (the clock algorithm), so
 * that asking for a block changes one byte. `lru-cache` 11.5.3, which relinks a list instead, makes look-ups slower: a
 * position of 3×3 with both values, from memory, took 9.1 µs of processor time instead of 7.9 (medians of four and five
 * processes in turn).
 */
export class BlockCache {
  readonly #most: number;
  readonly #blocks: (Numbers | undefined)[];
  readonly #asked: Uint8Array;
  #bytes = 0;
  #hand = 0;

  /**
   * @param places number of blocks
   * @param bytes memory for those that are kept; the latest is kept even if it is larger
   */
  constructor(places: number, bytes: number) {
    this.#most = bytes;
    this.#blocks = Array.from({ length: places });
    this.#asked = new Uint8Array(places);
  }

  /** The block of a place, if it is kept. */
  get(place: number): Numbers | undefined {
    const numbers = this.#blocks[place];
    if (numbers !== undefined) this.#asked[place] = 1;
    return numbers;
  }

  /** Keeps the block of a place, which was not kept. */
  put(place: number, numbers: Numbers): void {
    this.#bytes += numbers.byteLength;
    while (this.#bytes > this.#most && this.#bytes > numbers.byteLength) this.#turn();
    this.#blocks[place] = numbers;
  }

  /** Moves the hand by one place. */
  #turn(): void {
    const kept = this.#blocks[this.#hand];
    if (kept !== undefined && this.#asked[this.#hand] === 0) {
      this.#blocks[this.#hand] = undefined;
      this.#bytes -= kept.byteLength;
    }
    this.#asked[this.#hand] = 0;
    this.#hand = (this.#hand + 1) % this.#blocks.length;
  }
}

import { cellPlaces, type Shape, symmetriesOf } from "@gridlock/game";

/** Images that are packed at a time, and their halves. */
const IMAGES_AT_ONCE = 4;
const WORDS_AT_ONCE = 2 * IMAGES_AT_ONCE;
/** Words of the table of a pair of cells, which has 256 values. */
const PAIR_WORDS = 256 * WORDS_AT_ONCE;

/** The images of a board under the symmetries of its shape, packed, and those after a placement. */
export class Images {
  /** The low half of each image, then its high half; the first image is the board itself. */
  readonly packed: Int32Array;
  /** By exponent of a tile that is placed, and cell: what it adds to each of the halves. */
  readonly added: readonly Int32Array[];
  /**
   * Tables, indexed by the value of a pair of neighbouring cells, of the words to add to the halves
   * of four images: one or two of them, since a shape has four or eight symmetries.
   */
  readonly #pairs: readonly Int32Array[];

  constructor(shape: Shape) {
    const places = symmetriesOf(shape).map((symmetry) => cellPlaces(shape, symmetry));
    this.packed = new Int32Array(2 * places.length);
    // The halves of the images of a board with 1 in one cell, by cell.
    const ones = Array.from({ length: shape.rows * shape.cols }, (_, cell) => {
      const halves = new Int32Array(this.packed.length);
      places.forEach((placeOf, image) => {
        const place = placeOf[cell] as number;
        halves[2 * image + (place >>> 3)] = 1 << (4 * (place & 7));
      });
      return halves;
    });
    this.added = [0, 1, 2].map((exponent) => {
      const added = new Int32Array(ones.length * this.packed.length);
      for (const [cell, halves] of ones.entries()) {
        added.set(
          halves.map((one) => Math.imul(one, exponent)),
          cell * halves.length,
        );
      }
      return added;
    });
    this.#pairs = Array.from({ length: places.length / IMAGES_AT_ONCE }, (_, i) =>
      pairTable(ones.map((halves) => halves.subarray(WORDS_AT_ONCE * i))),
    );
  }

  /** Packs the images of a packed board. */
  pack(low: number, high: number): void {
    const packed = this.packed;
    let to = 0;
    for (const table of this.#pairs) {
      let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
      let from = 0;
      for (let rest = low, cell = 0; from < table.length; from += PAIR_WORDS, cell += 2) {
        if (cell === 8) rest = high;
        const at = from + WORDS_AT_ONCE * (rest & 255);
        rest >>>= 8;
        a |= table[at] as number;
        b |= table[at + 1] as number;
        c |= table[at + 2] as number;
        d |= table[at + 3] as number;
        e |= table[at + 4] as number;
        f |= table[at + 5] as number;
        g |= table[at + 6] as number;
        h |= table[at + 7] as number;
      }
      packed[to] = a;
      packed[to + 1] = b;
      packed[to + 2] = c;
      packed[to + 3] = d;
      packed[to + 4] = e;
      packed[to + 5] = f;
      packed[to + 6] = g;
      packed[to + 7] = h;
      to += WORDS_AT_ONCE;
    }
  }

  /** Returns whether the board that was packed is canonical: no image packs to a smaller number. */
  isCanonical(): boolean {
    const { packed } = this;
    const low = (packed[0] as number) >>> 0;
    const high = (packed[1] as number) >>> 0;
    for (let at = 2; at < packed.length; at += 2) {
      const otherHigh = (packed[at + 1] as number) >>> 0;
      if (otherHigh < high) return false;
      if (otherHigh === high && (packed[at] as number) >>> 0 < low) return false;
    }
    return true;
  }
}

/**
 * Returns what pairs of cells add to four images: by pair, value of the pair, and half.
 *
 * @param ones by cell: the halves of the images of a board with 1 in it, of which the first eight
 *   are used
 */
function pairTable(ones: readonly Int32Array[]): Int32Array {
  const pairs = Math.ceil(ones.length / 2);
  const table = new Int32Array(pairs * PAIR_WORDS);
  for (let at = 0; at < table.length; at++) {
    const cell = 2 * Math.floor(at / PAIR_WORDS);
    const value = (at / WORDS_AT_ONCE) & 255;
    const half = at % WORDS_AT_ONCE;
    const first = Math.imul(ones[cell]?.[half] ?? 0, value & 15);
    table[at] = first | Math.imul(ones[cell + 1]?.[half] ?? 0, value >>> 4);
  }
  return table;
}

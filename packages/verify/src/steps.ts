import {
  boardLimits,
  cellCount,
  cellPlaces,
  DIRECTIONS,
  exponentOf,
  type Game,
  linesToward,
  symmetriesOf,
} from "@gridlock/game";
import { hashOf, type LookUps } from "./look-ups.js";

/** The bits of a state for the slides that may show a lower claim, one for each direction. */
const EVERY_SLIDE = 15;
/** The place of the bits for the slides that are answered for an upper claim. */
const ANSWERED = 4;
/** What the look-ups after a slide find: they show the lower claim; one answers for the upper claim. */
const SHOWN = 1;
const ANSWER = 2;
/** Images that are packed at a time, and their halves. */
const IMAGES_AT_ONCE = 4;
const WORDS_AT_ONCE = 2 * IMAGES_AT_ONCE;
/** Words of the table of a pair of cells, which has 256 values. */
const PAIR_WORDS = 256 * WORDS_AT_ONCE;
/** The points of a slide that changes nothing. */
const ILLEGAL = -1;

/**
 * Checks whether claims follow by one step, as docs/certificate.md defines it. A check makes some 20
 * positions for each claim, so it allocates nothing: boards are arrays of exponents by cell, which it
 * overwrites. It packs all images of an afterstate once. A placement adds its exponent to each image
 * at a known place, and the smallest image is the canonical form of the position.
 *
 * Points are in units of 4 throughout.
 */
export class Steps {
  readonly #size: number;
  readonly #largestExponent: number;
  readonly #largestSum: number;
  /** Exponents of the tiles that the placer has, 4s first: they usually leave less to the slider. */
  readonly #placed: readonly number[];
  /** For each direction: all cells, line by line, each line from the wall that tiles slide toward. */
  readonly #directions: readonly Uint8Array[];
  /** Cells of a line in each direction. */
  readonly #lengths: readonly number[];
  /**
   * What two neighbouring cells add to the images: by four images, pair of cells, and value of the pair,
   * the eight halves as in `#packed`. A shape has four or eight symmetries.
   */
  readonly #pairs: readonly Int32Array[];
  /** By exponent and cell: what a placed tile adds to the images, as in `#packed`. */
  readonly #added: readonly Int32Array[];
  /** The cells of the position and of an afterstate of it. */
  readonly #position: Uint8Array;
  readonly #afterstate: Uint8Array;
  /** The images of a board: the low half of the first, its high half, those of the second, … */
  readonly #packed: Int32Array;

  constructor(
    { shape, tiles }: Game,
    /** The seed of the hashes. */
    readonly seed: number,
  ) {
    this.#size = cellCount(shape);
    const limits = boardLimits(shape);
    this.#largestExponent = exponentOf(limits.tile);
    this.#largestSum = limits.sum;
    this.#placed = tiles.map(exponentOf).sort((a, b) => b - a);
    const lines = DIRECTIONS.map((direction) => linesToward(shape, direction));
    this.#directions = lines.map((all) => Uint8Array.from(all.flat()));
    this.#lengths = lines.map(([line]) => line?.length ?? 0);
    const places = symmetriesOf(shape).map((symmetry) => cellPlaces(shape, symmetry));
    this.#position = new Uint8Array(this.#size);
    this.#afterstate = new Uint8Array(this.#size);
    this.#packed = new Int32Array(2 * places.length);
    const cells = Array.from({ length: this.#size }, (_, cell) => cell);
    // The halves of the images of a board with 1 in one cell, by cell.
    const ones = cells.map((cell) => {
      const halves = new Int32Array(this.#packed.length);
      places.forEach((placeOf, image) => {
        const place = placeOf[cell] as number;
        halves[2 * image + (place >>> 3)] = 1 << (4 * (place & 7));
      });
      return halves;
    });
    this.#added = [0, 1, 2].map((exponent) => {
      const added = new Int32Array(this.#size * this.#packed.length);
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

  /**
   * Takes a position, and returns whether a claim may be made of it: whether it has this tile sum, its
   * tiles are within the limits, and it is canonical. Its packed board must have no bits beyond its
   * cells.
   */
  take(low: number, high: number, tileSum: number): boolean {
    const position = this.#position;
    const size = this.#size;
    let sum = 0;
    let largest = 0;
    for (let cell = 0; cell < size; cell++) {
      const exponent = ((cell < 8 ? low : high) >>> (4 * (cell & 7))) & 15;
      position[cell] = exponent;
      sum += (1 << exponent) & ~1;
      if (exponent > largest) largest = exponent;
    }
    if (sum !== tileSum || sum > this.#largestSum || largest > this.#largestExponent) return false;
    this.#pack(low, high);
    const packed = this.#packed;
    for (let at = 2; at < packed.length; at += 2) {
      const otherHigh = (packed[at + 1] as number) >>> 0;
      if (otherHigh < high) return false;
      if (otherHigh === high && (packed[at] as number) >>> 0 < low) return false;
    }
    return true;
  }

  /** Packs all images of a packed board. */
  #pack(low: number, high: number): void {
    const packed = this.#packed;
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

  /**
   * Slides the position and writes the afterstate.
   *
   * A tile of 2^16 cannot arise: the largest tile sum is below it.
   *
   * @returns the points earned, in units of 4, or {@link ILLEGAL}
   */
  #slide(direction: number): number {
    const position = this.#position;
    const afterstate = this.#afterstate;
    const order = this.#directions[direction] as Uint8Array;
    const length = this.#lengths[direction] as number;
    let points = 0;
    let changed = false;
    for (let from = 0; from < order.length; from += length) {
      const to = from + length;
      let filled = from;
      let mayMerge = 0; // the tile before, unless it was merged
      for (let i = from; i < to; i++) {
        const tile = position[order[i] as number] as number;
        if (tile === 0) continue;
        if (tile === mayMerge) {
          afterstate[order[filled - 1] as number] = tile + 1;
          points += 1 << (tile - 1);
          mayMerge = 0;
          changed = true;
        } else {
          if (filled !== i) changed = true;
          afterstate[order[filled++] as number] = tile;
          mayMerge = tile;
        }
      }
      for (; filled < to; filled++) afterstate[order[filled] as number] = 0;
    }
    return changed ? points : ILLEGAL;
  }

  /** Returns the state in which the check of a claim begins. */
  begin(lower: number, upper: number): number {
    return (lower > 0 ? EVERY_SLIDE : 0) | ((upper > 0 ? 0 : EVERY_SLIDE) << ANSWERED);
  }

  /** Returns whether the lower claim follows from a state in which all parts have been looked up. */
  showsLower(state: number): boolean {
    return (state & EVERY_SLIDE) !== 0;
  }

  /** Returns whether the upper claim follows from a state in which all parts have been looked up. */
  showsUpper(state: number): boolean {
    return state >>> ANSWERED === EVERY_SLIDE;
  }

  /**
   * Looks up, for the position taken, the claims after its slides and placements in a part of the
   * tables, and returns the next state. A state has a bit for each slide that may still show the lower
   * claim: all replies to it that were looked up have a lower claim high enough. It has another bit for
   * each slide that is answered for the upper claim: a reply has an upper claim low enough. Illegal
   * slides show nothing and need no answer.
   *
   * @param lower the lower claim / 4; 0: none
   * @param upper the upper claim / 4 + 1; 0: none
   * @param tables by exponent of the tile placed: the claims after it, `undefined` if there are none
   * @param mask the bits of a hash that decide on its part; 0 if there is only one part
   */
  advance(
    state: number,
    lower: number,
    upper: number,
    tables: readonly (LookUps | undefined)[],
    mask: number,
    part: number,
  ): number {
    let mayShow = state & EVERY_SLIDE;
    let answered = state >>> ANSWERED;
    for (let direction = 0; direction < 4; direction++) {
      const bit = 1 << direction;
      const wantsLower = (mayShow & bit) !== 0;
      const wantsUpper = (answered & bit) === 0;
      if (!wantsLower && !wantsUpper) continue;
      const points = this.#slide(direction);
      if (points === ILLEGAL) {
        mayShow &= ~bit;
        answered |= bit;
        continue;
      }
      // Of every reply, a lower claim of at least so much; 0 if the slide alone earns enough.
      const need = wantsLower ? Math.max(0, lower - points) : 0;
      // Of some reply, an upper claim whose word is at most this; 0 if the slide alone earns too much.
      const most = wantsUpper ? Math.max(0, upper - points) : 0;
      const found = this.#lookUp(need, most, tables, mask, part);
      if ((found & ANSWER) !== 0) answered |= bit;
      if (!wantsLower) continue;
      if ((found & SHOWN) === 0) mayShow &= ~bit;
      else if (mask === 0) mayShow = bit; // no other part can refute it, and no other slide is needed
    }
    return mayShow | (answered << ANSWERED);
  }

  /**
   * Looks up the replies to the afterstate in a part of the tables: returns {@link SHOWN} unless one
   * lacks a lower claim of `need`, and {@link ANSWER} if one has an upper word from 1 to `most`.
   */
  #lookUp(
    need: number,
    most: number,
    tables: readonly (LookUps | undefined)[],
    mask: number,
    part: number,
  ): number {
    let seeksLower = need > 0;
    let found = SHOWN;
    if (!seeksLower && most === 0) return found;
    const afterstate = this.#afterstate;
    const packed = this.#packed;
    let packedLow = 0;
    let packedHigh = 0;
    for (let cell = 0; cell < afterstate.length; cell++) {
      const exponent = afterstate[cell] as number;
      if (cell < 8) packedLow |= exponent << (4 * cell);
      else packedHigh |= exponent << (4 * cell - 32);
    }
    this.#pack(packedLow, packedHigh);
    for (const exponent of this.#placed) {
      const table = tables[exponent];
      if (table === undefined) {
        seeksLower = false;
        if (need > 0) found &= ~SHOWN;
        if (most === 0) return found;
        continue;
      }
      const added = this.#added[exponent] as Int32Array;
      for (let cell = 0; cell < afterstate.length; cell++) {
        if (afterstate[cell] !== 0) continue;
        let from = cell * packed.length;
        let low = (packed[0] as number) | (added[from] as number);
        let high = (packed[1] as number) | (added[from + 1] as number);
        for (let at = 2; at < packed.length; at += 2) {
          from += 2;
          const otherHigh = (packed[at + 1] as number) | (added[from + 1] as number);
          if (otherHigh >>> 0 > high >>> 0) continue;
          const otherLow = (packed[at] as number) | (added[from] as number);
          if (otherHigh !== high || otherLow >>> 0 < low >>> 0) {
            high = otherHigh;
            low = otherLow;
          }
        }
        const hash = hashOf(low, high, this.seed);
        if ((hash & mask) !== part) continue;
        const at = table.find(low, high, hash);
        if (seeksLower && (at < 0 || (table.words[at + 2] as number) >>> 0 < need)) {
          seeksLower = false;
          found &= ~SHOWN;
          if (most === 0) return found;
        }
        if (most > 0 && at >= 0) {
          const upper = (table.words[at + 3] as number) >>> 0;
          if (upper > 0 && upper <= most) {
            found |= ANSWER;
            if (!seeksLower) return found;
          }
        }
      }
    }
    return found;
  }
}

/**
 * Returns what pairs of cells add to four images: by pair, value of the pair, and half.
 *
 * @param ones by cell: the halves of the images of a board with 1 in it, of which the first eight are used
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

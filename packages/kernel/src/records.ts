/*
 * Records: bounds outside a table. A kernel reads them out and takes them in as 16 bytes each,
 * little-endian (`assembly/layout.ts`):
 *
 *     byte  0             8     10    12        16
 *           mixed key     lo    hi    effort
 *
 * The mixed key (`assembly/keys.ts`) has at most 64 bits; lo and hi, quarters of points, have 15 and effort
 * has 6. To be kept they are packed into 9 bytes or so: one word of 64 bits, and by how much the high part of the
 * key, its bits from 28 up, differs from that of the record before, in base 128, the lowest digit first, 128
 * added to all but the last; a difference d ≥ 0 is written as 2d, one below as −2d − 1:
 *
 *     bit   63            36       21       6         0
 *           low 28 of key | lo     | hi     | effort  |
 */

/** Bytes of a record. */
export const RECORD_BYTES = 16;

const LOW_BITS = 28;
const LOW_MASK = 2 ** LOW_BITS - 1;
/** Bytes of a packed record at most: the word, and a difference of 36 bits with its sign, in 6; whole words. */
const MOST_PACKED_BYTES = 8 + 8;

/** How many high parts the mixed keys of so many bits can have. */
export function highParts(keyBits: number): number {
  return 2 ** Math.max(0, keyBits - LOW_BITS);
}

/**
 * Words to work in that every call takes again: a batch every few milliseconds that left garbage would keep the
 * collector, and the processors that it runs on beside the searches, busy.
 */
class Scratch {
  #words = new Uint32Array(0);

  /** So many words, with whatever was left in them. */
  take(count: number): Uint32Array {
    if (this.#words.length < count) this.#words = new Uint32Array(2 * count);
    return this.#words.subarray(0, count);
  }
}

/** The records as words of 32 bits, four each. */
function wordsOf(records: Uint8Array): Uint32Array {
  return new Uint32Array(records.buffer, records.byteOffset, records.length / 4);
}

/** Bits of a key that one of the two passes of the sort looks at. */
const DIGIT_BITS = 11;
const SORTED_BITS = 2 * DIGIT_BITS;
const DIGITS = 2 ** DIGIT_BITS;
const sortKeys = new Scratch();
const [somePlaces, otherPlaces] = [new Scratch(), new Scratch()];
const digitPlaces = new Scratch();

/**
 * Where the records are in the order of the table: by the highest 22 bits of their mixed keys, which are all that
 * tells one stretch of a table, or one high part, from another. A radix sort: it takes a fifth of the time of a
 * sort that compares. What it returns is good until the next call.
 */
function placesInOrder(words: Uint32Array, keyBits: number): Uint32Array {
  const count = words.length / 4;
  const keys = sortKeys.take(count);
  const shift = keyBits - SORTED_BITS; // 42 at most
  for (let i = 0; i < count; i++) {
    const low = words[4 * i] as number;
    const high = words[4 * i + 1] as number;
    if (shift <= 0) keys[i] = low << -shift;
    else if (shift < 32) keys[i] = (high << (32 - shift)) | (low >>> shift);
    else keys[i] = high >>> (shift - 32);
  }
  let order = somePlaces.take(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let sorted = otherPlaces.take(count);
  for (let digit = 0; digit < SORTED_BITS; digit += DIGIT_BITS) {
    sortByDigit(keys, digit, order, sorted);
    [order, sorted] = [sorted, order];
  }
  return order;
}

/** Sorts places in `keys` by one digit of the keys, equals as they stand, from `order` into `sorted`. */
function sortByDigit(
  keys: Uint32Array,
  shift: number,
  order: Uint32Array,
  sorted: Uint32Array,
): void {
  // Where the next place with each digit goes: at first behind those of all smaller digits.
  const next = digitPlaces.take(DIGITS + 1).fill(0);
  for (let i = 0; i < keys.length; i++) {
    const digit = ((keys[i] as number) >>> shift) & (DIGITS - 1);
    next[digit + 1] = (next[digit + 1] as number) + 1;
  }
  for (let digit = 1; digit < DIGITS; digit++) {
    next[digit] = (next[digit] as number) + (next[digit - 1] as number);
  }
  for (let i = 0; i < order.length; i++) {
    const place = order[i] as number;
    const digit = ((keys[place] as number) >>> shift) & (DIGITS - 1);
    const to = next[digit] as number;
    sorted[to] = place;
    next[digit] = to + 1;
  }
}

const sortedRecords = new Scratch();

/**
 * Records in the order of the table; good until the next call.
 *
 * @param records must begin on a multiple of four in their buffer
 * @param keyBits bits of a mixed key
 */
export function inTableOrder(records: Uint8Array, keyBits: number): Uint8Array {
  const words = wordsOf(records);
  const sorted = sortedRecords.take(words.length);
  let to = 0;
  for (const place of placesInOrder(words, keyBits)) {
    const from = 4 * place;
    sorted[to++] = words[from] as number;
    sorted[to++] = words[from + 1] as number;
    sorted[to++] = words[from + 2] as number;
    sorted[to++] = words[from + 3] as number;
  }
  return new Uint8Array(sorted.buffer, sorted.byteOffset, sorted.byteLength);
}

const packedRecords = new Scratch();

/**
 * Packs records in the order that they have; best that of the table.
 *
 * @param records must begin on a multiple of four in their buffer
 */
export function packRecords(records: Uint8Array): Uint8Array {
  const words = wordsOf(records);
  const packed = new Uint8Array(
    packedRecords.take((words.length / 4) * (MOST_PACKED_BYTES / 4)).buffer,
  );
  const view = new DataView(packed.buffer);
  let at = 0;
  let before = 0;
  for (let i = 0; i < words.length; i += 4) {
    const key = words[i] as number;
    const bounds = words[i + 2] as number;
    const lo = bounds & 0x7fff;
    const hi = bounds >>> 16;
    const high = (words[i + 1] as number) * 2 ** (32 - LOW_BITS) + (key >>> LOW_BITS);
    view.setUint32(at, (lo << 21) | (hi << 6) | (words[i + 3] as number), true);
    view.setUint32(at + 4, ((key & LOW_MASK) << 4) | (lo >>> 11), true);
    at += 8;
    const difference = high - before;
    let rest = difference >= 0 ? 2 * difference : -2 * difference - 1;
    for (; rest >= 128; rest = Math.floor(rest / 128)) packed[at++] = (rest & 127) | 128;
    packed[at++] = rest;
    before = high;
  }
  return packed.slice(0, at);
}

/** Unpacks records from the first to the last, some at a time. */
export class RecordReader {
  readonly #packed: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  /** The high part of the key of the record that begins before `#at`. */
  #high = 0;

  constructor(packed: Uint8Array) {
    this.#packed = packed;
    this.#view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  }

  /**
   * Unpacks into `records` the next ones whose keys have a high part below `limit`, as many as there is room
   * for; returns how many bytes they take.
   */
  read(records: Uint8Array, limit: number): number {
    const words = wordsOf(records);
    let to = 0;
    while (to < words.length && this.#at < this.#packed.length) {
      let at = this.#at + 8;
      let digits = 0; // up to 37 bits, more than a shift can take
      let digit = 128;
      for (let scale = 1; digit >= 128; scale *= 128) {
        digit = this.#packed[at++] as number;
        digits += (digit & 127) * scale;
      }
      const high = this.#high + (digits % 2 === 1 ? -((digits + 1) / 2) : digits / 2);
      if (high >= limit) break;
      const word = this.#view.getUint32(this.#at, true);
      const upper = this.#view.getUint32(this.#at + 4, true);
      const lo = ((upper & 15) << 11) | (word >>> 21);
      words[to] = ((high << LOW_BITS) | (upper >>> 4)) >>> 0; // of high the lowest bits
      words[to + 1] = Math.floor(high / 2 ** (32 - LOW_BITS));
      words[to + 2] = lo | (((word >>> 6) & 0x7fff) << 16);
      words[to + 3] = word & 63;
      to += 4;
      this.#at = at;
      this.#high = high;
    }
    return 4 * to;
  }
}

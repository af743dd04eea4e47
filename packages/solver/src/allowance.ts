import { RECORD_BYTES } from "@gridlock/kernel";

/** Bytes of a packed record on its way to another machine, about. */
const PACKED_BYTES = 10;
/** Largest effort of a record. */
const MOST_EFFORT = 63;
/** Offset of a record's effort, in its words of 32 bits. */
const EFFORT_WORD = 3;
const RECORD_WORDS = RECORD_BYTES / Int32Array.BYTES_PER_ELEMENT;

/** Records that an allowance lets through, and the rest. */
export interface Selection {
  readonly passed: Uint8Array;
  readonly held: Uint8Array;
}

/**
 * A budget for the bounds that a machine passes on. The bounds that cost most go first: each saves
 * others the most work for the same bytes.
 */
export class Allowance {
  readonly #rate: number;
  /** Most bytes that an unused allowance adds up to: those of one unit of time. */
  readonly #most: number;
  #left = 0;

  /**
   * @param rate bytes per unit of time; Infinity for no limit
   * @param unit the length of the unit, in the measure of time that {@link select} is given
   */
  constructor(rate: number, unit: number) {
    this.#most = Math.min(rate, Number.MAX_SAFE_INTEGER);
    this.#rate = this.#most / unit;
  }

  /**
   * Selects the records to pass on, in their given order.
   *
   * @param records aligned to 4 bytes
   * @param elapsed the time since the last call
   */
  select(records: Uint8Array, elapsed: number): Selection {
    this.#left = Math.min(this.#left + this.#rate * elapsed, this.#most);
    const affordable = Math.floor(this.#left / PACKED_BYTES);
    const selection =
      records.length / RECORD_BYTES <= affordable
        ? { passed: records, held: records.subarray(0, 0) }
        : split(records, affordable);
    this.#left -= (selection.passed.length / RECORD_BYTES) * PACKED_BYTES;
    return selection;
  }
}

/** Splits off the costliest records, at most `most`: all whose effort exceeds some limit. */
function split(records: Uint8Array, most: number): Selection {
  const words = new Int32Array(records.buffer, records.byteOffset, records.length / 4);
  const counts = new Uint32Array(MOST_EFFORT + 1);
  for (let at = EFFORT_WORD; at < words.length; at += RECORD_WORDS) {
    (counts[words[at] as number] as number)++;
  }
  let limit = MOST_EFFORT + 1;
  let passing = 0;
  while (limit > 0 && passing + (counts[limit - 1] as number) <= most) {
    limit--;
    passing += counts[limit] as number;
  }
  return splitAt(records, limit);
}

/**
 * Splits off the records of some effort or more, in their given order.
 *
 * @param records aligned to 4 bytes
 */
export function splitAt(records: Uint8Array, least: number): Selection {
  const words = new Int32Array(records.buffer, records.byteOffset, records.length / 4);
  const passed = new Int32Array(words.length);
  const held = new Int32Array(words.length);
  let toPassed = 0;
  let toHeld = 0;
  for (let from = 0; from < words.length; from += RECORD_WORDS) {
    if ((words[from + EFFORT_WORD] as number) >= least) {
      for (let i = 0; i < RECORD_WORDS; i++) passed[toPassed++] = words[from + i] as number;
    } else for (let i = 0; i < RECORD_WORDS; i++) held[toHeld++] = words[from + i] as number;
  }
  return { passed: bytesOf(passed, toPassed), held: bytesOf(held, toHeld) };
}

function bytesOf({ buffer }: Int32Array, words: number): Uint8Array {
  return new Uint8Array(buffer, 0, words * Int32Array.BYTES_PER_ELEMENT);
}

/*
 * This file exceeds 350 lines because all parts of a step work on the same arrays, which are made
 * once.
 */
import { boardLimits, DIRECTIONS, exponentOf, type Game, linesToward } from "@gridlock/game";
import { CLAIM_WORDS } from "./blocks.js";
import { Images } from "./images.js";
import { hashOf, type LookUps } from "./look-ups.js";

/** Claims that are checked at a time: their look-ups fit the caches of a processor. */
export const BATCH = 128;
/** The most replies to a slide: two tiles in each of 15 empty cells. */
const MOST_REPLIES = 30;
/** The state of a malformed claim, which no other claim has: its bits beyond eight are not 0. */
export const MALFORMED = 256;
/** The bits of a state for the slides that may show a lower claim, one for each direction. */
const EVERY_SLIDE = 15;
/** The place of the bits for the slides that are answered for an upper claim. */
const ANSWERED = 4;
/** The points of a slide that changes nothing. */
const ILLEGAL = -1;

/**
 * The claims after a placement: the table of those after a 2, and of those after a 4; `undefined`
 * if the certificate has none of that tile sum.
 */
export type After = readonly [two: LookUps | undefined, four: LookUps | undefined];

/** Returns the state in which the check of a claim begins. */
function begin(lower: number, upper: number): number {
  return (lower > 0 ? EVERY_SLIDE : 0) | ((upper > 0 ? 0 : EVERY_SLIDE) << ANSWERED);
}

/** Returns whether a lower claim follows from a state in which all parts have been looked up. */
export function showsLower(state: number): boolean {
  return (state & EVERY_SLIDE) !== 0;
}

/** Returns whether an upper claim follows from a state in which all parts have been looked up. */
export function showsUpper(state: number): boolean {
  return state >>> ANSWERED === EVERY_SLIDE;
}

/**
 * Checks whether claims follow by one step, as docs/certificate.md defines it. It allocates nothing
 * for a board: it writes exponents into arrays, and packs all images of an afterstate once. A
 * placement adds its exponent to each image at a known place, and the smallest image is the
 * canonical form.
 *
 * Most of the time goes into look-ups in tables that no cache holds. So it takes some claims at a
 * time, slides each in one direction, notes which claims to look up, touches all their slots, which
 * a processor does side by side, and looks them up only then.
 *
 * A claim's state has a bit for each slide that may still show its lower side: all replies to it
 * that were looked up have a lower claim high enough. It has another bit for each slide that is
 * answered for its upper side: a reply has an upper claim low enough. Illegal slides show nothing
 * and need no answer.
 *
 * Points are in units of 4 throughout.
 */
export class Steps {
  readonly #size: number;
  readonly #largestExponent: number;
  readonly #largestSum: number;
  readonly #images: Images;
  /** Exponents of the placer's tiles, 4s first: they usually leave less to the slider. */
  readonly #placed: readonly number[];
  /** For each direction: all cells, line by line, each from the wall that tiles slide toward. */
  readonly #directions: readonly Uint8Array[];
  /** Cells of a line in each direction. */
  readonly #lengths: readonly number[];
  /** The cells of the positions of the batch, and of an afterstate. */
  readonly #positions: Uint8Array;
  readonly #afterstate: Uint8Array;
  /** By slide with replies to look up: its claim, its needs, its replies (2s from `#twos` on). */
  readonly #claims = new Uint8Array(BATCH);
  readonly #needs = new Float64Array(BATCH);
  readonly #mosts = new Float64Array(BATCH);
  readonly #twos = new Uint32Array(BATCH);
  readonly #ends = new Uint32Array(BATCH);
  /** By reply: the halves of its board, and its slot in a table. */
  readonly #lows = new Int32Array(BATCH * MOST_REPLIES);
  readonly #highs = new Int32Array(BATCH * MOST_REPLIES);
  readonly #slots = new Uint32Array(BATCH * MOST_REPLIES);
  /** What was touched, so that touching is not left out as useless. */
  touched = 0;

  constructor(
    { shape, tiles }: Game,
    /** The seed of the hashes. */
    readonly seed: number,
  ) {
    this.#size = shape.rows * shape.cols;
    const limits = boardLimits(shape);
    this.#largestExponent = exponentOf(limits.tile);
    this.#largestSum = limits.sum;
    this.#images = new Images(shape);
    this.#placed = tiles.map(exponentOf).sort((a, b) => b - a);
    const lines = DIRECTIONS.map((direction) => linesToward(shape, direction));
    this.#directions = lines.map((all) => Uint8Array.from(all.flat()));
    this.#lengths = lines.map(([line]) => line?.length ?? 0);
    this.#positions = new Uint8Array(BATCH * this.#size);
    this.#afterstate = new Uint8Array(this.#size);
  }

  /**
   * Checks claims as far as a part of the boards after them decides.
   *
   * @param claims four words a claim, of which {@link BATCH} at most are checked from `from` on
   * @param tileSum the tile sum that their boards must have
   * @param states the states of the claims, which are written unless a later part begins with them
   * @param parts the number of parts, a power of two
   */
  check(
    claims: Uint32Array,
    from: number,
    count: number,
    tileSum: number,
    states: Uint16Array,
    after: After,
    part: number,
    parts: number,
  ): void {
    for (let i = 0; i < count; i++) {
      const at = CLAIM_WORDS * (from + i);
      const lower = claims[at + 2] as number;
      const upper = claims[at + 3] as number;
      const isWellFormed = this.#unpack(i, claims[at] as number, claims[at + 1] as number, tileSum);
      if (!isWellFormed || (lower === 0 && upper === 0)) states[i] = MALFORMED;
      else if (part === 0) states[i] = begin(lower, upper);
    }
    for (let direction = 0; direction < DIRECTIONS.length; direction++) {
      const slides = this.#note(claims, from, count, direction, states, after, part, parts);
      this.#touch(slides, after);
      this.#lookUp(slides, direction, states, after, parts);
    }
  }

  /**
   * Unpacks a position of the batch, and returns whether a claim may be made of it: whether it has
   * this tile sum, its tiles are within the limits, and it is canonical. Its packed board must have
   * no bits beyond its cells.
   */
  #unpack(index: number, low: number, high: number, tileSum: number): boolean {
    const positions = this.#positions;
    const size = this.#size;
    let sum = 0;
    let largest = 0;
    for (let cell = 0, at = index * size; cell < size; cell++, at++) {
      const exponent = ((cell < 8 ? low : high) >>> (4 * (cell & 7))) & 15;
      positions[at] = exponent;
      sum += (1 << exponent) & ~1;
      if (exponent > largest) largest = exponent;
    }
    if (sum !== tileSum || sum > this.#largestSum || largest > this.#largestExponent) return false;
    this.#images.pack(low, high);
    return this.#images.isCanonical();
  }

  /**
   * Slides all positions in a direction, decides what needs no look-up, and notes the replies to
   * the others.
   *
   * @returns the number of slides with replies to look up
   */
  #note(
    claims: Uint32Array,
    from: number,
    count: number,
    direction: number,
    states: Uint16Array,
    after: After,
    part: number,
    parts: number,
  ): number {
    const bit = 1 << direction;
    const answered = bit << ANSWERED;
    let slides = 0;
    let replies = 0;
    for (let i = 0; i < count; i++) {
      const state = states[i] as number;
      if (state === MALFORMED) continue;
      const wantsLower = (state & bit) !== 0;
      const wantsUpper = (state & answered) === 0;
      if (!wantsLower && !wantsUpper) continue;
      const points = this.#slide(i, direction);
      if (points === ILLEGAL) {
        states[i] = (state & ~bit) | answered;
        continue;
      }
      const at = CLAIM_WORDS * (from + i);
      // Of every reply, a lower claim of at least so much; 0 if the slide alone earns enough.
      const need = wantsLower ? Math.max(0, (claims[at + 2] as number) - points) : 0;
      // Of some reply, an upper claim whose word is at most this; 0 if the slide alone earns too
      // much.
      const most = wantsUpper ? Math.max(0, (claims[at + 3] as number) - points) : 0;
      if (wantsLower && need === 0 && parts === 1) states[i] = onlyBy(bit, state);
      if (need === 0 && most === 0) continue;
      this.#claims[slides] = i;
      this.#needs[slides] = need;
      this.#mosts[slides] = most;
      this.#packAfterstate();
      this.#twos[slides] = replies;
      for (const exponent of this.#placed) {
        if (exponent === 1) this.#twos[slides] = replies;
        const table = after[exponent - 1];
        if (table !== undefined) replies = this.#noteReplies(exponent, replies, table, part, parts);
        // A lower claim needs claims after every placement, and there is an empty cell.
        else states[i] = (states[i] as number) & (need > 0 ? ~bit : -1);
      }
      this.#ends[slides] = replies;
      slides++;
    }
    return slides;
  }

  /**
   * Slides a position and writes the afterstate.
   *
   * A tile of 2^16 cannot arise: the largest tile sum is below it.
   *
   * @returns the points earned, in units of 4, or {@link ILLEGAL}
   */
  #slide(index: number, direction: number): number {
    const positions = this.#positions;
    const afterstate = this.#afterstate;
    const order = this.#directions[direction] as Uint8Array;
    const length = this.#lengths[direction] as number;
    const base = index * order.length;
    let points = 0;
    let changed = false;
    for (let from = 0; from < order.length; from += length) {
      const to = from + length;
      let filled = from;
      let mayMerge = 0; // the tile before, unless it was merged
      for (let i = from; i < to; i++) {
        const tile = positions[base + (order[i] as number)] as number;
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

  /** Packs the images of the afterstate. */
  #packAfterstate(): void {
    const afterstate = this.#afterstate;
    let low = 0;
    let high = 0;
    for (let cell = 0; cell < afterstate.length; cell++) {
      const exponent = afterstate[cell] as number;
      if (cell < 8) low |= exponent << (4 * cell);
      else high |= exponent << (4 * cell - 32);
    }
    this.#images.pack(low, high);
  }

  /** Notes replies with a tile to the afterstate that are in a part; returns the reply count. */
  #noteReplies(
    exponent: number,
    from: number,
    table: LookUps,
    part: number,
    parts: number,
  ): number {
    const afterstate = this.#afterstate;
    const { packed } = this.#images;
    const added = this.#images.added[exponent] as Int32Array;
    let replies = from;
    for (let cell = 0; cell < afterstate.length; cell++) {
      if (afterstate[cell] !== 0) continue;
      let by = cell * packed.length;
      let low = (packed[0] as number) | (added[by] as number);
      let high = (packed[1] as number) | (added[by + 1] as number);
      for (let at = 2; at < packed.length; at += 2) {
        by += 2;
        const otherHigh = (packed[at + 1] as number) | (added[by + 1] as number);
        if (otherHigh >>> 0 > high >>> 0) continue;
        const otherLow = (packed[at] as number) | (added[by] as number);
        if (otherHigh !== high || otherLow >>> 0 < low >>> 0) {
          high = otherHigh;
          low = otherLow;
        }
      }
      const hash = hashOf(low, high, this.seed);
      if ((hash & (parts - 1)) !== part) continue;
      this.#lows[replies] = low;
      this.#highs[replies] = high;
      this.#slots[replies] = table.slotOf(hash);
      replies++;
    }
    return replies;
  }

  /** Reads the slots of all replies, which brings them into the caches. */
  #touch(slides: number, [two, four]: After): void {
    const slots = this.#slots;
    let touched = 0;
    let reply = 0;
    for (let slide = 0; slide < slides; slide++) {
      const twos = this.#twos[slide] as number;
      const end = this.#ends[slide] as number;
      for (; reply < twos; reply++) touched |= (four as LookUps).at(slots[reply] as number);
      for (; reply < end; reply++) touched |= (two as LookUps).at(slots[reply] as number);
    }
    this.touched = touched;
  }

  /** Looks up the replies noted, and writes what follows into the states. */
  #lookUp(
    slides: number,
    direction: number,
    states: Uint16Array,
    [two, four]: After,
    parts: number,
  ): void {
    const bit = 1 << direction;
    let reply = 0;
    for (let slide = 0; slide < slides; slide++) {
      const i = this.#claims[slide] as number;
      const twos = this.#twos[slide] as number;
      const end = this.#ends[slide] as number;
      const need = this.#needs[slide] as number;
      const most = this.#mosts[slide] as number;
      let state = states[i] as number;
      let seeksLower = need > 0 && (state & bit) !== 0;
      let seeksUpper = most > 0;
      for (; reply < end; reply++) {
        const table = (reply < twos ? four : two) as LookUps;
        const low = this.#lows[reply] as number;
        const at = table.find(low, this.#highs[reply] as number, this.#slots[reply] as number);
        if (seeksLower && (at < 0 || table.lowerAt(at) < need)) {
          seeksLower = false;
          state &= ~bit;
        }
        if (seeksUpper && at >= 0) {
          const upper = table.upperAt(at);
          if (upper > 0 && upper <= most) {
            seeksUpper = false;
            state |= bit << ANSWERED;
          }
        }
        if (!seeksLower && !seeksUpper) break;
      }
      reply = end;
      states[i] = seeksLower && parts === 1 ? onlyBy(bit, state) : state;
    }
  }
}

/**
 * Returns the state of a claim whose lower side a slide shows: with one part only, nothing can
 * refute that, and no other slide is needed.
 */
function onlyBy(bit: number, state: number): number {
  return (state & ~EVERY_SLIDE) | bit;
}

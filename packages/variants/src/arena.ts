import { exponentOf, type Shape, SYMMETRIES } from "@gridlock/game";
import { sharedMemory } from "@gridlock/store";
import { instantiate, listAt, type VariantExports } from "./module.js";
import type { Chooser, State, Variant } from "./variant.js";

/** How a memory is divided, and what the threads do in it. Plain data, for `postMessage`. */
export interface Layout {
  /** The list and each table have 2^slotsLog2 places. */
  readonly slotsLog2: number;
  /** Number of states whose values the tables hold; 0 to find positions. */
  readonly states: number;
  /** Number of tables of positions: of a sum, and of all that a placement leads to. */
  readonly ring: number;
  /** True if the slider can pass. */
  readonly passes: boolean;
  /** True if symmetries change states. */
  readonly isOriented: boolean;
}

/** The memory that threads share. Plain data, for `postMessage`. */
export interface Arena {
  /** In normal form. */
  readonly shape: Shape;
  readonly memory: WebAssembly.Memory;
  readonly layout: Layout;
}

/** Bytes of a place of a table beside its values: the board and a mark. */
const PLACE_BYTES = 16;

/** Part of a table that is used at most. */
const MOST_USED = 3 / 4;

/** Returns the bytes of the memory that a layout needs. */
export function bytesOf(shape: Shape, { slotsLog2, states, ring }: Layout): number {
  return listAt(shape) + (8 + (ring + 1) * (PLACE_BYTES + 8 * states)) * 2 ** slotsLog2;
}

/** Returns the fewest places, as a power of two, of tables that hold so many boards. */
export function slotsFor(boards: number): number {
  return Math.max(6, Math.ceil(Math.log2(boards / MOST_USED + 1)));
}

/**
 * Creates an arena.
 *
 * @param limit bytes up to which its memory may grow
 * @param old memory of an arena that is no longer used; its contents are lost
 * @throws {RangeError} if the memory cannot be allocated
 */
export function createArena(
  shape: Shape,
  layout: Layout,
  limit: number,
  old?: WebAssembly.Memory,
): Arena {
  const memory = sharedMemory(bytesOf(shape, layout), limit, old);
  if (memory !== old) instantiate(shape, memory).prepare();
  return { shape, memory, layout };
}

/** Attaches the calling thread to an arena; returns its instance of the module. */
export function enter({ shape, memory, layout }: Arena, thread: number): VariantExports {
  const exports = instantiate(shape, memory);
  const { slotsLog2, states, ring, passes, isOriented } = layout;
  exports.attach(slotsLog2, states, ring, passes, isOriented, thread);
  return exports;
}

/** Numbers of the choosers; see `assembly/rules.ts`. */
const CHOOSERS: Record<Chooser, number> = { placer: 0, slider: 1, chance: 2 };
/** Directions in the order of the module. */
const MODULE_DIRECTIONS = ["left", "right", "up", "down"] as const;
/** Weights of tiles for chance: nine 2s to a 4. */
const WEIGHTS = new Map([[2, 9]]);

/**
 * Writes the placer's tiles, and the rules of a variant if it is to be valued, into an arena, before
 * any thread enters it.
 *
 * @throws {RangeError} if the variant has too many states or options
 */
export function writeRules({ shape, memory }: Arena, tiles: readonly number[], variant?: Variant) {
  const { TILES, RULES, RULE_BYTES, IMAGES, MAX_STATES, MAX_OPTIONS } = instantiate(shape, memory);
  const words = new Int32Array(memory.buffer, TILES.value, tiles.length + 1);
  words.set([tiles.length, ...tiles.map(exponentOf)]);
  if (variant === undefined) return;
  const view = new DataView(memory.buffer);
  const { states } = variant;
  const most = Math.max(...states.map(({ options }) => options.length));
  if (states.length > MAX_STATES.value || most > MAX_OPTIONS.value) {
    throw new RangeError(`${variant.name} has too many states or options`);
  }
  states.forEach((state, i) => {
    writeRule(view, RULES.value + RULE_BYTES.value * i, state, tiles);
  });
  SYMMETRIES.forEach((symmetry, n) => {
    states.forEach((_, i) => {
      const image = variant.image?.(i, symmetry) ?? i;
      view.setInt32(IMAGES.value + 4 * (MAX_STATES.value * n + i), image, true);
    });
  });
}

function writeRule(view: DataView, at: number, state: State, tiles: readonly number[]): void {
  const { slides, pass = -1, options, tile, cell, first, share } = state;
  const directions = MODULE_DIRECTIONS.reduce(
    (bits, direction, i) => bits | (slides.includes(direction) ? 1 << i : 0),
    0,
  );
  const words = [directions, pass, options.length, first === "cell" ? 1 : 0];
  [...words, CHOOSERS[tile], CHOOSERS[cell]].forEach((word, i) => {
    view.setInt32(at + 4 * i, word, true);
  });
  view.setFloat64(at + 24, share, true);
  options.forEach(({ tile: placed, next }, i) => {
    view.setInt32(at + 32 + 16 * i, tiles.indexOf(placed), true);
    view.setInt32(at + 36 + 16 * i, next, true);
    view.setFloat64(at + 40 + 16 * i, WEIGHTS.get(placed) ?? 1, true);
  });
}

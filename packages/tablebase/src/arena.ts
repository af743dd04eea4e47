import { exponentOf, type Shape, SYMMETRIES } from "@gridlock/game";
import { sharedMemory } from "@gridlock/threads";
import { bytesBeforeTables, instantiate, type SweepExports } from "./module.js";
import type { Chooser, Variant } from "./variant.js";

/** The result of a sweep: plain data, which `postMessage` can send. */
export interface Plan {
  /** The placer's tiles, in ascending order. */
  readonly tiles: readonly number[];
  /** The tile to reach in the game against chance; absent if points count. */
  readonly goal?: number | undefined;
  /** Number of states of the variant whose values the tables hold; 0 for the game. */
  readonly states: number;
  /** True if the slider can pass. */
  readonly passes: boolean;
  /** True if symmetries change states. */
  readonly isOriented: boolean;
}

/**
 * State that the threads of a sweep share: the plan, and the memory of its lists and tables. Plain
 * data, for `postMessage`.
 */
export interface Arena {
  /** In normal shape. */
  readonly shape: Shape;
  readonly plan: Plan;
  readonly memory: WebAssembly.Memory;
  /** Each list and table has 2^slotsLog2 slots. */
  readonly slotsLog2: number;
  readonly threads: number;
}

/** Lists beside the tables; see `assembly/tables.ts`. */
const LISTS = 2;
/** Bytes of a slot: a board and its head. */
const SLOT_BYTES = 16;
/** Part of a table that is used at most. */
const MOST_USED = 3 / 4;

/** Returns the number of tables of positions: of a sum, and of all that a placement leads to. */
export function ringOf({ tiles }: Plan): number {
  return Math.max(...tiles) / 2 + 1;
}

/** Returns the bytes of an arena's memory. */
export function bytesOf({ shape, plan, slotsLog2, threads }: Omit<Arena, "memory">): number {
  const tables = ringOf(plan) + 1;
  const slotBytes = SLOT_BYTES * (LISTS + tables) + 8 * plan.states * tables;
  return bytesBeforeTables(shape, threads) + slotBytes * 2 ** slotsLog2;
}

/** Returns the boards that a table of 2^slotsLog2 slots holds. */
export function capacityOf(slotsLog2: number): number {
  return MOST_USED * 2 ** slotsLog2;
}

/**
 * Creates an arena, whose tables may have any contents.
 *
 * @param limit bytes up to which its memory may grow
 * @param old memory of an arena that is no longer used
 * @throws {RangeError} if the memory cannot be allocated
 */
export function createArena(
  arena: Omit<Arena, "memory">,
  limit: number,
  old?: WebAssembly.Memory,
): Arena {
  const memory = sharedMemory(bytesOf(arena), limit, old);
  if (memory !== old) instantiate(arena.shape, memory).prepare();
  return { ...arena, memory };
}

/** Attaches the calling thread to an arena and returns its instance of the module. */
export function enter(arena: Arena, thread: number): SweepExports {
  const { shape, memory, slotsLog2, threads } = arena;
  const { tiles, goal, states, passes, isOriented } = arena.plan;
  const exports = instantiate(shape, memory);
  const tileSet = tiles.reduce((sum, tile) => sum + tile, 0);
  const goalExponent = goal === undefined ? 0 : exponentOf(goal);
  exports.attach(slotsLog2, threads, thread, tileSet, goalExponent, states, passes, isOriented);
  return exports;
}

/** Numbers of the choosers; see `assembly/rules.ts`. */
const CHOOSERS: Record<Chooser, number> = { placer: 0, slider: 1, chance: 2 };
/** Directions in the order of the module. */
export const LANES = ["left", "right", "up", "down"] as const;
/** Weights of tiles for chance: nine 2s to a 4. */
const WEIGHTS = new Map([[2, 9]]);

/** Writes the rules of a variant into an arena that a thread has entered. */
export function writeRules(exports: SweepExports, { states, image }: Variant): void {
  states.forEach(({ slides, pass = -1, options, tile, cell, first, share }, state) => {
    const directions = LANES.reduce(
      (bits, direction, i) => bits | (slides.includes(direction) ? 1 << i : 0),
      0,
    );
    const choosers = [CHOOSERS[tile], CHOOSERS[cell]] as const;
    exports.setRule(state, directions, pass, first === "cell", ...choosers, share);
    for (const { tile: placed, next } of options) {
      exports.addOption(state, exponentOf(placed), next, WEIGHTS.get(placed) ?? 1);
    }
    SYMMETRIES.forEach((symmetry, n) => {
      exports.setImage(n, state, image?.(state, symmetry) ?? state);
    });
  });
}

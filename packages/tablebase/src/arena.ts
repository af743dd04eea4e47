import { exponentOf, type Game } from "@gridlock/game";
import { sharedMemory } from "@gridlock/store";
import { instantiate, memoryBytes, type SweepExports } from "./module.js";

/**
 * State that the threads of a sweep share: the game and the memory of its tables and lists. Plain
 * data, so that `postMessage` can pass it on.
 */
export interface Arena {
  /** In normal shape. */
  readonly game: Game;
  /** The tile to reach in the game against chance; `undefined` if points count. */
  readonly goal: number | undefined;
  readonly memory: WebAssembly.Memory;
  /** Each table has 2^slotsLog2 slots. */
  readonly slotsLog2: number;
}

const PAGE_BYTES = 65_536;

/**
 * Creates an arena with empty tables.
 *
 * @param game in normal shape
 * @param limit bytes up to which {@link growArena} may grow it
 * @throws {RangeError} if the memory cannot be allocated
 */
export function createArena(
  game: Game,
  goal: number | undefined,
  slotsLog2: number,
  limit = 0,
): Arena {
  const memory = sharedMemory(memoryBytes(game.shape, slotsLog2), limit);
  instantiate(game.shape, memory).prepare();
  return { game, goal, memory, slotsLog2 };
}

/**
 * Returns an arena with more slots and empty tables in place of one that is no longer used. It has
 * the same memory if that can grow: another one would reserve 10 GiB of address space in each thread
 * until the garbage collector of every thread has run.
 *
 * @param limit bytes up to which the arena may grow again
 * @throws {RangeError} if the memory cannot be allocated
 */
export function growArena(arena: Arena, slotsLog2: number, limit: number): Arena {
  const { game, goal, memory } = arena;
  const before = memory.buffer.byteLength;
  const pages = Math.ceil((memoryBytes(game.shape, slotsLog2) - before) / PAGE_BYTES);
  try {
    memory.grow(pages);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return createArena(game, goal, slotsLog2, limit);
  }
  new Uint8Array(memory.buffer, 0, before).fill(0);
  instantiate(game.shape, memory).prepare();
  return { ...arena, slotsLog2 };
}

/** Attaches the calling thread to an arena and returns its instance of the module. */
export function enter({ game, goal, memory, slotsLog2 }: Arena): SweepExports {
  const sweep = instantiate(game.shape, memory);
  sweep.attach(slotsLog2, game.tiles.length === 2, goal === undefined ? 0 : exponentOf(goal));
  return sweep;
}

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

/**
 * Creates an arena with empty tables.
 *
 * @param game in normal shape
 * @param limit bytes up to which its memory may grow
 * @param old memory of an arena that is no longer used
 * @throws {RangeError} if the memory cannot be allocated
 */
export function createArena(
  game: Game,
  goal: number | undefined,
  slotsLog2: number,
  limit: number,
  old?: WebAssembly.Memory,
): Arena {
  const used = old?.buffer.byteLength ?? 0;
  const memory = sharedMemory(memoryBytes(game.shape, slotsLog2), limit, old);
  if (memory === old) new Uint8Array(memory.buffer, 0, used).fill(0);
  instantiate(game.shape, memory).prepare();
  return { game, goal, memory, slotsLog2 };
}

/** Attaches the calling thread to an arena and returns its instance of the module. */
export function enter({ game, goal, memory, slotsLog2 }: Arena): SweepExports {
  const sweep = instantiate(game.shape, memory);
  sweep.attach(slotsLog2, game.tiles.length === 2, goal === undefined ? 0 : exponentOf(goal));
  return sweep;
}

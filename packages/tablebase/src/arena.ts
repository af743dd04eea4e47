import { exponentOf, type Game, normalShape } from "@gridlock/game";
import { instantiate, type SweepExports } from "./module.js";

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
/** Maximum size of a WebAssembly memory: 4 GiB. */
const MAX_PAGES = 65_536;

/** Returns the size of an arena in bytes. */
export function arenaBytes(game: Game, slotsLog2: number): number {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  return Number(instantiate(normalShape(game.shape), memory).bytesFor(slotsLog2));
}

/**
 * Creates an arena with empty tables.
 *
 * @throws {RangeError} if the memory cannot be allocated
 */
export function createArena(game: Game, goal: number | undefined, slotsLog2: number): Arena {
  const shape = normalShape(game.shape);
  const pages = Math.ceil(arenaBytes(game, slotsLog2) / PAGE_BYTES);
  const memory = allocate(pages);
  instantiate(shape, memory).prepare();
  return { game: { ...game, shape }, goal, memory, slotsLog2 };
}

function allocate(pages: number): WebAssembly.Memory {
  const mib = Math.ceil((pages * PAGE_BYTES) / 2 ** 20);
  try {
    if (pages > MAX_PAGES) throw new RangeError("a WebAssembly memory holds at most 4096 MiB");
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch (error) {
    throw new RangeError(`cannot allocate ${mib} MiB of memory, which a layer needs`, {
      cause: error,
    });
  }
}

/** Attaches the calling thread to an arena and returns its instance of the module. */
export function enter({ game, goal, memory, slotsLog2 }: Arena): SweepExports {
  const sweep = instantiate(game.shape, memory);
  sweep.attach(slotsLog2, game.tiles.length === 2, goal === undefined ? 0 : exponentOf(goal));
  return sweep;
}

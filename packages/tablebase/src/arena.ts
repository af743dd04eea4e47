import { exponentOf, type Game, normalShape } from "@gridlock/game";
import { instantiate, type SweepExports } from "./module.js";

/**
 * What the threads of a sweep share: the memory of its tables and lists, and what is swept for. Plain data, which
 * `postMessage` passes on.
 */
export interface Arena {
  /** In normal shape. */
  readonly game: Game;
  /** The tile that is to be reached in the game against chance; `undefined` when points count. */
  readonly goal: number | undefined;
  readonly memory: WebAssembly.Memory;
  /** Each table has 2^slotsLog2 slots. */
  readonly slotsLog2: number;
}

const PAGE_BYTES = 65_536;
/** One WebAssembly memory ends here. */
const MAX_PAGES = 65_536;

/** Bytes that an arena takes. */
export function arenaBytes(game: Game, slotsLog2: number): number {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  return Number(instantiate(normalShape(game.shape), memory).bytesFor(slotsLog2));
}

/**
 * Makes an arena with empty tables.
 *
 * @throws {RangeError} when the machine has no such memory to give
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
    if (pages > MAX_PAGES) throw new RangeError("one memory of WebAssembly has 4096 MiB at most");
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch (error) {
    throw new RangeError(`a layer needs ${mib} MiB of memory, which cannot be had`, {
      cause: error,
    });
  }
}

/** The calling thread's way to work on an arena. */
export function enter({ game, goal, memory, slotsLog2 }: Arena): SweepExports {
  const sweep = instantiate(game.shape, memory);
  sweep.attach(slotsLog2, game.tiles.length === 2, goal === undefined ? 0 : exponentOf(goal));
  return sweep;
}

import { type PackedBoard, packBoard, type Shape, starts, tileSum } from "@gridlock/game";
import { Crew } from "@gridlock/store";
import {
  type Arena,
  bytesOf,
  createArena,
  enter,
  type Layout,
  slotsFor,
  writeRules,
} from "./arena.js";
import type { VariantExports } from "./module.js";
import type { Variant } from "./variant.js";

/** A task for one thread: enter an arena, or take a step in it together with the others. */
export type SweepTask =
  | { readonly arena: Arena; readonly thread: number }
  | { readonly kind: "expand" | "value"; readonly half: number; readonly count: number };

/** The canonical positions of one tile sum that play from the starts can reach. */
interface Layer {
  readonly sum: number;
  readonly boards: BigUint64Array;
  /** Number of canonical afterstates that slides, and passes, lead to. */
  readonly afterstates: number;
}

/** All positions that play can reach. */
export interface Reach {
  /** True if the slider can pass. */
  readonly passes: boolean;
  /** In ascending order of their sums; sums without positions are omitted. */
  readonly layers: readonly Layer[];
  readonly positions: number;
  readonly afterstates: number;
  /** Number of positions without a slide. */
  readonly terminals: number;
}

/** Options of a sweep. */
export interface SweepOptions {
  readonly threads: number;
  /** Bytes for tables and the positions. */
  readonly memory: number;
}

/** Options of a step of a sweep. */
export interface StepOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each layer with the numbers of layers and positions finished. */
  onProgress?(layers: number, positions: number): void;
}

/**
 * Threads that find all positions of a shape and value them under changed rules, layer by layer.
 * Retrograde analysis: a slide keeps the tile sum and a placement raises it, so the positions of a
 * sum follow from smaller sums, and their values from larger ones.
 */
export class VariantSweep implements AsyncDisposable {
  readonly #shape: Shape;
  readonly #tiles: readonly number[];
  readonly #ring: number;
  readonly #crew: Crew<SweepTask>;
  readonly #memory: number;
  #arena: Arena;
  #exports: VariantExports;

  /**
   * Starts the threads.
   *
   * @param shape in normal form, one of those that `canSolveVariants`
   * @param tiles of the placer
   * @throws {RangeError} if the memory cannot be allocated
   */
  constructor(shape: Shape, tiles: readonly number[], { threads, memory }: SweepOptions) {
    this.#shape = shape;
    this.#tiles = tiles;
    this.#ring = Math.max(...tiles) / 2 + 1;
    this.#memory = memory;
    this.#arena = createArena(shape, this.#layout(firstSlots(shape)), memory);
    this.#exports = enter(this.#arena, 0);
    const module = new URL("./sweep-worker.js", import.meta.url);
    this.#crew = new Crew(threads, "a thread of the sweep", module);
  }

  /**
   * Finds the positions that play can reach. Returns `undefined` if it was stopped.
   *
   * @param passes true if the slider can pass
   * @throws {RangeError} if the memory is too small
   */
  async reach(passes: boolean, options: StepOptions = {}): Promise<Reach | undefined> {
    for (let slotsLog2 = firstSlots(this.#shape); ; slotsLog2++) {
      await this.#divide({ ...this.#layout(slotsLog2), passes });
      const reach = await this.#reachWithin(passes, options);
      if (reach !== "too full") return reach;
    }
  }

  async #reachWithin(passes: boolean, { signal, onProgress }: StepOptions) {
    const first = starts(this.#shape).map((start) => ({
      half: tileSum(start) / 2,
      board: packBoard(start),
    }));
    const last = Math.max(...first.map(({ half }) => half));
    const layers: Layer[] = [];
    let positions = 0;
    let afterstates = 0;
    for (let table = 0; table < this.#ring; table++) this.#exports.clear(table);
    this.#set("FULL", 0);
    this.#set("TERMINALS", 0);
    for (let half = 2; half <= last || !this.#isEmpty(); half++) {
      if (signal?.aborted) return undefined;
      for (const start of first) if (start.half === half) this.#exports.add(half, start.board);
      const count = this.#exports.gather(half);
      if (count === 0) continue;
      const boards = this.#list(count).slice();
      await this.#take("expand", half, count);
      if (this.#get("FULL") !== 0) return "too full";
      layers.push({ sum: 2 * half, boards, afterstates: this.#count(this.#ring) });
      positions += count;
      afterstates += this.#count(this.#ring);
      this.#expectMemory(bytesOf(this.#shape, this.#arena.layout) + 8 * positions);
      onProgress?.(layers.length, positions);
    }
    return { passes, layers, positions, afterstates, terminals: this.#get("TERMINALS") };
  }

  /** Returns the bytes that valuing a variant takes, the positions included. */
  bytesFor(reach: Reach, variant: Variant): number {
    return bytesOf(this.#shape, this.#layoutOf(reach, variant)) + 8 * reach.positions;
  }

  /**
   * Values all positions under the rules of a variant. Returns the values of some canonical
   * positions, for each state; `undefined` for a position that play cannot reach. Returns
   * `undefined` if it was stopped.
   *
   * @throws {RangeError} if the memory is too small
   */
  async value(
    reach: Reach,
    variant: Variant,
    asked: readonly { readonly sum: number; readonly board: PackedBoard }[],
    { signal, onProgress }: StepOptions = {},
  ): Promise<(Float64Array | undefined)[] | undefined> {
    this.#expectMemory(this.bytesFor(reach, variant));
    await this.#divide(this.#layoutOf(reach, variant), variant);
    const values: (Float64Array | undefined)[] = asked.map(() => undefined);
    let positions = 0;
    for (const [done, { sum, boards }] of [...reach.layers.toReversed().entries()]) {
      if (signal?.aborted) return undefined;
      const half = sum / 2;
      this.#exports.clear(half % this.#ring);
      this.#list(boards.length).set(boards);
      await this.#take("value", half, boards.length);
      asked.forEach((one, i) => {
        if (one.sum === sum) values[i] = this.#valuesOf(half, one.board, variant.states.length);
      });
      positions += boards.length;
      onProgress?.(done + 1, positions);
    }
    return values;
  }

  #valuesOf(half: number, board: PackedBoard, states: number): Float64Array | undefined {
    const at = this.#exports.valuesAt(half, board) >>> 0;
    return at === 0 ? undefined : new Float64Array(this.#arena.memory.buffer, at, states).slice();
  }

  /** Returns the layout of a memory for finding positions. */
  #layout(slotsLog2: number): Layout {
    return { slotsLog2, states: 0, ring: this.#ring, passes: false, isOriented: false };
  }

  /** Returns the layout of a memory for valuing a variant. */
  #layoutOf({ layers, passes }: Reach, { states, image }: Variant): Layout {
    const most = Math.max(
      ...layers.map(({ boards, afterstates }) => Math.max(boards.length, afterstates)),
    );
    return {
      ...this.#layout(slotsFor(most)),
      ...{ states: states.length, passes, isOriented: image !== undefined },
    };
  }

  /** Divides the memory anew, and lets all threads enter it. */
  async #divide(layout: Layout, variant?: Variant): Promise<void> {
    this.#expectMemory(bytesOf(this.#shape, layout));
    this.#arena = createArena(this.#shape, layout, this.#memory, this.#arena.memory);
    writeRules(this.#arena, this.#tiles, variant);
    this.#exports = enter(this.#arena, 0);
    const arena = this.#arena;
    await this.#crew.all((thread) => ({ arena, thread }));
  }

  #expectMemory(bytes: number): void {
    if (bytes <= this.#memory) return;
    const mib = (size: number) => Math.ceil(size / 2 ** 20);
    throw new RangeError(
      `the positions and their values need ${mib(bytes)} MiB of memory or more, but the limit is ${mib(this.#memory)} MiB; use --memory`,
    );
  }

  async #take(kind: "expand" | "value", half: number, count: number): Promise<void> {
    this.#exports.clear(this.#ring);
    this.#set("CURSOR", 0);
    await this.#crew.all(() => ({ kind, half, count }));
  }

  #list(count: number): BigUint64Array {
    return new BigUint64Array(this.#arena.memory.buffer, this.#exports.LIST.value, count);
  }

  #isEmpty(): boolean {
    for (let table = 0; table < this.#ring; table++) if (this.#count(table) > 0) return false;
    return true;
  }

  #count(table: number): number {
    return Atomics.load(this.#control(), this.#exports.COUNTS.value / 4 + table);
  }

  #get(name: "FULL" | "TERMINALS"): number {
    return Atomics.load(this.#control(), this.#exports[name].value / 4);
  }

  #set(name: "FULL" | "TERMINALS" | "CURSOR", value: number): void {
    Atomics.store(this.#control(), this.#exports[name].value / 4, value);
  }

  #control(): Int32Array {
    return new Int32Array(this.#arena.memory.buffer);
  }

  /** Terminates the threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#crew[Symbol.asyncDispose]();
  }
}

/** Returns the places, as a power of two, with which a search for a shape's positions begins. */
function firstSlots(shape: Shape): number {
  return 2 * shape.rows * shape.cols;
}

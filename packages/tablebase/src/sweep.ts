import { type Game, type PackedBoard, packBoard, starts, tileSum } from "@gridlock/game";
import { Crew } from "@gridlock/store";
import { type Arena, createArena, enter } from "./arena.js";
import type { LayerCount } from "./layer-format.js";
import { memoryBytes, type SweepExports } from "./module.js";
import { readCounts, type SurveyCounts } from "./survey-counts.js";

/** Options of a sweep. */
export interface SweepOptions {
  /** Number of worker threads. */
  readonly threads: number;
  /** Memory limit for the tables and lists, in bytes. */
  readonly memory: number;
  /** Stops the sweep after the current layer when aborted. */
  readonly signal?: AbortSignal;
}

/** A step of a sweep: all threads process a layer's list of positions together. */
interface Step {
  readonly kind: "expand" | "value" | "judge" | "respond";
  readonly list: number;
  readonly count: number;
  /** Table of the positions that follow when a 2 is placed. */
  readonly near: number;
}

/** A task for one thread: attach to an arena, or take a step in it. */
export type SweepTask = { readonly arena: Arena } | Step;

/** Counts of a layer's expansion by {@link Sweep.expand}. */
export interface Expansion {
  readonly afterstates: number;
  /** Positions without a slide. */
  readonly terminals: number;
}

/**
 * Result of a step for which a table was too small: {@link Sweep.grow} and repeat the step.
 */
export const TOO_FULL = "too full";

const FIRST_SLOTS_LOG2 = 12;
const AFTERSTATES = 2;

/**
 * The tables of three layers, and the threads that work on them. Two tables hold positions of two
 * consecutive sums, `sum` and `sum + 2`, or `sum + 2` and `sum + 4`: one for each parity of sum / 2.
 * The third holds afterstates. Separate lists hold the boards and values of a layer, again for two
 * layers.
 */
export class Sweep implements AsyncDisposable {
  readonly #crew: Crew<SweepTask>;
  readonly #memoryLimit: number;
  readonly #starts: readonly { readonly sum: number; readonly board: PackedBoard }[];
  #arena: Arena;
  #exports: SweepExports;
  /** True if the threads are attached to the arena. */
  #isCrewAttached = false;

  /**
   * Starts the threads.
   *
   * @param game in normal shape
   * @param goal the tile to reach in the game against chance; `undefined` if points count
   * @throws {RangeError} if the memory cannot be allocated
   */
  constructor(game: Game, goal: number | undefined, { threads, memory }: SweepOptions) {
    this.#memoryLimit = memory;
    this.#starts = starts(game.shape).map((start) => ({
      sum: tileSum(start),
      board: packBoard(start),
    }));
    this.#arena = createArena(game, goal, FIRST_SLOTS_LOG2, memory);
    this.#exports = enter(this.#arena);
    const module = new URL("./sweep-worker.js", import.meta.url);
    this.#crew = new Crew(threads, "a thread of the sweep", module);
  }

  /** Maximum number of boards of a layer that the tables can hold. */
  get capacity(): number {
    return (2 ** this.#arena.slotsLog2 / 4) * 3;
  }

  /**
   * Doubles the capacity; all tables and lists are empty afterwards.
   *
   * @throws {RangeError} if that exceeds the memory limit, or cannot be allocated
   */
  grow(): void {
    const { game, goal, slotsLog2, memory } = this.#arena;
    const bytes = memoryBytes(game.shape, slotsLog2 + 1);
    if (bytes > this.#memoryLimit) {
      const mib = (size: number) => Math.ceil(size / 2 ** 20);
      throw new RangeError(
        `a layer needs ${mib(bytes)} MiB of memory, but the limit is ${mib(this.#memoryLimit)} MiB; use --memory ${mib(bytes)}M or more`,
      );
    }
    this.#arena = createArena(game, goal, slotsLog2 + 1, this.#memoryLimit, memory);
    this.#exports = enter(this.#arena);
    this.#isCrewAttached = false;
  }

  /** Grows until each of the layers fits; throws as {@link grow} does. */
  hold(layers: readonly LayerCount[]): void {
    for (const { positions, afterstates } of layers) {
      while (Math.max(positions, afterstates) > this.capacity) this.grow();
    }
  }

  /** Empties all tables. */
  clear(): void {
    for (const table of [0, 1, AFTERSTATES]) this.#exports.clearTable(table);
    this.#set("FULL", 0);
  }

  /**
   * Moves the positions of a sum from their table to their list, in ascending order; returns their
   * number.
   */
  gather(sum: number): number {
    const count = this.#exports.gather(parity(sum), parity(sum));
    this.drop(sum);
    return count;
  }

  /** Empties the table of a sum's positions. */
  drop(sum: number): void {
    this.#exports.clearTable(parity(sum));
  }

  /** Returns true if the table of a sum's positions is empty. */
  isEmpty(sum: number): boolean {
    return this.#count(parity(sum)) === 0;
  }

  /**
   * Returns the list of a sum's positions, 64 bits each, low half first; valid until the list is
   * refilled.
   */
  boards(sum: number, count: number): Uint32Array {
    return new Uint32Array(this.#arena.memory.buffer, this.#listAt(sum), 2 * count);
  }

  /**
   * Returns the values of the listed positions. The upper half of the first word is points / 4 plus
   * 1, the lower half the number of slides of the longest line, which is right in surveys only. The
   * second word is the value against chance, in its unit.
   */
  values(sum: number, count: number): Uint32Array {
    const at = this.#listAt(sum) + 8 * 2 ** this.#arena.slotsLog2;
    return new Uint32Array(this.#arena.memory.buffer, at, 2 * count);
  }

  /**
   * Adds the successors of a sum's listed positions to the tables of the two sums above, together
   * with the starts of those sums; returns {@link TOO_FULL} if they do not fit.
   */
  async expand(sum: number, count: number): Promise<Expansion | typeof TOO_FULL> {
    for (const start of this.#starts) {
      if (start.sum === sum + 2 || start.sum === sum + 4) {
        this.#exports.add(parity(start.sum), start.board);
      }
    }
    this.#set("TERMINALS", 0);
    await this.#take("expand", sum, count);
    if (this.#get("FULL") !== 0) return TOO_FULL;
    return { afterstates: this.#count(AFTERSTATES), terminals: this.#get("TERMINALS") };
  }

  /**
   * Values the listed positions of a sum by those of the two sums above, whose values are in the
   * tables.
   */
  async value(sum: number, count: number): Promise<void> {
    await this.#take("value", sum, count);
  }

  /**
   * Values the listed positions of a sum as {@link value} does, and counts moves; see
   * {@link counted}.
   */
  async survey(sum: number, count: number): Promise<void> {
    await this.#take("value", sum, count);
    await this.#step("judge", sum, count);
    await this.#step("respond", sum, count);
  }

  /** Returns the counts of all surveys since the last {@link grow}. */
  counted(): SurveyCounts {
    return readCounts(this.#arena, this.#exports);
  }

  /** Replaces the contents of a sum's table by the listed positions and their values. */
  fill(sum: number, count: number): void {
    this.drop(sum);
    this.#exports.fill(parity(sum), parity(sum), count);
  }

  /** Terminates the threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#crew[Symbol.asyncDispose]();
  }

  async #take(kind: Step["kind"], sum: number, count: number): Promise<void> {
    this.#exports.clearTable(AFTERSTATES);
    await this.#step(kind, sum, count);
  }

  /** Runs a step whose table of afterstates is ready. */
  async #step(kind: Step["kind"], sum: number, count: number): Promise<void> {
    if (!this.#isCrewAttached) {
      const arena = this.#arena;
      await this.#crew.all(() => ({ arena }));
      this.#isCrewAttached = true;
    }
    this.#set("CURSOR", 0);
    const step = { kind, list: parity(sum), count, near: parity(sum + 2) };
    await this.#crew.all(() => step);
  }

  #listAt(sum: number): number {
    return this.#exports.listAt(parity(sum)) >>> 0;
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
}

/** Returns the number, 0 or 1, of a sum's table and list. */
function parity(sum: number): number {
  return (sum / 2) % 2;
}

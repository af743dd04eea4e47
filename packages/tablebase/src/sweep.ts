import { type PackedBoard, packBoard, type Shape, starts, tileSum } from "@gridlock/game";
import { Crew } from "@gridlock/threads";
import {
  type Arena,
  bytesOf,
  capacityOf,
  createArena,
  enter,
  type Plan,
  ringOf,
  writeRules,
} from "./arena.js";
import type { SweepExports } from "./module.js";
import { readCounts, type SurveyCounts } from "./survey-counts.js";
import type { Variant } from "./variant.js";

/** Limits of a sweep. */
export interface SweepLimits {
  /** Number of worker threads. */
  readonly threads: number;
  /** Memory limit in bytes: for the tables and lists and, of variants, the positions. */
  readonly memory: number;
}

/** Options of a sweep. */
export interface SweepOptions extends SweepLimits {
  /** Stops the sweep after the current layer when aborted. */
  readonly signal?: AbortSignal;
}

/** A step of a sweep: all threads process a layer's list of positions together. */
interface Step {
  readonly kind: "expand" | "value" | "surveyPositions" | "surveyAfterstates";
  /** Half the tile sum of the layer. */
  readonly half: number;
  readonly count: number;
}

/** A task for one thread: attach to an arena, or take a step in it. */
export type SweepTask = { readonly arena: Arena; readonly thread: number } | Step;

/** Counts of a layer's expansion by {@link Sweep.expand}. */
export interface Expansion {
  readonly afterstates: number;
  /** Positions without a slide. */
  readonly terminals: number;
}

/** Counts of a layer. */
export interface LayerCount extends Expansion {
  readonly sum: number;
  readonly positions: number;
}

/**
 * Result of a step for which a table was too small: {@link Sweep.grow} and repeat the step.
 */
export const TOO_FULL = "too full";

const FIRST_SLOTS_LOG2 = 12;

/** Returns the plan of a game or, with a variant, of its values. */
export function planOf(
  tiles: readonly number[],
  { goal, variant }: { readonly goal?: number | undefined; readonly variant?: Variant } = {},
): Plan {
  const { states = [], image } = variant ?? {};
  const passes = states.some(({ pass }) => pass !== undefined);
  return { tiles, goal, states: states.length, passes, isOriented: image !== undefined };
}

/**
 * The tables of the layers that are worked on, and the threads that do the work. A table holds the
 * positions of one tile sum; those of a sum and of all that a placement leads to exist at the same
 * time. Another holds afterstates. Separate lists hold the boards and values of a layer, for two
 * layers, one for each parity of sum / 2.
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
   * @param shape in normal form
   * @throws {RangeError} if the memory cannot be allocated
   */
  constructor(shape: Shape, plan: Plan, { threads, memory }: SweepLimits) {
    this.#memoryLimit = memory;
    this.#starts = starts(shape).map((start) => ({ sum: tileSum(start), board: packBoard(start) }));
    this.#arena = createArena({ shape, plan, threads, slotsLog2: FIRST_SLOTS_LOG2 }, memory);
    this.#exports = enter(this.#arena, 0);
    const module = new URL("./sweep-worker.js", import.meta.url);
    this.#crew = new Crew(threads, "a thread of the sweep", module);
  }

  /** The placer's tiles, in ascending order. */
  get tiles(): readonly number[] {
    return this.#arena.plan.tiles;
  }

  /** Maximum number of boards of a layer that the tables can hold. */
  get capacity(): number {
    return capacityOf(this.#arena.slotsLog2);
  }

  /** Returns the bytes of memory for a plan whose largest layer has so many boards. */
  bytesFor(plan: Plan, boards: number): number {
    return bytesOf({ ...this.#arena, plan, slotsLog2: slotsFor(boards) });
  }

  /**
   * Makes tables and lists for a plan whose largest layer has so many boards; all are empty
   * afterwards.
   *
   * @param variant the variant of the plan
   * @throws {RangeError} if that exceeds the memory limit, or cannot be allocated
   */
  divide(plan: Plan, boards: number, variant?: Variant): void {
    const { memory, ...arena } = { ...this.#arena, plan, slotsLog2: slotsFor(boards) };
    this.expectMemory(bytesOf(arena));
    this.#arena = createArena(arena, this.#memoryLimit, memory);
    this.#exports = enter(this.#arena, 0);
    this.#isCrewAttached = false;
    if (variant) writeRules(this.#exports, variant);
    this.clear();
  }

  /**
   * Doubles the capacity; all tables and lists are empty afterwards. Throws as {@link divide} does.
   */
  grow(): void {
    this.divide(this.#arena.plan, this.capacity + 1);
  }

  /** Grows until each of the layers fits; throws as {@link divide} does. */
  growFor(layers: readonly LayerCount[]): void {
    const most = mostBoards(layers);
    if (most > this.capacity) this.divide(this.#arena.plan, most);
  }

  /** @throws {RangeError} if so many bytes exceed the memory limit */
  expectMemory(bytes: number): void {
    if (bytes <= this.#memoryLimit) return;
    const mib = (size: number) => Math.ceil(size / 2 ** 20);
    throw new RangeError(
      `the positions and their values need ${mib(bytes)} MiB of memory or more, but the limit is ${mib(this.#memoryLimit)} MiB; use --memory ${mib(bytes)}M or more`,
    );
  }

  /** Empties all tables. */
  clear(): void {
    for (let sum = 0; sum <= Math.max(...this.tiles); sum += 2) this.drop(sum);
    this.#exports.clearAfterstates();
    this.#set("FULL", 0);
  }

  /**
   * Moves the positions of a sum, the starts included, from their table to their list, in ascending
   * order; returns their number. Overwrites the table of afterstates.
   */
  gather(sum: number): number {
    for (const start of this.#starts) {
      if (start.sum === sum) this.#exports.add(sum / 2, start.board);
    }
    return this.#exports.gather(sum / 2);
  }

  /** Empties the table of a sum's positions. */
  drop(sum: number): void {
    this.#exports.clearPositions(sum / 2);
  }

  /** Returns true if no positions of a sum or of larger ones have been found so far. */
  isEmptyFrom(sum: number): boolean {
    if (this.#starts.some((start) => start.sum >= sum)) return false;
    return this.#counts()
      .slice(0, -1)
      .every((count) => count === 0);
  }

  /**
   * Returns the list of a sum's positions, 64 bits each, low half first; valid until the list is
   * refilled.
   */
  boards(sum: number, count: number): Uint32Array {
    const at = this.#exports.listAt(sum / 2) >>> 0;
    return new Uint32Array(this.#arena.memory.buffer, at, 2 * count);
  }

  /**
   * Returns the values of the listed positions in the game. The upper half of the first word is
   * points / 4 plus 1, the lower half the number of slides of the longest line, which is right in
   * surveys only. The second word is the value against chance, in its unit.
   */
  values(sum: number, count: number): Uint32Array {
    const at = this.#exports.headsAt(sum / 2) >>> 0;
    return new Uint32Array(this.#arena.memory.buffer, at, 2 * count);
  }

  /**
   * Returns the values of a position of a variant, in each state; `undefined` if play cannot reach
   * it. The sum's positions must have been valued last among those in their table.
   */
  statesOf(sum: number, board: PackedBoard): Float64Array | undefined {
    const at = this.#exports.valuesAt(sum / 2, board) >>> 0;
    if (at === 0) return undefined;
    return new Float64Array(this.#arena.memory.buffer, at, this.#arena.plan.states).slice();
  }

  /**
   * Adds the successors of a sum's listed positions to their tables; returns {@link TOO_FULL} if
   * they do not fit.
   */
  async expand(sum: number, count: number): Promise<Expansion | typeof TOO_FULL> {
    this.#set("TERMINALS", 0);
    await this.#clearAndStep("expand", sum, count);
    if (this.#get("FULL") !== 0) return TOO_FULL;
    return { afterstates: this.#counts().at(-1) as number, terminals: this.#get("TERMINALS") };
  }

  /**
   * Values the listed positions of a sum by those of the sums that a placement leads to, whose
   * values are in their tables, and adds them to their own table.
   */
  async value(sum: number, count: number): Promise<void> {
    this.drop(sum);
    await this.#clearAndStep("value", sum, count);
  }

  /**
   * Values the listed positions of a sum as {@link value} does, and counts moves; see
   * {@link counted}.
   */
  async survey(sum: number, count: number): Promise<void> {
    await this.value(sum, count);
    await this.#step("surveyPositions", sum, count);
    await this.#step("surveyAfterstates", sum, count);
  }

  /** Returns the counts of all surveys. */
  counted(): SurveyCounts {
    return readCounts(this.#arena, this.#exports);
  }

  /** Replaces the contents of a sum's table by the listed positions and their values. */
  fill(sum: number, count: number): void {
    this.#exports.fill(sum / 2, count);
  }

  /** Terminates the threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#crew[Symbol.asyncDispose]();
  }

  async #clearAndStep(kind: Step["kind"], sum: number, count: number): Promise<void> {
    this.#exports.clearAfterstates();
    await this.#step(kind, sum, count);
  }

  /** Runs a step whose table of afterstates is ready. */
  async #step(kind: Step["kind"], sum: number, count: number): Promise<void> {
    if (!this.#isCrewAttached) {
      const arena = this.#arena;
      await this.#crew.all((thread) => ({ arena, thread }));
      this.#isCrewAttached = true;
    }
    this.#set("CURSOR", 0);
    await this.#crew.all(() => ({ kind, half: sum / 2, count }));
  }

  /** Returns the number of boards in each table of positions, and of afterstates. */
  #counts(): Int32Array {
    const tables = ringOf(this.#arena.plan) + 1;
    const at = this.#exports.COUNTS.value;
    return new Int32Array(this.#arena.memory.buffer, at, tables).slice();
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

/** Returns the number of the boards of the largest layer, positions or afterstates. */
export function mostBoards(layers: readonly LayerCount[]): number {
  return Math.max(...layers.map((layer) => Math.max(layer.positions, layer.afterstates)));
}

/** Returns the slots, as a power of two, of tables that hold so many boards. */
function slotsFor(boards: number): number {
  let slotsLog2 = FIRST_SLOTS_LOG2;
  while (capacityOf(slotsLog2) < boards) slotsLog2++;
  return slotsLog2;
}

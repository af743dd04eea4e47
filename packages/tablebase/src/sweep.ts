import { type Game, type PackedBoard, packBoard, starts, tileSum } from "@gridlock/game";
import { type Arena, arenaBytes, createArena, enter } from "./arena.js";
import { Crew, type Step } from "./crew.js";
import type { LayerCount } from "./layer-format.js";
import type { SweepExports } from "./module.js";
import { type MoveCounts, readMoveCounts } from "./move-counts.js";

/** What a layer's positions lead to, as {@link Sweep.expand} counts it. */
export interface Expansion {
  readonly afterstates: number;
  /** Positions without a slide. */
  readonly terminals: number;
}

/** A table had too few slots for a layer: the sweep has to {@link Sweep.grow} and do it again. */
export const TOO_FULL = "too full";

const FIRST_SLOTS_LOG2 = 12;
const AFTERSTATES = 2;

/**
 * The tables of three layers of equal tile sum, and the threads that work on them. Those of positions are of two sums
 * that follow each other, `sum` and `sum + 2`, or `sum + 2` and `sum + 4`: one of each parity of sum / 2. The boards of a
 * layer and their values are listed apart from the tables, for two layers again.
 */
export class Sweep implements AsyncDisposable {
  readonly #crew: Crew;
  readonly #memoryLimit: number;
  readonly #starts: readonly { readonly sum: number; readonly board: PackedBoard }[];
  #arena: Arena;
  #exports: SweepExports;
  #control: Int32Array;

  private constructor(arena: Arena, crew: Crew, memoryLimit: number) {
    this.#crew = crew;
    this.#memoryLimit = memoryLimit;
    this.#starts = starts(arena.game.shape).map((start) => ({
      sum: tileSum(start),
      board: packBoard(start),
    }));
    this.#arena = arena;
    this.#exports = enter(arena);
    this.#control = new Int32Array(arena.memory.buffer);
  }

  /**
   * @param goal the tile that is to be reached in the game against chance; `undefined` when points count
   * @param memoryLimit bytes that tables and lists may take
   */
  static async open(
    game: Game,
    goal: number | undefined,
    threads: number,
    memoryLimit: number,
  ): Promise<Sweep> {
    const arena = createArena(game, goal, FIRST_SLOTS_LOG2);
    const crew = await Crew.start(threads, arena);
    try {
      return new Sweep(arena, crew, memoryLimit);
    } catch (error) {
      await crew[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Most boards of a layer that there is room for. */
  get capacity(): number {
    return (2 ** this.#arena.slotsLog2 / 4) * 3;
  }

  /**
   * Makes room for twice as many boards; all tables and lists are empty then.
   *
   * @throws {RangeError} when that is more memory than the sweep may take, or than there is
   */
  async grow(): Promise<void> {
    const { game, goal, slotsLog2 } = this.#arena;
    const bytes = arenaBytes(game, slotsLog2 + 1);
    if (bytes > this.#memoryLimit) {
      const mib = (size: number) => Math.ceil(size / 2 ** 20);
      throw new RangeError(
        `a layer needs ${mib(bytes)} MiB of memory and ${mib(this.#memoryLimit)} MiB were given; expected --memory ${mib(bytes)}M or more`,
      );
    }
    this.#arena = createArena(game, goal, slotsLog2 + 1);
    this.#exports = enter(this.#arena);
    this.#control = new Int32Array(this.#arena.memory.buffer);
    await this.#crew.enter(this.#arena);
  }

  /** Makes room for each of some layers, as {@link grow} does. */
  async hold(layers: readonly LayerCount[]): Promise<void> {
    for (const { positions, afterstates } of layers) {
      while (Math.max(positions, afterstates) > this.capacity) await this.grow();
    }
  }

  /** Empties all tables. */
  clear(): void {
    for (const table of [0, 1, AFTERSTATES]) this.#exports.clearTable(table);
    this.#set("FULL", 0);
  }

  /** Lists the positions of a sum that the table has, in ascending order, and empties the table; returns their number. */
  gather(sum: number): number {
    const count = this.#exports.gather(parity(sum), parity(sum));
    this.drop(sum);
    return count;
  }

  /** Empties the table of a sum's positions. */
  drop(sum: number): void {
    this.#exports.clearTable(parity(sum));
  }

  /** Whether the table of a sum has no positions. */
  isEmpty(sum: number): boolean {
    return this.#count(parity(sum)) === 0;
  }

  /** The list of a sum's positions, a word of 64 bits each, low half first: good until the list is made anew. */
  boards(sum: number, count: number): Uint32Array {
    return new Uint32Array(this.#arena.memory.buffer, this.#listAt(sum), 2 * count);
  }

  /**
   * The values of the positions of that list: points / 4 and 1, which a survey shifts by 16 bits to add the slides of the
   * longest line, then the value against chance in its unit.
   */
  values(sum: number, count: number): Uint32Array {
    const at = this.#listAt(sum) + 8 * 2 ** this.#arena.slotsLog2;
    return new Uint32Array(this.#arena.memory.buffer, at, 2 * count);
  }

  /**
   * Adds what follows the listed positions of a sum to the tables of the two sums above, and the starts of these sums;
   * {@link TOO_FULL} when they do not hold it.
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

  /** Values the listed positions of a sum by those of the two sums above, which the tables have with their values. */
  async value(sum: number, count: number): Promise<void> {
    await this.#take("value", sum, count);
  }

  /** Values the listed positions of a sum as {@link value} does, with lines of best play, and counts: see {@link counted}. */
  async survey(sum: number, count: number): Promise<void> {
    await this.#take("survey", sum, count);
  }

  /** What all surveys since the last {@link grow} have counted. */
  counted(): MoveCounts {
    return readMoveCounts(this.#arena, this.#exports);
  }

  /** Makes the listed positions of a sum, with their values, all that their table has. */
  fill(sum: number, count: number): void {
    this.drop(sum);
    this.#exports.fill(parity(sum), parity(sum), count);
  }

  /** Ends the threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#crew[Symbol.asyncDispose]();
  }

  async #take(kind: Step["kind"], sum: number, count: number): Promise<void> {
    this.#exports.clearTable(AFTERSTATES);
    this.#set("CURSOR", 0);
    await this.#crew.take({ kind, list: parity(sum), count, near: parity(sum + 2) });
  }

  #listAt(sum: number): number {
    return this.#exports.listAt(parity(sum)) >>> 0;
  }

  #count(table: number): number {
    return Atomics.load(this.#control, this.#exports.COUNTS.value / 4 + table);
  }

  #get(name: "FULL" | "TERMINALS"): number {
    return Atomics.load(this.#control, this.#exports[name].value / 4);
  }

  #set(name: "FULL" | "TERMINALS" | "CURSOR", value: number): void {
    Atomics.store(this.#control, this.#exports[name].value / 4, value);
  }
}

/** Which of the two tables and lists is that of a sum. */
function parity(sum: number): number {
  return (sum / 2) % 2;
}

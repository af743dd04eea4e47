import type { PackedBoard, Shape } from "@gridlock/game";
import { type LayerCount, mostBoards, planOf, Sweep, type SweepLimits } from "./sweep.js";
import { sweepBack } from "./sweep-back.js";
import { type PositionLayers, sweepForward } from "./sweep-forward.js";
import type { Variant } from "./variant.js";

/** A layer in memory: its positions are packed boards. */
interface LayerInMemory extends LayerCount {
  readonly boards: BigUint64Array;
}

/** All positions that play can reach, in memory. */
export class Reach implements PositionLayers<LayerInMemory> {
  readonly layers: LayerInMemory[] = [];

  /** @param passes true if the slider can pass */
  constructor(readonly passes: boolean) {}

  get positions(): number {
    return this.layers.reduce((sum, { positions }) => sum + positions, 0);
  }

  read({ boards }: LayerInMemory, list: Uint32Array): void {
    list.set(new Uint32Array(boards.buffer));
  }

  prepare(list: Uint32Array): (count: LayerCount) => void {
    const boards = new BigUint64Array(list.slice().buffer);
    return (count) => this.layers.push({ ...count, boards });
  }
}

/** Options of a step of a sweep. */
export interface StepOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each layer with the numbers of layers and positions finished. */
  onProgress?(layers: number, positions: number): void;
}

/** Threads that find all positions of a shape and value them under changed rules. */
export class VariantSweep implements AsyncDisposable {
  readonly #tiles: readonly number[];
  readonly #sweep: Sweep;

  /**
   * Starts the threads.
   *
   * @param shape in normal form, one of those that `canSolveVariants`
   * @param tiles of the placer, in ascending order
   * @throws {RangeError} if the memory cannot be allocated
   */
  constructor(shape: Shape, tiles: readonly number[], limits: SweepLimits) {
    this.#tiles = tiles;
    this.#sweep = new Sweep(shape, planOf(tiles), limits);
  }

  /**
   * Finds the positions that play can reach. Returns `undefined` if it was stopped.
   *
   * @param passes true if the slider can pass
   * @throws {RangeError} if the memory is too small
   */
  async reach(passes: boolean, { signal, onProgress }: StepOptions = {}) {
    const plan = { ...planOf(this.#tiles), passes };
    const found = new Reach(passes);
    let positions = 0;
    this.#sweep.divide(plan, 0);
    const done = await sweepForward(this.#sweep, found, signal, (layer) => {
      positions += layer.positions;
      this.#sweep.expectMemory(this.#sweep.bytesFor(plan, this.#sweep.capacity) + 8 * positions);
      onProgress?.(found.layers.length, positions);
    });
    return done ? found : undefined;
  }

  /** Returns the bytes that valuing a variant takes, the positions included. */
  bytesFor(reach: Reach, variant: Variant): number {
    const plan = planOf(this.#tiles, { variant });
    return this.#sweep.bytesFor(plan, mostBoards(reach.layers)) + 8 * reach.positions;
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
    const sweep = this.#sweep;
    sweep.expectMemory(this.bytesFor(reach, variant));
    sweep.divide(planOf(this.#tiles, { variant }), mostBoards(reach.layers), variant);
    const values: (Float64Array | undefined)[] = asked.map(() => undefined);
    const descending = reach.layers.toReversed();
    let layers = 0;
    let positions = 0;
    for await (const layer of sweepBack(sweep, reach, descending, "value", signal)) {
      asked.forEach(({ sum, board }, i) => {
        if (sum === layer.sum) values[i] = sweep.statesOf(sum, board);
      });
      layers++;
      positions += layer.positions;
      onProgress?.(layers, positions);
    }
    return layers === descending.length ? values : undefined;
  }

  /** Terminates the threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sweep[Symbol.asyncDispose]();
  }
}

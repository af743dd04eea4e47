import { instantiate } from "./module.js";
import type { SharedTable } from "./table.js";

/** Numbers of expanded nodes. */
export interface NodeCounts {
  readonly positions: number;
  readonly afterstates: number;
}

/** Returns the number of nodes of both kinds. */
export function allNodes({ positions, afterstates }: NodeCounts): number {
  return positions + afterstates;
}

/** Counts the nodes of a table's threads, and stops their searches, from any thread. */
export class ThreadMonitor {
  readonly #stops: Int32Array[];
  readonly #counts: BigUint64Array[];

  constructor(table: SharedTable) {
    const kernel = instantiate(table.game.shape, table.memory);
    const { buffer } = table.memory;
    const blocks = Array.from({ length: table.threads }, (_, i) => kernel.threadAt(i) >>> 0);
    this.#stops = blocks.map((at) => new Int32Array(buffer, at + kernel.STOP.value, 1));
    this.#counts = blocks.map((at) => new BigUint64Array(buffer, at + kernel.POSITIONS.value, 2));
  }

  /**
   * Returns the number of nodes expanded by all threads since they attached, to a few hundred each.
   */
  counts(): NodeCounts {
    const counts = this.#counts.map((_, thread) => this.countsOf(thread));
    return counts.reduce((a, b) => ({
      positions: a.positions + b.positions,
      afterstates: a.afterstates + b.afterstates,
    }));
  }

  /** Returns the number of nodes expanded by one thread since it attached, to a few hundred. */
  countsOf(thread: number): NodeCounts {
    const counts = this.#counts[thread] as BigUint64Array;
    return {
      positions: Number(Atomics.load(counts, 0)),
      afterstates: Number(Atomics.load(counts, 1)),
    };
  }

  /**
   * Makes every running search return within a few hundred nodes; `stop` false allows searches
   * again.
   */
  requestStop(stop = true): void {
    for (const word of this.#stops) Atomics.store(word, 0, stop ? 1 : 0);
  }
}

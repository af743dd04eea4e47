import { instantiate } from "./module.js";
import type { SharedTable } from "./table.js";

/** Bytes of a node on a path, the first 8 of which are its key. */
const NODE_BYTES = 16;

/**
 * The nodes that the threads of a table are searching, for announcements to machines with tables of
 * their own. Threads publish the length of their paths every few hundred nodes, and a reader may see
 * a path while it changes: keys that are out of date cost others time, never truth.
 */
export class Paths {
  readonly #threads: readonly { readonly depth: Int32Array; readonly path: BigUint64Array }[];
  #last: ReadonlySet<bigint> = new Set();

  /** @param threads the number of threads that search, the first of the table */
  constructor(table: SharedTable, threads: number) {
    const kernel = instantiate(table.game.shape, table.memory);
    const { buffer } = table.memory;
    const most = ((kernel.threadAt(1) >>> 0) - (kernel.pathAt(0) >>> 0)) / NODE_BYTES;
    this.#threads = Array.from({ length: threads }, (_, thread) => ({
      depth: new Int32Array(
        buffer,
        (kernel.threadAt(thread) >>> 0) + (kernel.DEPTH.value as number),
        1,
      ),
      path: new BigUint64Array(
        buffer,
        kernel.pathAt(thread) >>> 0,
        (Math.floor(most) * NODE_BYTES) / BigUint64Array.BYTES_PER_ELEMENT,
      ),
    }));
  }

  /** Returns the keys of at most `most` nodes that are under search and were so at the last call. */
  lasting(most: number): bigint[] {
    const now = new Set<bigint>();
    for (const { depth, path } of this.#threads) {
      const length = Math.min(Atomics.load(depth, 0), path.length / 2);
      for (let i = 0; i < length; i++) now.add(path[2 * i] as bigint);
    }
    const last = this.#last;
    this.#last = now;
    return [...now].filter((key) => last.has(key)).slice(0, most);
  }
}

import {
  type Bound,
  type PackedBoard,
  type PackedNode,
  packedFromBits,
  tileBits,
  UNKNOWN,
} from "@gridlock/game";
import { instantiate, type KernelExports } from "./module.js";
import type { SharedTable } from "./table.js";
import { type TableEntry, TableRecords } from "./table-records.js";

/** Who else searches a question. */
export interface Company {
  /**
   * True if others search the same question at the same time, on this table or on those of other
   * machines. This thread then drops the nodes that they decide.
   */
  readonly together?: boolean;
  /**
   * True if some of them are threads on the same table. This thread then also avoids the nodes that
   * they are searching.
   */
  readonly neighbours?: boolean;
  /**
   * The number of this machine's own order of children, below 2^32: machines that share bounds need
   * different orders, and the more of them there are before one, the more its order departs from
   * theirs. Their number is that of the lowest 8 bits; the others are a seed. Default: 0, the order
   * that takes least time alone.
   */
  readonly order?: number;
}

/** The settings of a thread's search. */
export interface SearchOptions {
  /** Disables static bounds, for an independent confirmation. */
  readonly withoutBound?: boolean;
  /** Searches children in another order, for an independent confirmation. */
  readonly otherOrder?: boolean;
}

/**
 * Megabytes of stack for a searching thread: it recurses twice per placement, at most 8,190 times.
 */
export const STACK_MB = 32;

/**
 * One thread's search over a shared table. Values are in points; the module itself counts in
 * quarters of points. Every method blocks until it is done; to stop a search from another thread,
 * use `ThreadMonitor.requestStop`.
 */
export class Kernel {
  /** The table's entries as records, to save or load. */
  readonly records: TableRecords;
  readonly #kernel: KernelExports;
  /** The exponents of the tiles that the placer may place, one bit each. */
  readonly #tiles: number;
  readonly #none: number;

  /**
   * Attaches to a table as its thread number `thread`, which no other kernel may use.
   *
   * @throws {RangeError} if the table has fewer threads.
   */
  constructor(
    table: SharedTable,
    thread: number,
    { withoutBound = false, otherOrder = false }: SearchOptions = {},
  ) {
    if (!(Number.isInteger(thread) && thread >= 0 && thread < table.threads)) {
      throw new RangeError(`the table has no thread ${thread}; expected 0 to ${table.threads - 1}`);
    }
    const kernel = instantiate(table.game.shape, table.memory, table.shards);
    this.#tiles = tileBits(table.game.tiles);
    const shards = table.shards.length;
    kernel.attach(
      ...([thread, table.threads, table.buckets / Math.max(1, shards), shards] as const),
      ...([this.#tiles, withoutBound, otherOrder] as const),
    );
    this.#kernel = kernel;
    this.#none = kernel.NONE.value as number;
    this.records = new TableRecords(kernel, table, thread);
  }

  /** The search, for modules that call it at every node; see `ask` in `assembly/search.ts`. */
  get functions(): Pick<KernelExports, "ask"> & WebAssembly.ModuleImports {
    return { ask: this.#kernel.ask };
  }

  /** The highest threshold that can be asked, in points. */
  get highestThreshold(): number {
    return 4 * (this.#none - 1);
  }

  /** Returns the canonical form of a board of normal shape. */
  canonical(board: PackedBoard): PackedBoard {
    return packedFromBits(this.#kernel.canonical(board));
  }

  /**
   * Answers the question h ≥ threshold about a canonical board. Returns a proven bound with `lo ≥
   * threshold` or `hi < threshold`, or `undefined` if the search was stopped, spent its budget or
   * exceeded the thread's stack. The table keeps everything proven on the way.
   *
   * @param budget the most nodes to expand
   * @throws {RangeError} if the threshold is above {@link highestThreshold}.
   */
  ask(
    node: PackedNode,
    threshold: number,
    budget = Number.MAX_SAFE_INTEGER,
    company: Company = {},
  ): Bound | undefined {
    const quarter = Math.ceil(threshold / 4);
    if (quarter <= 0) return UNKNOWN;
    if (threshold > this.highestThreshold) {
      throw new RangeError(
        `the threshold ${threshold} is too high; expected at most ${this.highestThreshold} for this table`,
      );
    }
    const answer = this.#search(node, quarter, BigInt(Math.floor(budget)), company);
    if (answer < 0) return undefined;
    if (answer >= quarter) return { lo: 4 * answer, hi: Number.POSITIVE_INFINITY };
    return { lo: 0, hi: 4 * answer };
  }

  /**
   * Returns the kernel's answer in quarters; negative if it was stopped or the stack is too small.
   */
  #search(
    { board, turn }: PackedNode,
    quarter: number,
    budget: bigint,
    { together = false, neighbours = false, order = 0 }: Company,
  ): number {
    try {
      const toPlace = turn === "placer";
      return this.#kernel.ask(board, toPlace, quarter, budget, together, neighbours, order);
    } catch (error) {
      // A stack overflow: the search recurses as deep as the game is long. The table keeps its
      // bounds.
      if (isStackOverflow(error)) return -1;
      throw error;
    }
  }

  /**
   * Returns the static lower bound of a canonical afterstate: points that the slider certainly
   * earns.
   */
  surelyEarned(afterstate: PackedBoard): number {
    return 4 * this.#kernel.earned(afterstate, this.#tiles);
  }

  /** Returns whether the placer can end the game after a canonical afterstate at once: h = 0. */
  endsNext(afterstate: PackedBoard): boolean {
    return Boolean(this.#kernel.ends(afterstate, this.#tiles));
  }

  /** Returns the table's bound of a node; `hi` is Infinity if no upper bound is known. */
  look(node: PackedNode): Bound {
    const both = this.#kernel.look(node.board, node.turn === "placer");
    const hi = both >>> 16;
    return { lo: 4 * (both & 0xffff), hi: hi === this.#none ? Number.POSITIVE_INFINITY : 4 * hi };
  }

  /** Puts a proven bound into the table. On 16 cells, tables ignore positions. */
  learn({ turn, board, lo, hi, effort }: TableEntry): void {
    const quarterHi = Math.min(Math.floor(hi / 4), this.#none);
    this.#kernel.learn(board, turn === "placer", Math.ceil(lo / 4), quarterHi, effort);
  }
}

/** Returns whether an error is a stack overflow: `RangeError`, but `InternalError` in Firefox. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === "InternalError");
}

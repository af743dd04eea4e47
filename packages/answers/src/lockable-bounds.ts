import type { Bound, PackedNode } from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel";
import type { StoredBounds } from "@gridlock/solver";
import { type BoundEntry, type BoundTable, StoreError } from "@gridlock/store";

/**
 * The bounds of a game in a database that other processes may lock: while one does, they are
 * unknown, which answers can do without.
 */
export class LockableBounds implements StoredBounds {
  readonly #open: () => BoundTable;
  readonly #load: (kernel: Kernel) => void;
  readonly #onLock: () => void;
  #table: BoundTable | undefined;
  /** True once a lock was met: each further look-up would wait for it. */
  #isLocked = false;

  /**
   * @param open opens the table
   * @param load loads the table entries that are stored beside the bounds
   * @param onLock called when the bounds become unknown
   */
  constructor(open: () => BoundTable, load: (kernel: Kernel) => void, onLock: () => void) {
    this.#open = open;
    this.#load = load;
    this.#onLock = onLock;
    this.#unlessLocked(() => this.#opened(), undefined);
  }

  get(node: PackedNode): Bound | undefined {
    return this.#unlessLocked(() => this.#opened().get(node), undefined);
  }

  *all(): Generator<BoundEntry> {
    const entries = this.#unlessLocked(() => this.#opened().all(), undefined);
    for (;;) {
      const next = this.#unlessLocked(() => entries?.next(), undefined);
      if (next === undefined || next.done) return;
      yield next.value;
    }
  }

  count(): { readonly bounds: number } {
    const read = (): { readonly bounds: number } => this.#opened().count();
    return this.#unlessLocked(read, { bounds: Number.POSITIVE_INFINITY });
  }

  warm(kernel: Kernel): void {
    this.#unlessLocked(() => this.#load(kernel), undefined);
  }

  /**
   * Stores proven bounds.
   *
   * @throws {StoreError} `locked` if another process has locked the database
   */
  merge(entries: readonly BoundEntry[]): void {
    this.#opened().merge(entries);
    this.#isLocked = false;
  }

  #opened(): BoundTable {
    this.#table ??= this.#open();
    return this.#table;
  }

  #unlessLocked<T>(read: () => T, otherwise: T): T {
    if (this.#isLocked) return otherwise;
    try {
      return read();
    } catch (error) {
      if (!isLocked(error)) throw error;
      this.#isLocked = true;
      this.#onLock();
      return otherwise;
    }
  }
}

/** Returns whether an error means that another process has locked a file. */
export function isLocked(error: unknown): boolean {
  return error instanceof StoreError && error.code === "locked";
}

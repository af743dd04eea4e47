import {
  type Bound,
  boundByRules,
  formatBoard,
  mergeBounds,
  type Node,
  type PackedNode,
} from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel/web";
import type { BoundEntry } from "@gridlock/store";
import type { CanonicalNode, CanonicalNodes } from "./canonical-nodes.js";
import type { NodeKey } from "./node-keys.js";

/** Returns the value of a tabulated node, in points, or `undefined` for other nodes. */
export type TabulatedValue = (node: Node) => number | undefined;

/** The sources of bounds; a bound that rests on several is said to come from the first of them. */
const SOURCES = ["search", "database", "tabulation", "rules"] as const;

/** The source of a bound. */
export type Source = (typeof SOURCES)[number];

/** Bounds of canonical nodes to start from: those in a database or proven by a certificate. */
export interface StoredBounds {
  get(node: PackedNode): Bound | undefined;
  all(): Iterable<BoundEntry>;
  /**
   * Counts the bounds, to decide when reading {@link all} is faster than single look-ups; Infinity
   * if it never is.
   */
  count(): { readonly bounds: number };
  /** Loads what else is stored into a table that is about to be searched with. */
  warm?(kernel: Kernel): void;
}

/** No bounds to start from. */
export const NOTHING_STORED: StoredBounds = {
  get: () => undefined,
  all: () => [],
  count: () => ({ bounds: Number.POSITIVE_INFINITY }),
};

/** Most bounds to load from the database. */
const MOST_LOADED = 4_000_000;
/** Most bounds to remember; beyond, all but the fresh ones are forgotten. */
const MOST_REMEMBERED = 2 * MOST_LOADED;
/**
 * Single look-ups after which the database's bounds are counted, to decide when loading all pays.
 */
const FIRST_LOOKUPS = 1000;
/** Rows that load in bulk in about the time of one look-up. */
const ROWS_PER_LOOKUP = 16;

/**
 * The bounds of one game's nodes that are known without search: newly proven ones, those of a
 * tabulation, those in the database, and those that the rules give. Newly proven bounds are kept
 * until {@link drainFresh}.
 */
export class KnownBounds {
  /** The nodes of the game. */
  readonly nodes: CanonicalNodes;
  /** The bounds of the database. */
  readonly stored: StoredBounds;
  readonly #tabulated: TabulatedValue;
  readonly #known = new Map<NodeKey, Bound>();
  readonly #fresh = new Map<NodeKey, BoundEntry>();
  /** The sources of proven bounds that rest on no search. */
  readonly #sources = new Map<NodeKey, Source>();
  #allLoaded = false;
  #lookups = 0;
  #loadAfter = Number.POSITIVE_INFINITY;

  constructor(nodes: CanonicalNodes, stored: StoredBounds, tabulated: TabulatedValue) {
    this.nodes = nodes;
    this.stored = stored;
    this.#tabulated = tabulated;
  }

  /** Number of remembered nodes. */
  get remembered(): number {
    return this.#known.size;
  }

  /** Returns the known bound of a node. */
  of(node: CanonicalNode): Bound {
    let bound = this.#known.get(node.key);
    if (bound === undefined) {
      const plain = this.nodes.plain(node);
      const value = this.#tabulated(plain);
      bound =
        value === undefined
          ? (this.#lookUp(node) ?? boundByRules(plain))
          : { lo: value, hi: value };
      this.#known.set(node.key, bound);
    }
    return bound;
  }

  /** Returns the source of a node's bound: the first that alone has it, or else what proved it. */
  sourceOf(node: CanonicalNode): Source {
    const bound = this.of(node);
    const has = (known: Bound | undefined) => known?.lo === bound.lo && known.hi === bound.hi;
    const plain = this.nodes.plain(node);
    if (this.#tabulated(plain) !== undefined) return "tabulation";
    if (has(boundByRules(plain))) return "rules";
    if (has(this.stored.get(node))) return "database";
    return this.#sources.get(node.key) ?? "search";
  }

  /** Returns the source of a bound that follows from those of some nodes. */
  sourceOfAll(nodes: readonly CanonicalNode[]): Source {
    const found = new Set(nodes.map((node) => this.sourceOf(node)));
    return SOURCES.find((source) => found.has(source)) ?? "rules";
  }

  /**
   * Looks a node up in the database. After many look-ups, which are slow, it loads all bounds at
   * once.
   */
  #lookUp(node: CanonicalNode): Bound | undefined {
    if (this.#allLoaded) return undefined;
    this.#lookups++;
    if (this.#lookups === FIRST_LOOKUPS) {
      this.#loadAfter = FIRST_LOOKUPS + this.stored.count().bounds / ROWS_PER_LOOKUP;
    }
    if (this.#lookups > this.#loadAfter) {
      this.#loadAll();
      const loaded = this.#known.get(node.key);
      if (loaded || this.#allLoaded) return loaded;
    }
    return this.stored.get(node);
  }

  #loadAll(): void {
    this.#loadAfter = Number.POSITIVE_INFINITY; // load only once, even if not all bounds fit
    for (const { turn, board, lo, hi } of this.stored.all()) {
      if (this.#known.size >= MOST_LOADED) return;
      const key = this.nodes.keyOf({ turn, board });
      if (!this.#known.has(key)) this.#known.set(key, { lo, hi });
    }
    this.#allLoaded = true;
  }

  /**
   * Records a proven bound; returns the node's merged bound.
   *
   * @param sourceOf returns the source of the bound, if that is no search
   * @throws {Error} if the bound contradicts the known one
   */
  prove(node: CanonicalNode, proven: Bound, sourceOf?: () => Source): Bound {
    const before = this.of(node);
    const bound = consistent(this.nodes.plain(node), mergeBounds(before, proven));
    if (bound.lo === before.lo && bound.hi === before.hi) return before;
    const source = sourceOf?.() ?? "search";
    this.#known.set(node.key, bound);
    this.#fresh.set(node.key, { turn: node.turn, board: node.board, ...bound });
    if (source === "search") this.#sources.delete(node.key);
    else this.#sources.set(node.key, source);
    return bound;
  }

  /** Returns the bounds proven since the last call that are not in the database yet. */
  drainFresh(): BoundEntry[] {
    const entries = [...this.#fresh.values()];
    this.#fresh.clear();
    return entries;
  }

  /** Forgets all but the fresh bounds if they take too much memory. */
  trim(): void {
    if (this.#known.size <= MOST_REMEMBERED) return;
    this.#known.clear();
    this.#sources.clear();
    this.#allLoaded = false;
  }
}

/** Returns the bound if it is possible; otherwise throws an error. */
function consistent({ board, turn }: Node, bound: Bound): Bound {
  const { lo, hi } = bound;
  if (lo <= hi) return bound;
  throw new Error(
    `contradictory bounds of ${formatBoard(board, turn)} (at least ${lo} and at most ${hi}): the database or a file beside it is wrong; restore a copy, use another --db, or solve again with --fresh`,
  );
}

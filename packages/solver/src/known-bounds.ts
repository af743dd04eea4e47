import {
  type Bound,
  boundByRules,
  isExact,
  mergeBounds,
  type Node,
  type PackedBoard,
  UNKNOWN,
} from "@gridlock/game";
import type { BoundEntry, BoundTable } from "@gridlock/store";
import type { CanonicalNode, CanonicalNodes } from "./canonical-nodes.js";
import type { NodeKey } from "./node-keys.js";

/** Returns the value of a tabulated node, in points, or `undefined` for other nodes. */
export type TabulatedValue = (node: Node) => number | undefined;

/** Returns what files beside the database have of a canonical afterstate, in points, or `undefined` for others. */
export type FiledBound = (afterstate: PackedBoard) => Bound | undefined;

/** Bounds that are loaded before the memory is full. */
const MOST_LOADED = 4_000_000;
/** Bounds that are remembered before the memory starts afresh. */
const MOST_REMEMBERED = 2 * MOST_LOADED;
/** Look-ups one by one after which the database's bounds are counted, to see when it pays to load all. */
const FIRST_LOOKUPS = 1000;
/** Rows that are loaded all together in about the time of one look-up. */
const ROWS_PER_LOOKUP = 16;

/**
 * The bounds of one game's nodes that are known without search: those proven since the start, those of a
 * tabulation, those in the database and in files beside it, and what the rules give. Newly proven bounds are
 * kept until {@link takeFresh}.
 */
export class KnownBounds {
  readonly #nodes: CanonicalNodes;
  readonly #stored: BoundTable;
  readonly #tabulated: TabulatedValue;
  readonly #filed: FiledBound | undefined;
  readonly #known = new Map<NodeKey, Bound>();
  readonly #fresh = new Map<NodeKey, BoundEntry>();
  #allLoaded = false;
  #lookups = 0;
  #loadAfter = Number.POSITIVE_INFINITY;

  constructor(
    nodes: CanonicalNodes,
    stored: BoundTable,
    tabulated: TabulatedValue,
    filed: FiledBound | undefined,
  ) {
    this.#nodes = nodes;
    this.#stored = stored;
    this.#tabulated = tabulated;
    this.#filed = filed;
  }

  /** Number of nodes that are remembered. */
  get remembered(): number {
    return this.#known.size;
  }

  /** Returns what is known of a node. */
  of(node: CanonicalNode): Bound {
    let bound = this.#known.get(node.key);
    if (bound === undefined) {
      const plain = { board: this.#nodes.boardOf(node), turn: node.turn };
      const value = this.#tabulated(plain);
      bound =
        value === undefined
          ? (this.#lookUp(node) ?? boundByRules(plain))
          : { lo: value, hi: value };
      if (this.#filed && !isExact(bound)) {
        bound = consistent(mergeBounds(bound, this.#lookInFiles(this.#filed, node, plain)));
      }
      this.#known.set(node.key, bound);
    }
    return bound;
  }

  /** Looks a node up in the files: an afterstate itself, a position by its slides. */
  #lookInFiles(filed: FiledBound, { board, turn }: CanonicalNode, plain: Node): Bound {
    if (turn === "placer") return filed(board) ?? UNKNOWN;
    const slides = this.#nodes.children(plain);
    if (slides.length === 0) return UNKNOWN;
    const bounds = slides.map(({ score, canonical }) => ({ score, bound: this.of(canonical) }));
    return {
      lo: Math.max(...bounds.map(({ score, bound }) => score + bound.lo)),
      hi: Math.max(...bounds.map(({ score, bound }) => score + bound.hi)),
    };
  }

  /** Has a node's bound stored, if only the files have it: whatever rests on it then does not need them. */
  keep(node: CanonicalNode): void {
    if (this.#filed === undefined || this.#fresh.has(node.key)) return;
    const { turn, board } = node;
    this.#fresh.set(node.key, { turn, board, ...this.of(node) });
  }

  /** Looks a node up in the database. After many look-ups, which are slow, loads all bounds at once. */
  #lookUp(node: CanonicalNode): Bound | undefined {
    if (this.#allLoaded) return undefined;
    this.#lookups++;
    if (this.#lookups === FIRST_LOOKUPS) {
      this.#loadAfter = FIRST_LOOKUPS + this.#stored.count().bounds / ROWS_PER_LOOKUP;
    }
    if (this.#lookups > this.#loadAfter) {
      this.#loadAll();
      const loaded = this.#known.get(node.key);
      if (loaded || this.#allLoaded) return loaded;
    }
    return this.#stored.get(node);
  }

  #loadAll(): void {
    this.#loadAfter = Number.POSITIVE_INFINITY; // once is enough, even if there is not room for all
    for (const { turn, board, lo, hi } of this.#stored.all()) {
      if (this.#known.size >= MOST_LOADED) return;
      const key = this.#nodes.keys.of({ turn, board });
      if (!this.#known.has(key)) this.#known.set(key, { lo, hi });
    }
    this.#allLoaded = true;
  }

  /**
   * Records a proven bound; returns all that is now known of the node.
   *
   * @throws {Error} when the bound contradicts what was known
   */
  prove(node: CanonicalNode, proven: Bound): Bound {
    const before = this.of(node);
    const bound = consistent(mergeBounds(before, proven));
    if (bound.lo === before.lo && bound.hi === before.hi) return before;
    this.#known.set(node.key, bound);
    this.#fresh.set(node.key, { turn: node.turn, board: node.board, ...bound });
    return bound;
  }

  /** Returns what has been proven since the last call and is not in the database yet. */
  takeFresh(): BoundEntry[] {
    const entries = [...this.#fresh.values()];
    this.#fresh.clear();
    return entries;
  }

  /** Forgets everything but the fresh bounds once it takes too much memory. */
  trim(): void {
    if (this.#known.size <= MOST_REMEMBERED) return;
    this.#known.clear();
    this.#allLoaded = false;
  }
}

/** Returns a bound that is possible; throws an error for any other. */
function consistent(bound: Bound): Bound {
  const { lo, hi } = bound;
  if (lo <= hi) return bound;
  throw new Error(
    `contradictory bounds of one board (${lo} ≤ h ≤ ${hi}): the database, a file beside it or the search is wrong`,
  );
}

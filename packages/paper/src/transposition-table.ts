import type { Grid } from "@gridlock/enumeration";
import type { Turn } from "@gridlock/game";
import { NOT_FOUND, RecordMap } from "./record-map.js";

/** What a stored value says of the true one: that it is it, or bounds it from below or from above. */
export type Flag = "exact" | "lower" | "upper";

const FLAGS: readonly Flag[] = ["exact", "lower", "upper"];

/** What the table knows of a board. */
export interface Entry {
  /** The board that the entry is of: the one that was looked up, or an image of it. */
  readonly board: number;
  readonly flag: Flag;
  /** Of *h*: the score to come, without what was earned before. */
  readonly value: number;
  /** The depth to which the board was searched. */
  readonly depth: number;
  /** Whether no leaf below was cut off by the depth, so that the value is of the whole game. */
  readonly complete: boolean;
  /** The board that the best move of `board`, or of an image of it, leads to. */
  readonly best: number;
}

/** How the table treats the images of a board under the symmetries of the grid. */
export type Symmetry = "plain" | "all-images" | "on-reading";

/** The depth that stands for no limit; depths are kept in 29 bits. */
const UNLIMITED = 2 ** 29 - 1;

/*
 * An entry is three doubles: the board; the board its best move leads to; and value, depth, completeness and
 * flag together, below 2^53:
 *
 *     bits   51   32   31   3   2          1  0
 *            value     depth    complete   flag
 */
const VALUES = 3;

/**
 * The paper's transposition table, its key the board with the player to move, exactly. It grows as it
 * must and forgets nothing. Of its two ways with symmetric boards, `all-images` stores what is learned of
 * a board for each image; `on-reading` stores it once and finds it from each image, after which the
 * search goes on with the stored one. The paper does the latter by looking for one image after the
 * other; here they all share the key of the canonical one, which finds the same in one step.
 */
export class TranspositionTable {
  readonly #map = new RecordMap(VALUES);

  constructor(
    readonly grid: Grid,
    readonly symmetry: Symmetry,
  ) {}

  /** How many entries there are. */
  get size(): number {
    return this.#map.size;
  }

  /** What is known of a board. */
  find(board: number, turn: Turn): Entry | undefined {
    const at = this.#map.find(this.#keyOf(board, turn));
    if (at === NOT_FOUND) return undefined;
    const { data } = this.#map;
    const packed = data[at + 2] as number;
    const value = Math.floor(packed / 2 ** 32);
    const bits = packed - value * 2 ** 32;
    const depth = Math.floor(bits / 8);
    return {
      board: data[at] as number,
      flag: FLAGS[bits & 3] as Flag,
      value,
      depth: depth === UNLIMITED ? Number.POSITIVE_INFINITY : depth,
      complete: (bits & 4) !== 0,
      best: data[at + 1] as number,
    };
  }

  /** Stores what was learned of a board in place of what was known. */
  store(turn: Turn, entry: Entry): void {
    if (this.symmetry !== "all-images") {
      this.#store(turn, entry);
      return;
    }
    for (const board of this.grid.images(entry.board)) this.#store(turn, { ...entry, board });
  }

  #store(turn: Turn, { board, flag, value, depth, complete, best }: Entry): void {
    const at = this.#map.add(this.#keyOf(board, turn));
    const { data } = this.#map;
    data[at] = board;
    data[at + 1] = best;
    const bits = (complete ? 4 : 0) + FLAGS.indexOf(flag);
    data[at + 2] = value * 2 ** 32 + Math.min(depth, UNLIMITED) * 8 + bits;
  }

  #keyOf(board: number, turn: Turn): number {
    const form = this.symmetry === "on-reading" ? this.grid.canonical(board) : board;
    return 2 * form + (turn === "placer" ? 1 : 0);
  }
}

import type { Turn } from "@gridlock/game";
import type { Grid } from "../enumeration/grid.js";
import { ABSENT, KeyIndex } from "../enumeration/key-index.js";

const FLAGS = ["exact", "lower", "upper"] as const;

/** The relation of a stored value to the true one: equal, or a lower or an upper bound. */
export type Flag = (typeof FLAGS)[number];

/** The result of a search of a board. */
export interface Entry {
  /** The board of the entry: the one that was looked up, or an image of it. */
  readonly board: number;
  readonly flag: Flag;
  /** A value of *h*: the score to come, without earlier points. */
  readonly value: number;
  /** The depth to which the board was searched. */
  readonly depth: number;
  /** True if the depth cut off no leaf below, so that the value is that of the whole game. */
  readonly complete: boolean;
  /** The board after the best move of `board` or of an image of it. */
  readonly best: number;
}

/** The treatment of images of a board under the symmetries of the grid. */
export type Symmetry = "plain" | "all-images" | "on-reading";

/** The depth that stands for no limit; depths are stored in 29 bits. */
const UNLIMITED = 2 ** 29 - 1;

/*
 * An entry is three doubles: the board; the board its best move leads to; and value, depth,
 * completeness and flag together, below 2^53:
 *
 *     bits   51   32   31   3   2          1  0
 *            value     depth    complete   flag
 */
const VALUES = 3;

/**
 * The paper's transposition table. Its keys are exact: the board and the player to move. It grows
 * as needed and never forgets. Symmetric boards are treated in one of two ways: `all-images` stores
 * each result for every image of a board; `on-reading` stores it once and finds it from every
 * image, and the search then continues with the stored board. The paper looks up one image after
 * the other; here all images share the key of the canonical one, which gives the same results in
 * one step.
 */
export class TranspositionTable {
  readonly #index = new KeyIndex();
  /** The entries, in the order of their keys in the index. */
  readonly #entries: number[] = [];

  constructor(
    readonly grid: Grid,
    readonly symmetry: Symmetry,
  ) {}

  /** Number of entries. */
  get size(): number {
    return this.#index.size;
  }

  /** Returns the entry of a board. */
  find(board: number, turn: Turn): Entry | undefined {
    const number = this.#index.find(this.#keyOf(board, turn));
    if (number === ABSENT) return undefined;
    const at = VALUES * number;
    const packed = this.#entries[at + 2] as number;
    const value = Math.floor(packed / 2 ** 32);
    const bits = packed - value * 2 ** 32;
    const depth = Math.floor(bits / 8);
    return {
      board: this.#entries[at] as number,
      flag: FLAGS[bits & 3] as Flag,
      value,
      depth: depth === UNLIMITED ? Number.POSITIVE_INFINITY : depth,
      complete: (bits & 4) !== 0,
      best: this.#entries[at + 1] as number,
    };
  }

  /** Stores an entry in place of an earlier one of the same board. */
  store(turn: Turn, { board, flag, value, depth, complete, best }: Entry): void {
    const bits = (complete ? 4 : 0) + FLAGS.indexOf(flag);
    const packed = value * 2 ** 32 + Math.min(depth, UNLIMITED) * 8 + bits;
    for (const image of this.symmetry === "all-images" ? this.grid.images(board) : [board]) {
      const at = VALUES * this.#index.add(this.#keyOf(image, turn));
      this.#entries[at] = image;
      this.#entries[at + 1] = best;
      this.#entries[at + 2] = packed;
    }
  }

  #keyOf(board: number, turn: Turn): number {
    const form = this.symmetry === "on-reading" ? this.grid.canonical(board) : board;
    return 2 * form + (turn === "placer" ? 1 : 0);
  }
}

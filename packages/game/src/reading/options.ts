import type { Node, Turn } from "../board.js";
import { GameError } from "../errors.js";
import { quoted } from "../quoted.js";
import type { Shape, Tiles } from "../shape.js";

/**
 * The most characters of a text with one board, and of a line of several: far more than any board
 * has, and enough for an answer of `query` that is asked again.
 */
export const MAX_TEXT = 65_536;

/** The digit of the first cell in a board of 16 hexadecimal digits: the highest or the lowest. */
export type CellOrder = "high" | "low";

/** Facts about a board that its text may leave open. All are optional. */
export interface ReadOptions {
  /** The shape. Allows all cells in one row; any other shape is an error. */
  readonly shape?: Shape | undefined;
  /**
   * True if numbers are exponents (1 for a tile of 2), false if they are tiles. By default they are
   * tiles if they all can be.
   */
  readonly exponents?: boolean | undefined;
  /** The order of hexadecimal digits; by default, the first cell has the highest digit. */
  readonly order?: CellOrder | undefined;
  /** The player to move, if it is given beside the text; a text that says otherwise is an error. */
  readonly turn?: Turn | undefined;
}

/** A board that was read, with the player to move. */
export interface BoardText extends Node {
  readonly shape: Shape;
  /** Sentences about choices that the reader made. */
  readonly notes: readonly string[];
  /** The tiles of the placer, if the text is a JSON object that names them. */
  readonly tiles?: Tiles;
}

/** The note on a board whose numbers could also be exponents. */
export const VALUES_NOTE = "read as tiles, though all numbers could be exponents";

/** Returns the notes on a board that a user should see: not that small tiles could be exponents. */
export function notesOf({ notes }: Pick<BoardText, "notes">): string[] {
  return notes.filter((note) => note !== VALUES_NOTE);
}

/**
 * Reads an order of cells: `high` or `low`.
 *
 * @throws {GameError} `bad-code` for anything else.
 */
export function parseOrder(text: string): CellOrder {
  if (text === "high" || text === "low") return text;
  throw new GameError(
    "bad-code",
    `${quoted(text)} is not an order of cells; expected high (the first cell has the highest digit) or low`,
  );
}

import { rowsOf } from "../board.js";
import { type Cell, type CellRows, turnOf } from "./cells.js";
import type { CellOrder } from "./options.js";
import type { Source } from "./source.js";
import { tokensOf } from "./tokens.js";

/*
 * A board of 4×4 in 16 hexadecimal digits, one for the exponent of each cell. A smaller board is
 * walled in by `f`, which no smaller board has as a tile:
 *
 *     123f        2 4 8
 *     010f   →    0 2 0
 *     200f        4 0 0
 *     ffff
 */

/** Rows and columns of the board that the digits fill. */
const SIDE = 4;
const DIGITS = SIDE * SIDE;
const WALL = 15;
const HEX = /^[0-9a-f]+$/i;

/**
 * Finds a code: a word of 16 hexadecimal digits, or of any number of them after `0x`, with nothing
 * but a turn after it. Returns the digits, the index of the first one in the text, and the words
 * after it.
 */
export function findCode(text: string) {
  const [word, ...rest] = tokensOf(text).filter(({ kind }) => kind !== "\n" && kind !== "\t");
  if (word?.kind !== "word" || rest.some(({ text }) => turnOf(text) === undefined))
    return undefined;
  const digits = word.text.replace(/^0x/i, "");
  const isPrefixed = digits !== word.text;
  if (!HEX.test(digits) || (digits.length !== DIGITS && !isPrefixed)) return undefined;
  return { digits, start: word.end - digits.length, rest };
}

type CodeWords = NonNullable<ReturnType<typeof findCode>>;

/** Reads the board of a code. Its cells hold exponents. */
export function readCode(source: Source, code: CodeWords, order: CellOrder): CellRows {
  const { digits, start, rest } = code;
  source.likely = { rows: SIDE, cols: SIDE };
  if (digits.length !== DIGITS) {
    throw source.error(
      "bad-code",
      `${digits.length} hexadecimal digit${digits.length === 1 ? "" : "s"}; expected ${DIGITS}, with zeros at the front`,
      { start, end: start + digits.length },
    );
  }
  const cells = [...digits].map((digit, i): Cell => {
    return { number: Number.parseInt(digit, 16), start: start + i, end: start + i + 1 };
  });
  if (order === "low") cells.reverse();
  const rows = withoutWalls(rowsOf({ rows: SIDE, cols: SIDE, cells }));
  if (rows.length === 0) throw source.error("bad-code", "all digits are f: a board without cells");
  const [row = []] = rows;
  source.likely = { rows: rows.length, cols: row.length };
  const inner = rows.flat().find(({ number }) => number === WALL);
  if (inner && rows.length * row.length < DIGITS) {
    throw source.error(
      "bad-code",
      "an f that is neither a tile of 4x4 nor in a wall of whole outer rows or columns; boards are rectangles",
      inner,
    );
  }
  const [turn, more] = rest;
  if (more) throw source.error("bad-board", `"${turn?.text}" is not at the end of the board`, turn);
  return { rows, turn: turn && turnOf(turn.text), isList: false };
}

/** Removes the outer rows and columns that are walls. */
function withoutWalls(rows: readonly (readonly Cell[])[]): Cell[][] {
  const isInner = (line: readonly Cell[]) => line.some(({ number }) => number !== WALL);
  const columns = rows.map((_, col) => rows.map((row) => row[col] as Cell));
  const [top, left] = [rows.findIndex(isInner), columns.findIndex(isInner)];
  const [bottom, right] = [rows.findLastIndex(isInner), columns.findLastIndex(isInner)];
  return rows.slice(top, bottom + 1).map((row) => row.slice(left, right + 1));
}

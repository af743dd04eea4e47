import type { Turn } from "../board.js";
import { quoted } from "../quoted.js";
import type { Source, Span } from "./source.js";
import type { Token } from "./tokens.js";

/** A cell as it was written: a number, a tile or an exponent, or a mark for an empty cell. */
export interface Cell extends Span {
  /** 0 for an empty cell. */
  readonly number: number;
}

/** The cells of a board before it is known whether their numbers are tiles or exponents. */
export interface CellRows {
  readonly rows: readonly (readonly Cell[])[];
  readonly turn?: Turn | undefined;
  /** True for a single row that may be a list of all cells. */
  readonly isList: boolean;
}

/** Marks for an empty cell, beside 0. `_` between two cells of an address joins them instead. */
const EMPTY: ReadonlySet<string> = new Set(["·", ".", "_", "-", "x", "X"]);
/** Words for an empty cell in arrays of JSON and Python. */
const NULL: ReadonlySet<string> = new Set(["null", "None"]);
/** A number of at most nine digits. Larger ones would not be exact; no tile has as many. */
const SHORT_NUMBER = /^[0-9]{1,9}$/;

/** Returns the player that a word names. */
export function turnOf(word: string): Turn | undefined {
  const lower = word.toLowerCase();
  return lower === "placer" || lower === "slider" ? lower : undefined;
}

/** Reads a word as a cell; `undefined` if it is none. */
function cellOf(text: string, span: Span): Cell | undefined {
  const { start, end } = span;
  if (EMPTY.has(text)) return { number: 0, start, end };
  return SHORT_NUMBER.test(text) ? { number: Number(text), start, end } : undefined;
}

/** Reads a word of an array as a cell: also `null`, and the floats of NumPy, `2.` and `2.0`. */
export function arrayCellOf(source: Source, word: Token): Cell {
  const { text, start, end } = word;
  if (NULL.has(text)) return { number: 0, start, end };
  const cell = cellOf(text.replace(/^([^.]+)\.0*$/, "$1"), word);
  if (cell === undefined) throw notACell(source, word);
  return cell;
}

/** Reads a word as a cell or, in an address, cells joined by `_`; its last part may be the turn. */
export function wordOf(source: Source, word: Token): { cells: Cell[]; turn?: Turn } {
  const { text, start } = word;
  const cell = cellOf(text, word);
  if (cell) return { cells: [cell] };
  const named = turnOf(text.startsWith("_") ? text.slice(1) : text);
  if (named) return { cells: [], turn: named };
  if (!text.includes("_")) throw notACell(source, word);
  const cells: Cell[] = [];
  let at = start;
  const parts = text.split("_");
  for (const [i, part] of parts.entries()) {
    const span = { start: at, end: at + part.length };
    const turn = i > 0 && i === parts.length - 1 ? turnOf(part) : undefined;
    if (turn) return { cells, turn };
    if (part === "") {
      throw source.error(
        "ambiguous-board",
        "_ beside a cell joins two cells, and here one is missing; expected 0 or blanks around _",
        { start: Math.max(start, at - 1), end: at + 1 },
      );
    }
    const joined = cellOf(part, span);
    if (joined === undefined) throw notACell(source, { ...word, ...span, text: part });
    cells.push(joined);
    at = span.end + 1;
  }
  return { cells };
}

/** Makes the error for a word that is not a cell. */
function notACell(source: Source, { text, start, end }: Token): Error {
  const isNumber = /^[-+]?[0-9]+$/.test(text);
  return source.error(
    isNumber ? "bad-tile" : "bad-board",
    isNumber
      ? `${quoted(text)} is not a tile; expected 0 for an empty cell, or 2, 4, 8, 16, …`
      : `${quoted(text)} is not a cell; expected numbers, and 0 . · _ - or x for an empty cell`,
    { start, end },
  );
}

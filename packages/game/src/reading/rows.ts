import type { Turn } from "../board.js";
import { quoted } from "../quoted.js";
import type { Shape } from "../shape.js";
import { type Cell, type CellRows, turnOf, wordOf } from "./cells.js";
import type { Source } from "./source.js";
import { type Token, tokensOf } from "./tokens.js";

const NAMES = { "/": "/", ";": ";", "|": "|", "\n": "line ends" } as const;
type RowEnd = keyof typeof NAMES;

function isRowEnd(kind: Token["kind"]): kind is RowEnd {
  return kind in NAMES;
}

/**
 * Reads rows of cells:
 *
 *     board = row { end row } [ end ] [ turn ]       all ends of one kind: / ; | or a line end
 *     row   = cells | "[" cells "]"
 *     cells = cell { gap cell }                      gap: blanks with at most one comma or tab
 */
export function readRows(source: Source): CellRows {
  const rows: Cell[][] = [];
  let row = new RowReader(source);
  let ends: RowEnd | undefined;
  let turn: Turn | undefined;
  let last: Token | undefined;
  const tokens = tokensOf(source.text);
  const guess = guessedShape(tokens);
  if (guess) source.likely = guess;
  for (const token of tokens) {
    if (turn && token.kind !== "\n" && token.kind !== "\t") {
      throw source.error("bad-board", `"${turn}" is not at the end of the board`, last);
    }
    if (isRowEnd(token.kind)) {
      if (token.kind === "\n" && row.isEmpty) continue;
      if (ends !== undefined && ends !== token.kind) {
        throw source.error(
          "ambiguous-board",
          `${NAMES[ends]} and ${NAMES[token.kind]} both end rows here; expected one of them`,
          token,
        );
      }
      ends = token.kind;
      if (row.isEmpty) throw source.error("bad-board", "a row has no cells", token);
      rows.push(row.end());
      row = new RowReader(source);
    } else if (token.kind === "word") {
      turn = row.word(token);
    } else row.sign(token);
    last = token;
  }
  const isOpen = !row.isEmpty;
  if (isOpen) rows.push(row.end());
  if (rows.length === 0) throw source.error("no-board", "there are no cells before the turn", last);
  expectEqualLengths(source, rows);
  const isEnded = ends !== undefined && ends !== "\n" && !isOpen;
  return { rows, turn, isList: rows.length === 1 && !isEnded };
}

/** Guesses the shape from the number of words between separators; for examples only. */
function guessedShape(tokens: readonly Token[]): Shape | undefined {
  const lengths = [0];
  for (const { kind, text } of tokens) {
    if (isRowEnd(kind)) lengths.push(0);
    else if (kind === "word" && turnOf(text) === undefined) {
      const cells = text.split("_").filter((part) => part !== "").length;
      lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + Math.max(1, cells);
    }
  }
  const rows = lengths.filter((length) => length > 0);
  return rows.length > 1 ? { rows: rows.length, cols: mostFrequent(rows) } : undefined;
}

/** Reads the cells of a row, and the signs between them. */
class RowReader {
  readonly #source: Source;
  readonly #cells: Cell[] = [];
  /** The last comma or tab after the last cell. */
  #gap: Token | undefined;
  #opened: Token | undefined;
  #closed = false;

  constructor(source: Source) {
    this.#source = source;
  }

  get isEmpty(): boolean {
    return this.#cells.length === 0 && this.#opened === undefined && this.#gap === undefined;
  }

  /** Reads a word; returns the turn if it names one. */
  word(token: Token): Turn | undefined {
    const { cells, turn } = wordOf(this.#source, token);
    if (cells.length > 0) {
      if (this.#closed) throw this.#unexpected(token);
      this.#gap = undefined;
      this.#cells.push(...cells);
    }
    return turn;
  }

  /** Reads a sign that does not end the row. */
  sign(token: Token): void {
    const { kind } = token;
    if (kind === "[" && this.isEmpty) this.#opened = token;
    else if (kind === "]" && this.#opened && !this.#closed) {
      this.#refuseGap();
      this.#closed = true;
    } else if (kind === "," || kind === "\t") {
      // A tab beside a comma is a blank; a second comma or tab leaves out a cell.
      const isDouble = this.#gap !== undefined && this.#gap.kind === kind;
      if (this.#cells.length === 0 || isDouble) throw this.#missing(token);
      if (!this.#closed && this.#gap?.kind !== ",") this.#gap = token;
    } else throw this.#unexpected(token);
  }

  /** Returns the cells of the whole row. */
  end(): Cell[] {
    this.#refuseGap();
    if (this.#opened && !this.#closed) throw this.#unexpected(this.#opened);
    if (this.#cells.length === 0) throw this.#unexpected(this.#opened as Token);
    return this.#cells;
  }

  #refuseGap(): void {
    if (this.#gap) throw this.#missing(this.#gap);
  }

  #missing(token: Token): Error {
    const name = token.kind === "," ? "comma" : "tab";
    return this.#source.error(
      "ambiguous-board",
      `a cell is missing beside this ${name}; expected 0 for an empty cell`,
      token,
    );
  }

  #unexpected(token: Token): Error {
    return this.#source.error(
      "bad-board",
      `${quoted(token.text)} does not belong here; expected rows of cells, ended by / ; | or a line end`,
      token,
    );
  }
}

/** @throws {ReadingError} that shows some rows if their lengths differ */
export function expectEqualLengths(source: Source, rows: readonly (readonly Cell[])[]): void {
  const lengths = rows.map((row) => row.length);
  const usual = mostFrequent(lengths);
  source.likely = { rows: rows.length, cols: usual };
  const odd = lengths.findIndex((length) => length !== usual);
  if (odd < 0) return;
  // The row with its neighbours.
  const first = Math.max(0, odd - 1);
  const lines = rows
    .slice(first, odd + 2)
    .map((row) => row.map(({ start, end }) => source.text.slice(start, end)).join(" "));
  lines.splice(odd - first + 1, 0, "^".repeat(Math.max(1, lines[odd - first]?.length ?? 0)));
  const cells = (count: number) => `${count} cell${count === 1 ? "" : "s"}`;
  throw source.errorWith(
    "ragged-board",
    `row ${odd + 1} has ${cells(lengths[odd] ?? 0)} and others have ${usual}; expected rows of equal length`,
    lines,
  );
}

/** Returns the most frequent number, the first one among equals. */
function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

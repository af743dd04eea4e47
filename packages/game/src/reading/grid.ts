import type { Turn } from "../board.js";
import { type CellRows, turnOf, wordOf } from "./cells.js";
import { expectEqualLengths } from "./rows.js";
import type { Source } from "./source.js";
import { type Token, tokensOf } from "./tokens.js";

/*
 * Grids: tables of Markdown, drawings, and lines of cells divided by bars. A blank between the bars
 * of a line that begins and ends with one is an empty cell.
 *
 *     | 2 | 0 |      +---+---+      ┌───┬───┐      2|0
 *     |---|---|      | 2 |   |      │ 2 │   │      0|4
 *     | 0 | 4 |      +---+---+      ├───┼───┤
 *                    |   | 4 |      │   │ 4 │
 *                    +---+---+      └───┴───┘
 */

/** A row of a grid: a word for each cell, empty for a blank. */
interface GridRow {
  readonly cells: readonly Token[];
  readonly turn: Turn | undefined;
  /** True if a bar begins the line, and a bar ends it. */
  readonly isClosed: boolean;
}

/**
 * The characters of a ruling, with at least one that divides columns and one that no row of cells
 * has.
 */
const RULING = /^(?=.*[|+\u2500-\u257f])(?=.*(?:[+:=\u2500-\u257f]|--))[-+|:=\u2500-\u257f]+$/;

/** Returns what a line can be in a grid. */
export function gridLineOf(line: string): "row" | "ruling" | undefined {
  const tokens = tokensOf(line);
  if (isRuling(tokens)) return "ruling";
  return rowOf(tokens) && "row";
}

/**
 * Reads a grid: rows, rulings between them, and a turn after them. Returns `undefined` if the text
 * is not one: bars in a single line end rows, unless it begins and ends with one.
 */
export function readGrid(source: Source): CellRows | undefined {
  const rows: GridRow[] = [];
  /** The number of rows above each ruling. */
  const rulings: number[] = [];
  let turn: Turn | undefined;
  for (const tokens of linesOf(tokensOf(source.text))) {
    if (turn) return undefined;
    if (isRuling(tokens)) {
      rulings.push(rows.length);
      continue;
    }
    turn = tokens.length === 1 ? turnOf(tokens[0]?.text ?? "") : undefined;
    if (turn) continue;
    const row = rowOf(tokens);
    if (row === undefined) return undefined;
    rows.push(row);
    turn = row.turn;
  }
  const [first] = rows;
  const isLine = rows.length + rulings.length === 1;
  if (first === undefined || (isLine && !first.isClosed)) return undefined;
  refuseHeading(source, rows, rulings);
  const read = rows.map(({ cells, isClosed }) =>
    cells.map((word) => {
      if (word.text !== "") return wordOf(source, word).cells[0] ?? { ...word, number: 0 };
      if (isClosed) return { ...word, number: 0 };
      throw source.error(
        "ambiguous-board",
        "a cell is missing beside this bar; expected 0 for an empty cell",
        word,
      );
    }),
  );
  expectEqualLengths(source, read);
  return { rows: read, turn, isList: isLine };
}

/**
 * @throws {ReadingError} if the first row could be the heading of a table, or the second one the
 *   ruling below it
 */
function refuseHeading(
  source: Source,
  [first, second, ...others]: readonly GridRow[],
  rulings: readonly number[],
): void {
  const are = (row: GridRow | undefined, text: string) =>
    row?.cells.every((cell) => cell.text === text) === true;
  const isBlank = are(first, "") && rulings.length === 1 && rulings[0] === 1;
  const hasDash = [first, ...others].some((row) => row?.cells.some(({ text }) => text === "-"));
  const isDashed = are(second, "-") && rulings.length === 0 && !hasDash;
  if (!isBlank && !isDashed) return;
  throw source.error(
    "ambiguous-board",
    isBlank
      ? "this row is blank, and could be the heading of a table; expected 0 for an empty cell"
      : "this row could be the ruling below a heading; expected 0 for an empty cell",
    (isBlank ? first : second)?.cells[0],
  );
}

/** Divides tokens into lines, without blank ones. */
function linesOf(tokens: readonly Token[]): Token[][] {
  const lines: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "\n") lines.push([]);
    else if (token.kind !== "\t") lines.at(-1)?.push(token);
  }
  return lines.filter(({ length }) => length > 0);
}

function isRuling(tokens: readonly Token[]): boolean {
  return RULING.test(tokens.map(({ kind, text }) => (kind === "word" ? text : kind)).join(""));
}

/**
 * Returns the row of a line; `undefined` if it has no bars, or anything but one cell or a blank
 * between two.
 */
function rowOf(tokens: readonly Token[]): GridRow | undefined {
  const words = tokens.filter(({ kind }) => kind !== "\t");
  const turn = turnOf(words.at(-1)?.text ?? "");
  if (turn) words.pop();
  if (!words.some(({ kind }) => kind === "|")) return undefined;
  const [opens, closes] = [words[0]?.kind === "|", words.at(-1)?.kind === "|"];
  const cells: Token[] = [];
  let cell: Token | undefined;
  for (const word of opens ? words.slice(1) : words) {
    if (word.kind === "|") {
      cells.push(cell ?? { ...word, kind: "word", text: "" });
      cell = undefined;
    } else if (word.kind !== "word" || cell || turnOf(word.text) || /._|_./.test(word.text)) {
      return undefined;
    } else cell = word;
  }
  if (cell) cells.push(cell);
  return cells.length === 0 ? undefined : { cells, turn, isClosed: opens && closes };
}

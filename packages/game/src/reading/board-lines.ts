import { MAX_CELLS } from "../shape.js";
import { turnOf } from "./cells.js";
import { findCode } from "./code.js";
import { gridLineOf } from "./grid.js";
import { MAX_TEXT, type ReadOptions } from "./options.js";
import { LINE_END } from "./source.js";
import { tokensOf } from "./tokens.js";

/** The lines of one board in a text, and the number of the first one, from 1. */
export interface BoardLines {
  readonly text: string;
  readonly line: number;
}

/** Most lines that are kept of one board: more than its rows and the rulings between them. */
const MOST_LINES = 2 * MAX_CELLS + 2;

/**
 * Divides lines into boards. A line with a separator of rows is a board, and so are a code and a
 * string of JSON. Brackets are one up to the last closing bracket. Other lines are the rows of one
 * board, up to an empty line, a turn or the number of rows of the shape; so are the lines of a
 * grid, up to two rulings in succession.
 */
export class LineGrouper {
  readonly #options: ReadOptions;
  #lines: string[] = [];
  #line = 0;
  #first = 0;
  /** Characters of the lines with their ends. */
  #length = 0;
  #brackets: BracketCounter | undefined;
  /** The last line and the number of rows, if the lines are a grid. */
  #grid: { readonly last: "row" | "ruling"; readonly rows: number } | undefined;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** Reads the next line, without its end; returns the boards that are complete now. */
  push(line: string): BoardLines[] {
    this.#line++;
    const trimmed = line.trim();
    if (trimmed === "") return this.end();
    if (this.#brackets) {
      this.#add(line);
      return this.#closeBrackets(line);
    }
    const opens = opensBrackets(trimmed);
    const kind = opens ? undefined : gridLineOf(line);
    if (kind === "ruling" || (kind && !this.#isList(line))) return this.#pushGrid(line, kind);
    if (opens || this.#isWhole(line)) {
      const done = this.end();
      this.#add(line);
      if (opens) this.#brackets = new BracketCounter();
      return [...done, ...this.#closeBrackets(line)];
    }
    const isTurn = turnOf(trimmed) !== undefined;
    const done = this.#grid && !isTurn ? this.end() : [];
    this.#append(line);
    const isLast = endsWithTurn(trimmed) || this.#lines.length === this.#options.shape?.rows;
    return isLast ? [...done, ...this.end()] : done;
  }

  /** Reads a line of a grid, whose end only another line shows: rulings follow the last row. */
  #pushGrid(line: string, kind: "row" | "ruling"): BoardLines[] {
    const { last, rows = 0 } = this.#grid ?? {};
    const isFull =
      kind === "row" ? rows === this.#options.shape?.rows : last === "ruling" && rows > 0;
    const done = this.#grid && !isFull ? [] : this.end();
    this.#append(line);
    this.#grid = { last: kind, rows: (this.#grid?.rows ?? 0) + (kind === "row" ? 1 : 0) };
    return endsWithTurn(line.trim()) ? [...done, ...this.end()] : done;
  }

  /** Reads a line of a board of several lines; no more than show that there are too many. */
  #append(line: string): void {
    if (this.#lines.length < MOST_LINES) this.#add(line);
  }

  #add(line: string): void {
    if (this.#lines.length === 0) this.#first = this.#line;
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  /** Returns the board that ends with a line, unless a bracket is open that may still be closed. */
  #closeBrackets(line: string): BoardLines[] {
    const isOpen = this.#brackets?.afterLine(line) === true;
    return isOpen && this.#length <= MAX_TEXT + 1 ? [] : this.end();
  }

  /** Returns the board that the last lines are. */
  end(): BoardLines[] {
    if (this.#lines.length === 0) return [];
    const text = this.#lines.join("\n");
    this.#lines = [];
    this.#length = 0;
    this.#brackets = undefined;
    this.#grid = undefined;
    return [{ text, line: this.#first }];
  }

  /** Returns whether a line is a board of its own. */
  #isWhole(line: string): boolean {
    if (/[/;|│┃║]/.test(line) || findCode(line) || line.trimStart().startsWith('"')) return true;
    return this.#isList(line);
  }

  /** Returns whether a line has all cells of the shape, in several rows. */
  #isList(line: string): boolean {
    const { shape } = this.#options;
    return shape !== undefined && shape.rows > 1 && cellsIn(line) === shape.rows * shape.cols;
  }
}

/** Divides a text into boards. */
export function splitBoards(text: string, options: ReadOptions): BoardLines[] {
  const grouper = new LineGrouper(options);
  const boards = text.split(LINE_END).flatMap((line) => grouper.push(line));
  return [...boards, ...grouper.end()];
}

/** Returns whether a line begins an object or array; a row in brackets, `[2, 0, 0]`, does not. */
function opensBrackets(trimmed: string): boolean {
  if (trimmed.startsWith("{") || trimmed.startsWith("array(")) return true;
  if (!trimmed.startsWith("[")) return false;
  return trimmed.indexOf("[", 1) > 0 || !trimmed.includes("]");
}

/** Returns whether the last word of a line names the player to move. */
function endsWithTurn(trimmed: string): boolean {
  return /(?:^|[ \t_])(?:placer|slider)$/i.test(trimmed);
}

function cellsIn(line: string): number {
  let cells = 0;
  for (const { kind, text } of tokensOf(line)) {
    if (kind !== "word" || turnOf(text)) continue;
    const parts = text.length === 1 ? [text] : text.split("_");
    cells += parts.filter((part) => turnOf(part) === undefined).length;
  }
  return cells;
}

/** Counts brackets that are still open, except those in strings. */
class BracketCounter {
  #open = 0;
  #isString = false;

  /** Returns whether a bracket is open after a line. */
  afterLine(line: string): boolean {
    let isEscaped = false;
    for (const character of line) {
      if (isEscaped) isEscaped = false;
      else if (this.#isString) {
        if (character === "\\") isEscaped = true;
        else if (character === '"') this.#isString = false;
      } else if (character === '"') this.#isString = true;
      else if ("{[(".includes(character)) this.#open++;
      else if (")]}".includes(character)) this.#open--;
    }
    return this.#open > 0;
  }
}

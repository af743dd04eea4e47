import { type GameErrorCode, ReadingError } from "../errors.js";
import { formatBoard } from "../notation.js";
import { cleaned } from "../quoted.js";
import { MAX_CELLS, MIN_CELLS, type Shape } from "../shape.js";

/** A range of a text, by indices: from its first character to before its end. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Characters of a line that an error shows. */
const SHOWN = 72;
/** Characters before the marked place that are shown of a longer line. */
const BEFORE = 30;

/** Returns a board that can be read, of the shape that was probably meant. */
function exampleOf(rows: number, cols: number): string {
  const isShape = rows * cols >= MIN_CELLS && rows * cols <= MAX_CELLS;
  const shape = isShape ? { rows, cols } : { rows: 3, cols: 3 };
  const cells = new Array<number>(shape.rows * shape.cols).fill(0);
  cells[0] = 2;
  cells[shape.rows > 1 && shape.cols > 1 ? shape.cols + 1 : cells.length - 1] = 4;
  return formatBoard({ ...shape, cells });
}

/** Returns the characters of a line from an index on, as many as an error shows. */
function excerptOf(characters: readonly string[], from: number): string {
  const end = from + SHOWN;
  const text = characters.slice(from, end).join("");
  return `${from > 0 ? "…" : ""}${text}${end < characters.length ? "…" : ""}`;
}

/** A text that is being read: makes the errors that show it. */
export class Source {
  readonly text: string;
  readonly #isGiven: boolean;
  #likely: Shape;

  /** @param shape the shape of the board, if it is known */
  constructor(text: string, shape?: Shape) {
    this.text = text;
    this.#isGiven = shape !== undefined;
    this.#likely = shape ?? { rows: 3, cols: 3 };
  }

  /** Sets the shape that is probably meant, for examples. */
  set likely(shape: Shape) {
    if (!this.#isGiven) this.#likely = shape;
  }

  /** Makes an error that marks a place of the text; the default is the whole first line. */
  error(code: GameErrorCode, reason: string, span: Span = this.#firstLine()): ReadingError {
    const { before, rest } = this.#lineAt(span.start);
    const marked = [...rest.slice(0, Math.max(1, span.end - span.start))].length;
    const shown = [...cleaned(before + rest)];
    const column = [...before].length;
    const from = shown.length <= SHOWN ? 0 : Math.max(0, column - BEFORE);
    const indent = " ".repeat((from > 0 ? 1 : 0) + column - from);
    const caret = "^".repeat(Math.max(1, Math.min(marked, from + SHOWN - column)));
    const lines = [excerptOf(shown, from), indent + caret];
    return this.#made(code, reason, lines);
  }

  /** Makes an error that shows lines in place of the text. */
  errorWith(code: GameErrorCode, reason: string, lines: readonly string[]): ReadingError {
    const shown = lines.map((line) => excerptOf([...cleaned(line)], 0));
    return this.#made(code, reason, shown);
  }

  #made(code: GameErrorCode, reason: string, lines: readonly string[]): ReadingError {
    const example = exampleOf(this.#likely.rows, this.#likely.cols);
    const shown = lines.filter((line) => line.trim() !== "").map((line) => `  ${line}`);
    const message = [reason, ...shown, `a board of this kind: ${example}`].join("\n");
    return new ReadingError(code, message);
  }

  #firstLine(): Span {
    const start = this.text.length - this.text.trimStart().length;
    const { rest } = this.#lineAt(start);
    return { start, end: start + rest.trimEnd().length };
  }

  /** Returns the parts of the line of an index before and from the index. */
  #lineAt(index: number): { before: string; rest: string } {
    const before = this.text.slice(0, index).split(LINE_END).at(-1) as string;
    const [rest = ""] = this.text.slice(index).split(LINE_END);
    return { before, rest };
  }
}

/** The end of a line, on any system. */
export const LINE_END = /\r\n|\n|\r/;

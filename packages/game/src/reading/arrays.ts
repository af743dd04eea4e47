import { arrayCellOf, type Cell, type CellRows, turnOf } from "./cells.js";
import { expectEqualLengths } from "./rows.js";
import { cleaned, type Source } from "./source.js";
import { type Token, tokensOf } from "./tokens.js";

/**
 * Reads a board as JSON or NumPy writes nested arrays:
 *
 *     board = rows [ turn ] | "array" "(" rows [ "," "dtype=" name ] ")" [ turn ]
 *     rows  = "[" row { [ "," ] row } "]" | row
 *     row   = "[" cell { [ "," ] cell } "]"
 *
 * A row alone is a list of all cells.
 */
export function readArray(source: Source): CellRows {
  return new ArrayReader(source).board();
}

class ArrayReader {
  readonly #source: Source;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#tokens = tokensOf(source.text).filter(({ kind }) => kind !== "\n" && kind !== "\t");
  }

  board(): CellRows {
    const isCall = this.#take("array");
    if (isCall) this.#expect("(");
    const { rows, isList } = this.#rows();
    if (isCall) {
      this.#take(",");
      const { kind, text = "" } = this.#peek() ?? {};
      if (kind === "word" && text.startsWith("dtype=")) this.#next++;
      this.#expect(")");
    }
    const turn = turnOf(this.#peek()?.text ?? "");
    if (turn) this.#next++;
    const rest = this.#peek();
    if (rest) throw this.#unexpected(rest);
    expectEqualLengths(this.#source, rows);
    return { rows, turn, isList };
  }

  #rows(): { rows: Cell[][]; isList: boolean } {
    const open = this.#expect("[");
    if (this.#peek()?.kind !== "[") return { rows: [this.#cells(open)], isList: true };
    const rows: Cell[][] = [];
    do {
      rows.push(this.#cells(this.#expect("[")));
    } while (this.#continues());
    this.#expect("]");
    return { rows, isList: false };
  }

  /** Reads the cells of a row, after its bracket, and the closing one. */
  #cells(open: Token): Cell[] {
    const cells: Cell[] = [];
    if (this.#peek()?.kind === "]") {
      throw this.#source.error("bad-board", "a row has no cells", open);
    }
    do {
      const word = this.#peek();
      if (word?.kind !== "word") throw this.#unexpected(word);
      this.#next++;
      cells.push(arrayCellOf(this.#source, word));
    } while (this.#continues());
    this.#expect("]");
    return cells;
  }

  /** Takes a comma; returns whether another item follows. */
  #continues(): boolean {
    return this.#take(",") !== undefined || this.#peek()?.kind !== "]";
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #take(text: string): Token | undefined {
    const token = this.#peek();
    if (token?.text !== text) return undefined;
    this.#next++;
    return token;
  }

  #expect(text: string): Token {
    const token = this.#take(text);
    if (token === undefined) throw this.#unexpected(this.#peek());
    return token;
  }

  #unexpected(token: Token | undefined): Error {
    const { text } = this.#source;
    const end = text.trimEnd().length;
    const found = token
      ? `"${cleaned(token.text)}" does not belong here`
      : "the array is not closed";
    return this.#source.error(
      "bad-board",
      `${found}; expected rows in brackets, such as [[2,0],[0,4]]`,
      token ?? { start: Math.max(0, end - 1), end },
    );
  }
}

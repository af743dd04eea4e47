import { quoted } from "../quoted.js";
import { arrayCellOf, type Cell, type CellRows, turnOf } from "./cells.js";
import { expectEqualLengths } from "./rows.js";
import type { Source } from "./source.js";
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
  const tokens = tokensOf(source.text).filter(({ kind }) => kind !== "\n" && kind !== "\t");
  let next = 0;
  const accept = (text: string) => (tokens[next]?.text === text ? tokens[next++] : undefined);
  const expect = (text: string): Token => {
    const token = accept(text);
    if (token === undefined) throw unexpected(source, tokens[next]);
    return token;
  };
  /** Accepts a comma; returns whether another item follows. */
  const continues = () => accept(",") !== undefined || tokens[next]?.kind !== "]";
  const row = (): Cell[] => {
    const open = expect("[");
    if (tokens[next]?.kind === "]") throw source.error("bad-board", "a row has no cells", open);
    const cells: Cell[] = [];
    do {
      const word = tokens[next++];
      if (word?.kind !== "word") throw unexpected(source, word);
      cells.push(arrayCellOf(source, word));
    } while (continues());
    expect("]");
    return cells;
  };

  const isCall = accept("array") !== undefined;
  if (isCall) expect("(");
  const isList = tokens[next + 1]?.kind !== "[";
  const rows: Cell[][] = [];
  if (isList) rows.push(row());
  else {
    expect("[");
    do rows.push(row());
    while (continues());
    expect("]");
  }
  if (isCall) {
    accept(",");
    const { kind, text = "" } = tokens[next] ?? {};
    if (kind === "word" && text.startsWith("dtype=")) next++;
    expect(")");
  }
  const turn = turnOf(tokens[next]?.text ?? "");
  const rest = tokens[turn ? next + 1 : next];
  if (rest) throw unexpected(source, rest);
  expectEqualLengths(source, rows);
  return { rows, turn, isList };
}

/** Makes the error for a token that does not belong in an array; `undefined` is its end. */
function unexpected(source: Source, token: Token | undefined): Error {
  const end = source.text.trimEnd().length;
  const found = token ? `${quoted(token.text)} does not belong here` : "the array is not closed";
  return source.error(
    "bad-board",
    `${found}; expected rows in brackets, such as [[2,0],[0,4]]`,
    token ?? { start: Math.max(0, end - 1), end },
  );
}

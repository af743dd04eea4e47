import type { Board, Node, Turn } from "../board.js";
import type { ReadingError } from "../errors.js";
import { findFault } from "../fault.js";
import { quoted, shortened } from "../quoted.js";
import { formatShape, parseShape, parseTiles, type Shape } from "../shape.js";
import { readArray } from "./arrays.js";
import { splitBoards } from "./board-lines.js";
import { type CellRows, turnOf } from "./cells.js";
import { findCode, readCode } from "./code.js";
import { readGrid } from "./grid.js";
import { jsonIn } from "./json.js";
import { tilesOf } from "./numbers.js";
import { type BoardText, MAX_TEXT, type ReadOptions } from "./options.js";
import { readPlain } from "./plain.js";
import { readRows } from "./rows.js";
import { readSavedGame } from "./saved-game.js";
import { LINE_END, Source } from "./source.js";

/**
 * Reads one board as people and other programs write it. `docs/notation.md` lists the formats. What
 * a text leaves open is decided by a rule of that page, named in the result's notes, or is an
 * error.
 *
 * @throws {ReadingError} with the reason, the text with the place marked, and a right board
 */
export function readBoard(text: string, options: ReadOptions = {}): BoardText {
  const plain = readPlain(text, options);
  if (plain) return plain;
  const source = new Source(text, options.shape);
  refuseLong(source);
  const boards = splitBoards(text, options);
  const [first, second] = boards;
  if (first === undefined) {
    throw source.error("no-board", "the text is empty; expected a board");
  }
  if (second) {
    throw source.errorWith("many-boards", `${boards.length} boards; expected one`, [
      first.text.split(LINE_END)[0] as string,
      second.text.split(LINE_END)[0] as string,
    ]);
  }
  return readOne(text, options);
}

/**
 * Reads a board whose numbers are tiles, such as one that {@link formatBoard} has written. The
 * board need not be reachable from a start.
 *
 * @throws {ReadingError} as {@link readBoard} does
 */
export function parseBoard(text: string): Node {
  const { board, turn } = readBoard(text, { exponents: false });
  return { board, turn };
}

/** Reads the lines of one board. */
export function readOne(text: string, options: ReadOptions): BoardText {
  const source = new Source(text, options.shape);
  refuseLong(source);
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) return readObject(source, options);
  const string = jsonIn(text, '"');
  if (string !== undefined) return readBoard(string as string, options);
  if (isArray(trimmed)) return boardOf(source, readArray(source), options);
  const grid = readGrid(source);
  if (grid) return boardOf(source, grid, options);
  const code = findCode(text);
  if (code) {
    const read = readCode(source, code, options.order ?? "high");
    const board = boardOf(source, read, { ...options, exponents: true });
    return options.order ? board : withNote(board, HIGH_NOTE);
  }
  refuseShape(source);
  return boardOf(source, readRows(source), options);
}

/** @throws {ReadingError} if the text is too long to be a board */
export function refuseLong(source: Source): void {
  if (source.text.length <= MAX_TEXT) return;
  throw source.error("bad-board", `the text is too long; expected at most ${MAX_TEXT} characters`);
}

/** Returns whether a trimmed text begins like an array of rows; a row in brackets does not. */
function isArray(trimmed: string): boolean {
  if (trimmed.startsWith("array(")) return true;
  return trimmed.startsWith("[") && trimmed.slice(1).trimStart().startsWith("[");
}

const HIGH_NOTE =
  "read with the first cell in the highest digit; the other order is the same board turned by 180°";

function withNote(board: BoardText, note: string): BoardText {
  return { ...board, notes: [...board.notes, note] };
}

/** @throws {ReadingError} if the text is only a shape */
function refuseShape(source: Source): void {
  const text = source.text.trim();
  let shape: Shape;
  try {
    shape = parseShape(text);
  } catch {
    return;
  }
  source.likely = shape;
  const name = formatShape(shape);
  throw source.error(
    "shape-only",
    `${quoted(text)} is a shape, not a board; gridlock solve ${name} finds the values of its starts, and gridlock query "2 0 0/0 2 0" the value of one board`,
  );
}

/** Reads a JSON object: a saved game, or a board with other fields. */
function readObject(source: Source, options: ReadOptions): BoardText {
  const object = jsonIn(source.text, "{") as Record<string, unknown> | undefined;
  if (object === undefined) {
    throw source.error("bad-json", "not valid JSON, though it begins with {");
  }
  if ("grid" in object) {
    const { score, ...read } = readSavedGame(source, object);
    const board = boardOf(source, read, { ...options, exponents: false });
    if (score === undefined) return board;
    const note = `the saved game has ${score} points so far; values are the points still to come`;
    return withNote(board, note);
  }
  const { board, turn } = object;
  const given = typeof turn === "string" ? turnOf(turn) : undefined;
  if (turn !== undefined && turn !== null && given === undefined) {
    throw source.error("bad-json", `turn is ${quoted(String(turn))}; expected slider or placer`);
  }
  if (given && options.turn && given !== options.turn) throw otherTurn(source, given, options.turn);
  const text = typeof board === "string" ? board : JSON.stringify(board);
  if (typeof board !== "string" && !Array.isArray(board)) {
    throw source.error(
      "bad-json",
      'the object has no board; expected {"board":"2 0 0/0 4 0/0 0 0"} or a saved game',
    );
  }
  /** Reads a field that may be missing; `read` returns `undefined` for an unexpected value. */
  const field = <T>(name: string, expected: string, read: (value: unknown) => T | undefined) => {
    const value = object[name] ?? undefined;
    const found = value === undefined ? undefined : read(value);
    if (value === undefined || found !== undefined) return found;
    const shown = shortened(JSON.stringify(value));
    throw source.error("bad-json", `${name} is ${shown}; expected ${expected}`);
  };
  // The fields say what the text of the board leaves open.
  const shape = field("shape", 'rows x columns, such as "3x3"', (value) =>
    typeof value === "string" ? parseShape(value) : undefined,
  );
  const exponents = field("exponents", "true or false", (value) =>
    typeof value === "boolean" ? value : undefined,
  );
  const order = field("order", '"high" or "low"', (value) =>
    value === "high" || value === "low" ? value : undefined,
  );
  const read = readBoard(text as string, {
    shape: shape ?? options.shape,
    exponents: exponents ?? options.exponents,
    order: order ?? options.order,
    turn: given ?? options.turn,
  });
  const tiles = field("tiles", '"2,4" or "2"', (value) =>
    value === "2,4" || value === "2" ? parseTiles(value) : undefined,
  );
  return { ...read, ...(tiles && { tiles }) };
}

/** Makes the board of cells: decides on its shape and the meaning of its numbers, and checks it. */
function boardOf(source: Source, read: CellRows, options: ReadOptions): BoardText {
  const shape = shapeOf(source, read, options.shape);
  source.likely = shape;
  const { turn: given } = options;
  if (read.turn && given && read.turn !== given) throw otherTurn(source, read.turn, given);
  const turn = read.turn ?? given ?? "slider";
  const cells = read.rows.flat();
  const { tiles, notes } = tilesOf(source, cells, options.exponents);
  const board: Board = { ...shape, cells: tiles };
  const fault = findFault(board, turn);
  if (fault) throw source.error(fault.code, fault.message, cells[fault.cell ?? -1]);
  return { board, shape, turn, notes };
}

function otherTurn(source: Source, read: Turn, given: Turn): ReadingError {
  return source.error(
    "other-turn",
    `the board has the ${read} to move, but turn is ${given}; expected them to agree`,
  );
}

/** Returns the shape of rows, or the given one if they are a list of its cells. */
function shapeOf(source: Source, { rows, isList }: CellRows, given: Shape | undefined): Shape {
  const cols = rows[0]?.length ?? 0;
  if (given) {
    if (isList && cols === given.rows * given.cols) return { rows: given.rows, cols: given.cols };
    if (rows.length === given.rows && cols === given.cols) return given;
    throw source.error(
      "other-shape",
      isList
        ? `${cols} cell${cols === 1 ? "" : "s"}; expected the ${given.rows * given.cols} of ${formatShape(given)}`
        : `a board of ${rows.length}x${cols}; expected one of ${formatShape(given)}`,
    );
  }
  if (!isList) return { rows: rows.length, cols };
  const likely = likelyShape(cols);
  source.likely = likely;
  const many = likely.rows > 1 ? ` or of ${formatShape(likely)}` : "";
  if (cols < 2) throw source.error("one-row", "one cell is not a board; expected 2 to 16 cells");
  throw source.error(
    "one-row",
    `one row of ${cols} cells could be a board of 1x${cols}${many}; end it with / for one row, or give the shape`,
  );
}

/** Returns the squarest shape of a number of cells. */
function likelyShape(cells: number): Shape {
  let rows = Math.floor(Math.sqrt(cells));
  while (rows > 1 && cells % rows !== 0) rows--;
  return { rows, cols: cells / rows };
}

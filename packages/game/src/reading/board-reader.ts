import { GameError } from "../errors.js";
import { quoted } from "../quoted.js";
import { type BoardLines, LineGrouper } from "./board-lines.js";
import { turnOf } from "./cells.js";
import { type CsvHeader, fieldsOf, readHeader } from "./csv.js";
import { type BoardText, MAX_TEXT, type ReadOptions } from "./options.js";
import { jsonIn, readBoard, readOne, refuseLong } from "./read-board.js";
import { LINE_END, Source } from "./source.js";

/** Lines of a text that should be a board, with what else they contain. */
export interface BoardRecordLines extends BoardLines {
  /** The other fields of a JSON object, or the other columns of a table. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One of several boards in a text, or the reason why it cannot be read. */
export type BoardRecord = BoardRecordLines &
  (
    | { readonly read: BoardText; readonly error?: undefined }
    | { readonly error: GameError; readonly read?: undefined }
  );

/** Most lines of a quoted field of a table. */
const MOST_LINES = 100;
/** Fields of an object that the reader uses itself. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["board", "turn"]);
const SAVED_FIELDS: ReadonlySet<string> = new Set(["grid", "score", "over", "won", "keepPlaying"]);

/**
 * Reads a text of several boards, line by line: boards in any format that {@link readBoard} reads,
 * JSON objects with a board and other fields, or a table (CSV) whose first line names a column `board`.
 */
export class BoardReader {
  readonly #options: ReadOptions;
  readonly #grouper: LineGrouper;
  #header: CsvHeader | undefined;
  /** The lines of a row of a table that is not complete. */
  #row: string[] = [];
  #line = 0;
  #hasBegun = false;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    this.#grouper = new LineGrouper(options);
  }

  /** The columns of a table, the one of the boards included; `undefined` if the text is not one. */
  get columns(): readonly string[] | undefined {
    return this.#header?.columns;
  }

  /** Takes the next line, without its end; returns the boards that are complete now. */
  push(line: string): BoardRecord[] {
    this.#line++;
    if (!this.#hasBegun && line.trim() !== "") {
      this.#hasBegun = true;
      this.#header = line.trim().startsWith("{") ? undefined : readHeader(line);
      if (this.#header) return [];
    }
    if (this.#header) return this.#takeRow(this.#header, line);
    return this.#grouper.push(line).map((lines) => this.#recordOf(lines));
  }

  /** Returns the board that the last lines are, if they are one. */
  end(): BoardRecord[] {
    const last = this.#grouper.end().map((lines) => this.#recordOf(lines));
    return this.#header && this.#row.length > 0 ? [this.#endRow(this.#header, undefined)] : last;
  }

  #recordOf({ text, line, lastLine }: BoardLines): BoardRecord {
    const object = jsonIn(text, "{") as Record<string, unknown> | undefined;
    const own = object !== undefined && "grid" in object ? SAVED_FIELDS : OWN_FIELDS;
    const fields = Object.fromEntries(
      Object.entries(object ?? {}).filter(([name]) => !own.has(name)),
    );
    const { board } = object ?? {};
    const written =
      typeof board === "string"
        ? board
        : ((jsonIn(text, '"') as string | undefined) ?? text.trim());
    return attempt({ text: written, line, lastLine, fields }, () => readOne(text, this.#options));
  }

  #takeRow(header: CsvHeader, line: string): BoardRecord[] {
    if (line.trim() === "" && this.#row.length === 0) return [];
    const isOpen = this.#row.length > 0;
    this.#row.push(line);
    const length = this.#row.reduce((sum, { length }) => sum + length + 1, 0);
    const hasRoom = this.#row.length < MOST_LINES && length <= MAX_TEXT;
    if (isOpen && hasRoom && !line.includes('"')) return []; // no other line closes a field
    const fields = fieldsOf(this.#row.join("\n"), header.delimiter);
    return fields === undefined && hasRoom ? [] : [this.#endRow(header, fields)];
  }

  #endRow(header: CsvHeader, cells: readonly string[] | undefined): BoardRecord {
    const row = this.#row.join("\n");
    const { columns, board } = header;
    const text = (cells?.[board] ?? row).trim();
    const others = columns.map((name, i) => [name, cells?.[i] ?? ""] as const);
    const fields = Object.fromEntries(others.filter((_, i) => i !== board));
    const line = this.#line - this.#row.length + 1;
    this.#row = [];
    return attempt({ text, fields, line, lastLine: this.#line }, () => {
      const source = new Source(row, this.#options.shape);
      refuseLong(source);
      if (cells === undefined)
        throw source.error("bad-board", 'a quoted field is not closed; expected "');
      if (cells.length !== columns.length) {
        throw source.error(
          "bad-board",
          `${cells.length} columns, and ${columns.length} in the header; expected as many, and quotes around a board with commas`,
        );
      }
      const turn = cells[columns.findIndex((name) => name.toLowerCase() === "turn")]?.trim() ?? "";
      if (turn !== "" && turnOf(turn) === undefined) {
        throw source.error("other-turn", `turn is ${quoted(turn)}; expected slider or placer`);
      }
      return readBoard(text, { ...this.#options, turn: turnOf(turn) ?? this.#options.turn });
    });
  }
}

/** Reads all boards of a text. */
export function readBoards(text: string, options: ReadOptions = {}): BoardRecord[] {
  const reader = new BoardReader(options);
  const records = text.split(LINE_END).flatMap((line) => reader.push(line));
  return [...records, ...reader.end()];
}

function attempt(lines: BoardRecordLines, read: () => BoardText): BoardRecord {
  try {
    return { ...lines, read: read() };
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    return { ...lines, error };
  }
}

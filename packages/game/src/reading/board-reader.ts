import { GameError } from "../errors.js";
import { quoted } from "../quoted.js";
import { type BoardLines, LineGrouper } from "./board-lines.js";
import { turnOf } from "./cells.js";
import { type CsvHeader, fieldsOf, readHeader } from "./csv.js";
import { fieldsIn, jsonIn } from "./json.js";
import { type BoardText, MAX_TEXT, type ReadOptions } from "./options.js";
import { readBoard, readOne, refuseLong } from "./read-board.js";
import { Source } from "./source.js";

/** Lines of a text that should be a board, with what else they contain. */
export interface BoardRecordLines extends BoardLines {
  /**
   * The fields of a JSON object or the columns of a table, but for the board and the turn: by name,
   * the JSON of each as it was written.
   */
  readonly fields: ReadonlyMap<string, string>;
  /** The cells of the row of a table, as many as it has columns. */
  readonly cells?: readonly string[];
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
 * JSON objects with a board and other fields, or a table (CSV) whose first line names a column
 * `board`.
 */
export class BoardReader {
  readonly #options: ReadOptions;
  readonly #grouper: LineGrouper;
  #header: CsvHeader | undefined;
  /** The lines of a row of a table that is not complete. */
  #row: string[] = [];
  #line = 0;
  #hasBegun = false;
  /** The delimiter that the first line of a table names. */
  #delimiter: string | undefined;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    this.#grouper = new LineGrouper(options);
  }

  /** The columns of a table, the one of the boards included; `undefined` if the text is not one. */
  get columns(): readonly string[] | undefined {
    return this.#header?.columns;
  }

  /**
   * Reads the next line, without its end; returns the boards that are complete now.
   *
   * @throws {GameError} if the text is in UTF-16
   */
  push(given: string): BoardRecord[] {
    const line = this.#line++ === 0 ? given.replace(/^\ufeff/, "") : given; // a byte order mark
    const begun = this.#hasBegun || line.trim() === "" ? undefined : this.#begin(line);
    if (begun) return begun;
    if (this.#header) return this.#pushRow(this.#header, line);
    return this.#grouper.push(line).map((lines) => this.#recordOf(lines));
  }

  /** Reads the first line; returns its records if it is about a table, otherwise `undefined`. */
  #begin(line: string): BoardRecord[] | undefined {
    if (/\0|^\ufffd\ufffd/.test(line)) {
      throw new GameError("bad-board", "the text is UTF-16, or no text; expected UTF-8");
    }
    // Spreadsheets read and write this line above a table.
    this.#delimiter ??= /^"?sep=([,;\t])"?$/i.exec(line)?.[1];
    if (this.#delimiter && /^"?sep=/i.test(line)) return [];
    this.#hasBegun = true;
    const header = line.trimStart().startsWith("{") ? undefined : readHeader(line, this.#delimiter);
    if (header === undefined) return undefined;
    if (header.board < 0) {
      const reason = "no column of this table is named board; expected a header such as id,board";
      const error = new Source(line, this.#options.shape).error("no-board", reason);
      return [{ text: line, line: this.#line, fields: new Map(), error }];
    }
    this.#header = header;
    return [];
  }

  /** Returns the board that the last lines are, if they are one. */
  end(): BoardRecord[] {
    const last = this.#grouper.end().map((lines) => this.#recordOf(lines));
    return this.#header && this.#row.length > 0 ? [this.#endRow(this.#header, undefined)] : last;
  }

  #recordOf({ text, line }: BoardLines): BoardRecord {
    const object = jsonIn(text, "{") as Record<string, unknown> | undefined;
    const own = object !== undefined && "grid" in object ? SAVED_FIELDS : OWN_FIELDS;
    const fields = new Map(object && [...fieldsIn(text)].filter(([name]) => !own.has(name)));
    const { board } = object ?? {};
    const written =
      typeof board === "string"
        ? board
        : ((jsonIn(text, '"') as string | undefined) ?? text.trim());
    return attempt({ text: written, line, fields }, () => readOne(text, this.#options));
  }

  #pushRow(header: CsvHeader, line: string): BoardRecord[] {
    if (line.trim() === "" && this.#row.length === 0) return [];
    const isOpen = this.#row.length > 0;
    this.#row.push(line);
    const length = this.#row.reduce((sum, { length }) => sum + length + 1, 0);
    const hasRoom = this.#row.length < MOST_LINES && length <= MAX_TEXT;
    if (isOpen && hasRoom && !line.includes('"')) return []; // no other line closes a field
    const fields = fieldsOf(this.#row.join("\n"), header.delimiter);
    return fields === undefined && hasRoom ? [] : [this.#endRow(header, fields)];
  }

  #endRow({ columns, board, turn }: CsvHeader, found: readonly string[] | undefined): BoardRecord {
    const row = this.#row.join("\n");
    const cells = columns.map((_, i) => found?.[i] ?? (i === board ? row : ""));
    const text = (cells[board] as string).trim();
    const others = columns.map((name, i) => [name.trim(), JSON.stringify(cells[i])] as const);
    const fields = new Map(others.filter((_, i) => i !== board && i !== turn));
    const line = this.#line - this.#row.length + 1;
    this.#row = [];
    return attempt({ text, fields, cells, line }, () => {
      const source = new Source(row, this.#options.shape);
      refuseLong(source);
      if (found === undefined)
        throw source.error("bad-board", 'a quoted field is not closed; expected "');
      if (found.length !== columns.length) {
        throw source.error(
          "bad-board",
          `${found.length} columns, and ${columns.length} in the header; expected as many, and quotes around a board with commas`,
        );
      }
      const named = cells[turn]?.trim() ?? "";
      if (named !== "" && turnOf(named) === undefined) {
        throw source.error("other-turn", `turn is ${quoted(named)}; expected slider or placer`);
      }
      return readBoard(text, { ...this.#options, turn: turnOf(named) ?? this.#options.turn });
    });
  }
}

function attempt(lines: BoardRecordLines, read: () => BoardText): BoardRecord {
  try {
    return { ...lines, read: read() };
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    return { ...lines, error };
  }
}

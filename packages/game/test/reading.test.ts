import { readFileSync } from "node:fs";
import {
  type Board,
  BoardReader,
  type BoardRecord,
  cellCount,
  drawBoard,
  exponentOf,
  findFault,
  formatBoard,
  formatShape,
  GameError,
  MAX_TEXT,
  parseOrder,
  parseShape,
  parseTiles,
  ReadingError,
  type ReadOptions,
  readBoard,
  type Turn,
  VALUES_NOTE,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyBoard, errorOf } from "./boards.js";

const PAGE = readFileSync(new URL("../../../docs/notation.md", import.meta.url), "utf8");

/** Boards that are legal with either player to move. */
const legal = anyBoard.filter((board) => findFault(board, "slider") === undefined);
const turns = fc.constantFrom<Turn>("slider", "placer");

/** Reads all boards of a text. */
function readBoards(text: string, options: ReadOptions = {}): BoardRecord[] {
  const reader = new BoardReader(options);
  const records = text.split(/\r\n|\n|\r/).flatMap((line) => reader.push(line));
  return [...records, ...reader.end()];
}

/** Returns the cells of the rows of the page's table that has a heading. */
function tableOf(heading: string): string[][] {
  const lines = PAGE.split("\n");
  const rows: string[][] = [];
  for (let at = lines.indexOf(heading) + 2; lines[at]?.startsWith("|"); at++) {
    const cells = (lines[at] as string).split(/(?<!\\)\|/).slice(1, -1);
    rows.push(cells.map((cell) => contentOf(cell.trim())));
  }
  return rows;
}

/** Returns the text that a cell shows, without its backticks. */
function contentOf(cell: string): string {
  const text = /^`.*`$/.test(cell) ? cell.slice(1, -1) : cell;
  return text.replaceAll("\\|", "|").replaceAll("⏎", "\n").replaceAll("⇥", "\t");
}

function optionsOf(text: string): ReadOptions {
  const [name, value = ""] = text.split(" ");
  if (name === "--shape") return { shape: parseShape(value) };
  if (name === "--order") return { order: parseOrder(value) };
  return name === "--exponents" ? { exponents: true } : {};
}

/** Returns a board's rows, each cell as a text. */
function rowsOf(board: Board, cellText: (tile: number) => string): string[][] {
  const cells = board.cells.map(cellText);
  return Array.from({ length: board.rows }, (_, row) =>
    cells.slice(row * board.cols, (row + 1) * board.cols),
  );
}

type Writer = (board: Board, turn: Turn) => [string, ReadOptions?];

/** Writers of the formats, and the options that their readers need. */
const WRITERS: Record<string, Writer> = {
  notation: (board, turn) => [formatBoard(board, turn)],
  address: (board, turn) => [formatBoard(board, turn).replaceAll(" ", "_")],
  semicolons: (board, turn) => [
    `${rowsOf(board, String)
      .map((row) => `${row.join(",")};`)
      .join(" ")} ${turn}`,
  ],
  bars: (board, turn) => [
    `${rowsOf(board, String)
      .map((row) => row.join("\t"))
      .join("|")}${board.rows === 1 ? "|" : ""} ${turn}`,
  ],
  marks: (board, turn) => [
    `${rowsOf(board, (tile) => (tile ? String(tile) : "-"))
      .map((row) => `${row.join(" ")}/`)
      .join("")} ${turn}`,
  ],
  grid: (board, turn) => [
    `${rowsOf(board, (tile) => (tile ? String(tile) : " "))
      .map((row) => `${"+--".repeat(row.length)}+\n| ${row.join(" | ")} |`)
      .join("\n")}\n${"+--".repeat(board.cols)}+ ${turn}`.replace(/ (\w+)$/, "\n$1"),
  ],
  drawing: (board, turn) => [`${drawBoard(board)} ${turn}`, { shape: board }],
  list: (board, turn) => [`${board.cells.join(" ")} ${turn}`, { shape: board }],
  json: (board, turn) => [
    `${JSON.stringify(rowsOf(board, String).map((row) => row.map(Number)))} ${turn}`,
  ],
  numpy: (board, turn) => [
    `[${rowsOf(board, String)
      .map((row) => `[${row.join(" ")}]`)
      .join("\n ")}] ${turn}`,
  ],
  object: (board, turn) => [JSON.stringify({ id: 7, board: formatBoard(board), turn })],
  exponents: (board, turn) => [
    `${rowsOf(board, (tile) => String(exponentOf(tile)))
      .map((row) => `${row.join(" ")}/`)
      .join("")} ${turn}`,
    { exponents: true },
  ],
};

/** Writes a board of at most 4×4 in hexadecimal digits, with walls below it and to its right. */
function codeOf(board: Board): string {
  const row = (cells: string[]) => cells.join("").padEnd(4, "f");
  return rowsOf(board, (tile) => exponentOf(tile).toString(16))
    .map(row)
    .join("")
    .padEnd(16, "f");
}

describe("docs/notation.md", () => {
  const formats = tableOf("| format | text | options | board |");
  const errors = tableOf("| text | options | code | reason |");

  it("has all formats and errors", () => {
    expect(formats.length).toBeGreaterThan(20);
    expect(errors.length).toBeGreaterThan(30);
  });

  it.each(formats)("reads %s: %j %s", (_, text = "", options = "", board) => {
    const read = readBoard(text, optionsOf(options));
    expect(formatBoard(read.board, read.turn)).toBe(board);
    expect(read.shape).toEqual({ rows: read.board.rows, cols: read.board.cols });
  });

  it.each(errors)("refuses %j %s with %s", (text = "", options = "", code, reason) => {
    const error = errorOf(() => readBoard(text, optionsOf(options)));
    expect(error).toBeInstanceOf(ReadingError);
    expect(error).toMatchObject({ code });
    expect(error.message.startsWith(`${reason}\n`)).toBe(true);
    // The example at the end is a board that can be read.
    const example = error.message.split("a board of this kind: ")[1] as string;
    expect(formatBoard(readBoard(example).board)).toBe(example);
  });

  it("shows an error as it is printed", () => {
    const shown = errorOf(() => readBoard("2 0 0/0 3 16")).message;
    expect(PAGE).toContain(`\`\`\`text\n${shown}\n\`\`\``);
  });
});

describe("every format", () => {
  it.each(Object.keys(WRITERS))("is read as it was written: %s", (name) => {
    fc.assert(
      fc.property(legal, turns, (board, turn) => {
        fc.pre(findFault(board, turn) === undefined);
        const write = WRITERS[name] as Writer;
        const [text, options] = write(board, turn);
        const read = readBoard(text, options);
        expect(read).toMatchObject({ board, turn });
        // A reader of several boards finds the same one.
        const [record, ...more] = readBoards(`${text}\n`, options);
        expect(more).toEqual([]);
        expect(record?.read).toEqual(read);
      }),
    );
  });

  it("reads hexadecimal digits in both orders", () => {
    const small = legal.filter(({ rows, cols }) => rows <= 4 && cols <= 4);
    fc.assert(
      fc.property(small, (board) => {
        const code = codeOf(board);
        expect(readBoard(code)).toMatchObject({ board });
        expect(readBoard(code, { order: "high" }).notes).toEqual([]);
        const turned = [...code].reverse().join("");
        expect(readBoard(`0x${turned}`, { order: "low" }).board).toEqual(board);
      }),
    );
  });

  it("reads saved games, with their score in a note", () => {
    const square = legal.filter(({ rows, cols }) => rows === cols);
    fc.assert(
      fc.property(square, (board) => {
        const cells = Array.from({ length: board.cols }, (_, x) =>
          Array.from({ length: board.rows }, (_, y) => {
            const value = board.cells[y * board.cols + x];
            return value ? { position: { x, y }, value } : null;
          }),
        );
        const saved = { grid: { size: board.rows, cells }, score: 20, over: false, won: false };
        const read = readBoard(JSON.stringify(saved, null, 2));
        expect(read).toMatchObject({ board, turn: "slider" });
        expect(read.notes).toEqual([expect.stringContaining("20 points so far")]);
      }),
    );
  });
});

describe("any text", () => {
  const words = fc.constantFrom(
    ...["0", "1", "2", "4", "8", "16", "3", "64", "·", ".", "_", "-", "x", "2_0", "placer"],
    ...[
      "/",
      ";",
      "|",
      "+-",
      ",",
      "\t",
      "\n",
      " ",
      " ",
      "[",
      "]",
      "{",
      '"',
      "0x",
      "f",
      "2x3",
      "\u001b[1m",
    ],
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 24 }).map((all) => all.join("")),
  );

  it("is one legal board or an error, and never two boards", () => {
    fc.assert(
      fc.property(texts, (text) => {
        let board: Board;
        try {
          const read = readBoard(text);
          expect(findFault(read.board, read.turn)).toBeUndefined();
          board = read.board;
        } catch (error) {
          expect(error).toBeInstanceOf(GameError);
          const characters = [...(error as Error).message];
          expect(characters.filter((character) => character < " " && character !== "\n")).toEqual(
            [],
          );
          return;
        }
        // The shape that was found reads the same board.
        expect(readBoard(text, { shape: board }).board).toEqual(board);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("numbers", () => {
  it("are tiles where they can be, with a note if they could be exponents", () => {
    expect(readBoard("2 0/0 4").notes).toEqual([VALUES_NOTE]);
    expect(readBoard("2 0/0 16").notes).toEqual([]);
    expect(readBoard("0 0/0 0").notes).toEqual([]);
    expect(readBoard("2 0/0 4", { exponents: false }).notes).toEqual([]);
    expect(readBoard("1 0/0 4").notes).toEqual([expect.stringContaining("read as exponents")]);
    expect(errorOf(() => readBoard("1 0/0 4", { exponents: false })).code).toBe("bad-tile");
  });
});

describe("errors", () => {
  it("mark the place, in lines that are cleaned and cut", () => {
    const error = errorOf(() => readBoard("2 0\n0 \u001b]0x")) as ReadingError;
    expect(error.message).not.toContain("\u001b");
    const long = errorOf(() => readBoard(`${"2 ".repeat(100)}oops/0`)) as ReadingError;
    const [, shown = "", caret = ""] = long.message.split("\n");
    expect(shown.length).toBeLessThan(80);
    expect(shown.slice(caret.indexOf("^"))).toMatch(/^oops/);
    const { message } = errorOf(() => readBoard("2 0\n0 y"));
    expect(message.split("\n").slice(1, 3)).toEqual(["  0 y", "    ^"]);
  });

  it.each<[string, (long: string) => unknown]>([
    ["a word", readBoard],
    ["rows", (long) => readBoard(`${long.replaceAll("x", "2 0/")}0`)],
    ["a row among others", (long) => readBoard(`0/${long.replaceAll("x", "2 ")}/0/0`)],
    ["two boards", (long) => readBoard(`${long}/\n${long}/`)],
    ["a cell of an address", (long) => readBoard(`2_${long}`)],
    ["an array", (long) => readBoard(`[[2,0],[${long}]]`)],
    ["a field", (long) => readBoard(JSON.stringify({ board: "2 0/0 4", shape: [long] }))],
    ["a turn", (long) => readBoard(JSON.stringify({ board: "2 0/0 4", turn: long }))],
    ["a text that is too long", (long) => readBoard(long.repeat(10))],
    ["a shape", parseShape],
    ["tiles", parseTiles],
    ["an order", parseOrder],
  ])("repeat at most 80 characters of a line: %s", (_, read) => {
    const { message } = errorOf(() => read("x".repeat(10_000)));
    for (const line of message.split("\n")) expect(line.length).toBeLessThan(300);
    expect(message.split("\n").length).toBeLessThan(8);
    expect(message).not.toMatch(/x{81}|(2 0\/){21}/);
  });

  it("show rows of unequal length", () => {
    const { message } = errorOf(() => readBoard("2 0 0\n0 4\n0 0 0"));
    expect(message).toContain("\n  2 0 0\n  0 4\n  ^^^\n  0 0 0\n");
  });
});

describe("texts of several boards", () => {
  const boardsIn = (records: readonly BoardRecord[]) =>
    records.map(({ read, error }) => (read ? formatBoard(read.board, read.turn) : error?.code));

  it("are divided at empty lines and at lines with separators", () => {
    const text =
      "\n2 0\n0 4\n\n2 0/0 8\n2 2\n0 0 placer\n4 4\n0 0\n[[2,0],\n [0,2]]\n123f010f200fffff\n";
    const records = readBoards(text);
    expect(boardsIn(records)).toEqual([
      ...["2 0/0 4", "2 0/0 8", "2 2/0 0 placer", "4 4/0 0", "2 0/0 2", "2 4 8/0 2 0/4 0 0"],
    ]);
    expect(records.map(({ line }) => line)).toEqual([2, 5, 6, 8, 10, 12]);
  });

  it("may be grids, divided by empty lines, two rulings, turns or the rows of the shape", () => {
    const drawing = "+--+--+\n|2 |  |\n+--+--+\n|  | 4|\n+--+--+\n";
    const markdown = "| 2 | 2 |\n|---|---|\n| 0 | 0 |\n";
    const text = `${drawing}${drawing}placer\n${markdown}\n4|0\n0|4 placer\n2 0|0 8\n2|0\n0|2\n2 0/0 16`;
    const boards = ["2 0/0 4", "2 0/0 4 placer", "2 2/0 0", "4 0/0 4 placer", "2 0/0 8", "2 0/0 2"];
    const records = readBoards(text);
    expect(boardsIn(records)).toEqual([...boards, "2 0/0 16"]);
    expect(records.map(({ line }) => line)).toEqual([1, 6, 12, 16, 18, 19, 21]);
    const shape = parseShape("2x2");
    const packed = readBoards(`${markdown.repeat(2)}2|0\n0|8\n2|0\n0|2\n|2|0|0|4|\n`, { shape });
    expect(boardsIn(packed)).toEqual(["2 2/0 0", "2 2/0 0", "2 0/0 8", "2 0/0 2", "2 0/0 4"]);
  });

  it("contain errors beside boards", () => {
    const records = readBoards("2 0/0 4\noops\n2 0/0 8\n2 0 0\n0 4\n\n2 2/0 0");
    expect(boardsIn(records)).toEqual([
      "2 0/0 4",
      "bad-board",
      "2 0/0 8",
      "ragged-board",
      "2 2/0 0",
    ]);
    expect(records[3]).toMatchObject({ text: "2 0 0\n0 4", line: 4 });
  });

  it.each([
    ["a line", "", "2 0/", "0 4/"],
    ["a row of a table", "board,x\n", "2 0/0 4,", "x,,"],
    ["a quoted field", "board,x\n", '2 0/0 4,"', `${"x".repeat(2047)}\n`],
    ["open brackets", "", '{"x":1\n', ',"x":1\n'],
  ])("refuse what is too long, and nothing else: %s", (_, head, begin, more) => {
    const long = begin + more.repeat(MAX_TEXT / more.length);
    const records = readBoards(
      `${head}2 0/0 4,\n${long}\n2 2/0 0,`.replaceAll(/,$/gm, head && ","),
    );
    expect(boardsIn(records.slice(0, 2))).toEqual(["2 0/0 4", "bad-board"]);
    expect(records[1]?.error?.message).toMatch(/^the text is too long; expected at most 65536/);
    expect(boardsIn(records).at(-1)).toBe("2 2/0 0");
  });

  it("need no empty lines if the shape is given", () => {
    const shape = parseShape("2x2");
    expect(boardsIn(readBoards("2 0\n0 4\n2 2\n0 0\n2 0 0 8\n", { shape }))).toEqual([
      ...["2 0/0 4", "2 2/0 0", "2 0/0 8"],
    ]);
    expect(boardsIn(readBoards("2 0 4\n2 2 0\n", { shape: parseShape("1x3") }))).toEqual([
      ...["2 0 4/", "2 2 0/"],
    ]);
  });

  it("keep other fields of JSON objects", () => {
    const text =
      '{"id":12345678901234567890,"board":"2 0/0 4","turn":"placer","2":[1.0, {"a,]":"\\"\\u00e9"}],"1":-0}';
    const [first, second] = readBoards(`${text}\n{"id":\n  [1,\n   2]}\n`);
    expect(first).toMatchObject({ text: "2 0/0 4", read: { turn: "placer" } });
    expect([...(first?.fields ?? [])]).toEqual([
      ["id", "12345678901234567890"],
      ["2", '[1.0, {"a,]":"\\"\\u00e9"}]'],
      ["1", "-0"],
    ]);
    expect(second).toMatchObject({
      fields: new Map([["id", "[1,2]"]]),
      error: { code: "bad-json" },
    });
  });

  it("keep any field of a JSON object as it was written", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (object, isPretty) => {
        const all = { ...object, board: "2 0/0 4" };
        const [record, ...more] = readBoards(JSON.stringify(all, undefined, isPretty ? 1 : 0));
        expect(more).toEqual([]);
        const { board: _, turn: __, ...others } = object;
        if ("grid" in object) return; // a saved game has other fields of its own
        const written = [...(record?.fields ?? [])].map(([name, json]) => {
          return [name, isPretty ? JSON.stringify(JSON.parse(json)) : json];
        });
        expect(written).toEqual(
          Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)]),
        );
      }),
    );
  });

  it("may be tables", () => {
    const reader = new BoardReader();
    const lines = [
      ...["id,board,turn,note", '1,2 0/0 4,,"a ""b"""', '2,"2,0', '0,4",placer,x', "3,2 0/0 4", ""],
      ...["4,2 0/0 4,me,"],
    ];
    const records = [...lines.flatMap((line) => reader.push(line)), ...reader.end()];
    expect(reader.columns).toEqual(["id", "board", "turn", "note"]);
    expect(boardsIn(records)).toEqual([
      ...["2 0/0 4", "2 0/0 4 placer", "bad-board", "other-turn"],
    ]);
    expect(records.map(({ line }) => line)).toEqual([2, 3, 5, 7]);
    expect(records[0]?.fields).toEqual(new Map(Object.entries({ id: '"1"', note: '"a \\"b\\""' })));
    expect(records[1]?.cells).toEqual(["2", "2,0\n0,4", "placer", "x"]);
  });

  it.each([
    ["a byte order mark", "\ufeffid,board\n1,2 0/0 4", ["2 0/0 4"]],
    ["one before JSON", '\ufeff{"board":"2 0/0 4"}', ["2 0/0 4"]],
    ["the delimiter", '"sep=;"\nid;a,b;board\n1;1,2;2,0/0,4', ["2 0/0 4"]],
    ["names without board", "id,position\n1,2 0/0 4", ["no-board", "ragged-board"]],
    ["names without board, in quotes", '"id";"value of x"\n2 0/0 4', ["no-board", "2 0/0 4"]],
    ["a row of marks", "x,x,2\n0,4,0 placer", ["0 0 2/0 4 0 placer"]],
  ])("may begin with %s", (_, text, expected) => {
    expect(boardsIn(readBoards(text))).toEqual(expected);
  });

  it("are refused at once in UTF-16", () => {
    for (const mark of ["", "\ufeff"]) {
      const text = Buffer.from(`${mark}2 0/0 4\n`, "utf16le").toString();
      expect(errorOf(() => readBoards(text)).message).toMatch(/^the text is UTF-16/);
    }
  });

  it("are read alike in one piece and line by line", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(legal, turns), { maxLength: 5 }), (nodes) => {
        const whole = nodes.filter(([board, turn]) => findFault(board, turn) === undefined);
        const texts = whole.map(([board, turn], i) =>
          i % 2 === 0 || cellCount(board) === board.cols
            ? formatBoard(board, turn)
            : `${drawBoard(board)} ${turn}`,
        );
        const boards = readBoards(texts.join("\n")).map(({ read }) => read?.board);
        expect(boards).toEqual(whole.map(([board]) => board));
        expect(boards.map((board) => board && formatShape(board)).length).toBe(whole.length);
      }),
    );
  });
});

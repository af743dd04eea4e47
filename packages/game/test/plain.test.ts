import {
  type BoardText,
  formatBoard,
  GameError,
  type GameErrorCode,
  type ReadOptions,
  readBoard,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** Returns the board that a text is, or the code of the error. */
function outcome(text: string, options: ReadOptions): BoardText | GameErrorCode {
  try {
    return readBoard(text, options);
  } catch (error) {
    if (error instanceof GameError) return error.code;
    throw error;
  }
}

/** Compares a text with the same text and a blank, which the general reader reads. */
function expectSame(text: string, options: ReadOptions): void {
  expect(outcome(text, options), text).toEqual(outcome(`${text} `, options));
}

/** Yields all boards of a shape with some tiles. */
function* boardsOf(rows: number, cols: number, tiles: readonly number[]) {
  for (let number = 0; number < tiles.length ** (rows * cols); number++) {
    const cells = Array.from(
      { length: rows * cols },
      (_, cell) => tiles[Math.floor(number / tiles.length ** cell) % tiles.length] as number,
    );
    yield { rows, cols, cells };
  }
}

const OPTIONS: readonly ReadOptions[] = [
  {},
  { shape: { rows: 2, cols: 2 } },
  { shape: { rows: 3, cols: 2 }, turn: "slider" },
  { turn: "placer" },
  { exponents: true },
  { exponents: false },
];

describe("a board as programs write it", () => {
  it("is read as the general reader reads it: all boards of 2x2, and of 2x3 with three tiles", () => {
    const boards = [...boardsOf(2, 2, [0, 2, 4, 8, 16, 32]), ...boardsOf(2, 3, [0, 4, 64])];
    boards.forEach((board, i) => {
      const text = formatBoard(board, i % 3 === 0 ? "placer" : "slider");
      const options = OPTIONS[i % OPTIONS.length] as ReadOptions;
      expectSame(i % 2 === 0 ? text : text.replaceAll(" ", "_"), options);
    });
  });

  it("is told from what is like one", () => {
    const word = fc.constantFrom("0", "2", "4", "02", "3", "16", "4096", "65536", "1234567890", "");
    const end = fc.constantFrom("", "", " placer", "_slider", " Placer", "/", " ", "_", "\n");
    const texts = fc
      .tuple(fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 3 }), end)
      .chain(([rows, last]) =>
        fc.constantFrom(" ", "_", "  ", ",").map((gap) => {
          return rows.map((row) => row.join(gap)).join("/") + last;
        }),
      );
    fc.assert(
      fc.property(texts, fc.constantFrom(...OPTIONS), (text, options) => expectSame(text, options)),
      { numRuns: 3000 },
    );
  });
});

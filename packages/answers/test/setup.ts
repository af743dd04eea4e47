import { join } from "node:path";
import { parseBoard, type Tiles } from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import { tabulate } from "@gridlock/tablebase";
import { beginSolves, temporaryFolder } from "@gridlock/testbed";
import { onTestFinished } from "vitest";
import { Library, type LibraryOptions, type Query } from "../src/index.js";

/** Seconds that no search of these tests needs. */
const BUDGET = 100;

/** A query of a board, as the command takes it. */
export function query(text: string, tiles: Tiles = [2, 4]): Query {
  return { ...parseBoard(text), tiles, budget: BUDGET };
}

/** A new database file for the running test. */
export function freshFile(): string {
  return join(temporaryFolder(), "test.db");
}

/** A new database file for the running test, in which solves of these shapes have begun. */
export function begunFile(...shapes: readonly string[]): string {
  const file = freshFile();
  beginSolves(file, ...shapes);
  return file;
}

/** A library that searches, and does not know the published values; its warnings are errors. */
export function makeLibrary(db: string, options: Partial<LibraryOptions> = {}): Library {
  return new Library({
    db,
    published: false,
    tableBytes: (game) => tableLimits(game, 1).least + 2 ** 22,
    warn: (sentence) => {
      throw new Error(sentence);
    },
    ...options,
  });
}

/** The same, until the running test ends. */
export function openLibrary(db: string, options: Partial<LibraryOptions> = {}): Library {
  const library = makeLibrary(db, options);
  onTestFinished(() => library[Symbol.dispose]());
  return library;
}

/** Tabulates a game beside a database. */
export async function tabulateBeside(db: string, text: string): Promise<void> {
  const shape = parseBoard(text).board;
  const game = { shape: { rows: shape.rows, cols: shape.cols }, tiles: [2, 4] } as const;
  await tabulate(game, undefined, { threads: 1, memory: 2 ** 26, db });
}

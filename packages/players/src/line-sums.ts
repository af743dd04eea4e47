import { type Shape, tileOf } from "@gridlock/game";
import { CHANCES, type Horizon } from "./boards.js";
import { forLines, type HorizonMaker, LineBoards } from "./lines.js";
import type { Cells } from "./player.js";

/** A heuristic that is a sum over the rows and columns of a board. */
export interface LineTerms {
  /** Returns the contribution of a row; `tiles` has 0 for empty cells. */
  row(index: number, tiles: readonly number[]): number;
  /** Returns the contribution of a column. */
  col(index: number, tiles: readonly number[]): number;
  /**
   * Returns the contribution of the largest tiles' places; placing a smaller tile does not change
   * it.
   */
  largest?(isLargest: (row: number, col: number) => boolean): number;
}

/** Returns a function that makes a heuristic on the boards of a search. */
export function horizonOf(terms: LineTerms): HorizonMaker {
  return (boards) => {
    if (boards instanceof LineBoards) return new LineSums(boards, terms);
    const heuristic = heuristicOf(boards, terms);
    return { value: (at) => heuristic(boards.frames[at] as Cells) };
  };
}

/** Returns the heuristic of a board that is not kept as lines. */
export function heuristicOf({ rows, cols }: Shape, terms: LineTerms): (cells: Cells) => number {
  const tiles = new Array<number>(rows * cols).fill(0);
  const [inRow, inCol] = [new Array<number>(cols).fill(0), new Array<number>(rows).fill(0)];
  return (cells) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        const cell = row * cols + col;
        inRow[col] = tiles[cell] = tileOf(cells[cell] as number);
      }
      sum += terms.row(row, inRow);
    }
    for (let col = 0; col < cols; col++) {
      for (let row = 0; row < rows; row++) inCol[row] = tiles[row * cols + col] as number;
      sum += terms.col(col, inCol);
    }
    if (terms.largest === undefined) return sum;
    const largest = Math.max(...tiles);
    return sum + terms.largest((row, col) => tiles[row * cols + col] === largest);
  };
}

/** Placed tiles have exponents 1 and 2. */
const LARGEST_PLACED = 2;

/**
 * For each line its contribution, at even indices, and after it the change by placements: the sum
 * over its empty cells of 0.9 times the change by a 2 there and 0.1 times that by a 4.
 */
type LineTable = Float64Array;

/** A heuristic of sums over lines, looked up in tables. */
class LineSums implements Horizon {
  readonly #boards: LineBoards;
  /** The tables of the lines of a frame, in their order there. */
  readonly #tables: readonly LineTable[];
  readonly #largest: LineTerms["largest"];

  constructor(boards: LineBoards, terms: LineTerms) {
    this.#boards = boards;
    const rows = Array.from({ length: boards.rows }, (_, row) =>
      tableOf(boards.cols, (tiles) => terms.row(row, tiles)),
    );
    const cols = Array.from({ length: boards.cols }, (_, col) =>
      tableOf(boards.rows, (tiles) => terms.col(col, tiles)),
    );
    this.#tables = shared([...rows, ...cols]);
    this.#largest = terms.largest?.bind(terms);
  }

  value(at: number): number {
    const { lines, width } = this.#boards;
    let sum = 0;
    for (let i = 0; i < width; i++) {
      sum += (this.#tables[i] as LineTable)[2 * (lines[at + i] as number)] as number;
    }
    return this.#largest ? sum + this.#places(at) : sum;
  }

  sum(at: number, empty: number): number | undefined {
    if (this.#mayBecomeLargest(at)) return undefined;
    const { lines, width } = this.#boards;
    let added = 0;
    for (let i = 0; i < width; i++) {
      added += (this.#tables[i] as LineTable)[2 * (lines[at + i] as number) + 1] as number;
    }
    return empty * this.value(at) + added;
  }

  least(at: number, enough: number): number | undefined {
    if (this.#mayBecomeLargest(at)) return undefined;
    const { lines, rows, cols } = this.#boards;
    const own = this.value(at);
    let least = Number.POSITIVE_INFINITY;
    for (let row = 0; row < rows; row++) {
      const line = lines[at + row] as number;
      const rowTable = this.#tables[row] as LineTable;
      for (let col = 0; col < cols; col++) {
        if (((line >>> (4 * col)) & 15) !== 0) continue;
        const column = lines[at + rows + col] as number;
        const colTable = this.#tables[rows + col] as LineTable;
        const others = own - (rowTable[2 * line] as number) - (colTable[2 * column] as number);
        for (let exponent = 1; exponent <= LARGEST_PLACED; exponent++) {
          const worth =
            others +
            (rowTable[2 * (line | (exponent << (4 * col)))] as number) +
            (colTable[2 * (column | (exponent << (4 * row)))] as number);
          if (worth < least) least = worth;
          if (worth <= enough) return worth;
        }
      }
    }
    return least;
  }

  /** Returns whether a placed tile may change the contribution of the largest tiles' places. */
  #mayBecomeLargest(at: number): boolean {
    return this.#largest !== undefined && this.#boards.largest(at) <= LARGEST_PLACED;
  }

  #places(at: number): number {
    const { lines } = this.#boards;
    const largest = this.#boards.largest(at);
    const isLargest = (row: number, col: number) =>
      (((lines[at + row] as number) >>> (4 * col)) & 15) === largest;
    return this.#largest?.(isLargest) ?? 0;
  }
}

function tableOf(cells: number, worth: (tiles: readonly number[]) => number): LineTable {
  const table = new Float64Array(2 ** (4 * cells + 1));
  const tiles = new Array<number>(cells).fill(0);
  forLines(cells, (line, exponents) => {
    for (let i = 0; i < cells; i++) tiles[i] = tileOf(exponents[i] as number);
    table[2 * line] = worth(tiles);
  });
  for (let line = 0; line < table.length / 2; line++) {
    let added = 0;
    for (let cell = 0; cell < cells; cell++) {
      if (((line >>> (4 * cell)) & 15) !== 0) continue;
      for (const [exponent, chance] of CHANCES) {
        const after = table[2 * (line | (exponent << (4 * cell)))] as number;
        added += chance * (after - (table[2 * line] as number));
      }
    }
    table[2 * line + 1] = added;
  }
  return table;
}

/** Replaces tables by the first of equal ones, since memory close to the processor is scarce. */
function shared(tables: readonly LineTable[]): LineTable[] {
  const bytes = (table: LineTable) => new Uint8Array(table.buffer);
  return tables.map(
    (table) => tables.find((other) => Buffer.compare(bytes(other), bytes(table)) === 0) ?? table,
  );
}

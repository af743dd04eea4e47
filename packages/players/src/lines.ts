import { type Shape, tileOf } from "@gridlock/game";
import { Boards, CellBoards, type Horizon } from "./boards.js";
import { ILLEGAL, type SlideRule, slideCells } from "./cell-rules.js";
import type { Cells } from "./player.js";

/*
 * Boards as lines, for searches that look at many. A line of up to four cells is one number with
 * four bits per cell, the first cell lowest, each holding the exponent of its tile. A board is kept
 * twice, as its rows and as its columns:
 *
 *     2 0 8        rows     0x301 0x020 0x100
 *     0 4 0   →    columns  0x001 0x020 0x103
 *     0 0 2
 *
 * A slide then looks each row (or column) up in a table, and the other half follows by
 * transposition. A frame holds the rows and then the columns of one board.
 */

/** The most cells of a line in the tables. */
const MOST_LINE = 4;

/** A tile of 2^16 does not fit, and no play makes one while the tiles sum to less. */
const LEAST_SUM_REFUSED = 2 ** 16;

/**
 * Returns whether all tiles fit lines, on a board and on all boards within a number of slides and
 * placements.
 */
export function fitsLines(cells: Cells, slides: number): boolean {
  let sum = 4 * slides;
  for (const tile of cells) if (tile !== 0) sum += 2 ** tile;
  return sum < LEAST_SUM_REFUSED;
}

/**
 * Slides of all lines of one length: toward the first cell, toward the last, and the points that
 * both earn.
 */
interface LineSlides {
  readonly toFirst: Uint16Array;
  readonly toLast: Uint16Array;
  readonly points: Int32Array;
}

/** For each line of up to four cells, its largest exponent, the number of tiles, and their sum. */
const LARGEST = new Uint8Array(2 ** (4 * MOST_LINE));
const TILES = new Uint8Array(2 ** (4 * MOST_LINE));
const SUMS = new Int32Array(2 ** (4 * MOST_LINE));
for (let line = 1; line < LARGEST.length; line++) {
  LARGEST[line] = Math.max(line & 15, LARGEST[line >>> 4] as number);
  TILES[line] = ((line & 15) === 0 ? 0 : 1) + (TILES[line >>> 4] as number);
  SUMS[line] = tileOf(line & 15) + (SUMS[line >>> 4] as number);
}

/** Boards as lines, for shapes of up to four rows and columns. */
export class LineBoards extends Boards {
  /** The frames, one after another. */
  readonly lines: Uint16Array;
  /** Numbers of a frame: first the rows, then the columns. */
  readonly width: number;
  readonly #rowSlides: LineSlides;
  readonly #colSlides: LineSlides;

  /** @param frames the number of frames */
  constructor(shape: Shape, slideRule: SlideRule, frames: number) {
    const { rows, cols } = shape;
    super(rows, cols);
    this.width = rows + cols;
    this.lines = new Uint16Array(frames * this.width);
    this.#rowSlides = slidesOfLines(cols, slideRule);
    this.#colSlides = rows === cols ? this.#rowSlides : slidesOfLines(rows, slideRule);
  }

  load(cells: Cells): void {
    for (let row = 0; row < this.rows; row++) {
      for (let col = 0; col < this.cols; col++) {
        this.put(0, row, col, cells[row * this.cols + col] as number);
      }
    }
  }

  isEmpty(at: number, row: number, col: number): boolean {
    return (((this.lines[at + row] as number) >>> (4 * col)) & 15) === 0;
  }

  put(at: number, row: number, col: number, exponent: number): void {
    this.#set(at + row, col, exponent);
    this.#set(at + this.rows + col, row, exponent);
  }

  #set(line: number, cell: number, exponent: number): void {
    const others = (this.lines[line] as number) & ~(15 << (4 * cell));
    this.lines[line] = others | (exponent << (4 * cell));
  }

  emptyCells(at: number): number {
    let empty = this.rows * this.cols;
    for (let i = 0; i < this.rows; i++) empty -= TILES[this.lines[at + i] as number] as number;
    return empty;
  }

  sumOfLine(at: number, line: number): number {
    return SUMS[this.lines[at + line] as number] as number;
  }

  largest(at: number): number {
    let largest = 0;
    for (let i = 0; i < this.rows; i++) {
      largest = Math.max(largest, LARGEST[this.lines[at + i] as number] as number);
    }
    return largest;
  }

  slide(at: number, direction: number): number {
    const { lines, rows, cols, width } = this;
    const isAlongRows = direction % 2 === 1;
    const slides = isAlongRows ? this.#rowSlides : this.#colSlides;
    const slid = direction < 2 ? slides.toFirst : slides.toLast;
    const count = isAlongRows ? rows : cols;
    const from = isAlongRows ? at : at + rows;
    const to = from + width;
    let points = 0;
    let changed = 0;
    for (let i = 0; i < count; i++) {
      const line = lines[from + i] as number;
      const after = slid[line] as number;
      points += slides.points[line] as number;
      changed |= line ^ after;
      lines[to + i] = after;
    }
    if (changed === 0) return ILLEGAL;
    // The lines across follow by transposition.
    const across = isAlongRows ? to + rows : to - rows;
    for (let j = 0; j < width - count; j++) {
      let line = 0;
      for (let i = count - 1; i >= 0; i--) {
        line = (line << 4) | (((lines[to + i] as number) >>> (4 * j)) & 15);
      }
      lines[across + j] = line;
    }
    return points;
  }
}

/** Makes a heuristic on the boards of a search. */
export type HorizonMaker = (boards: LineBoards | CellBoards) => Horizon;

/**
 * Makes a search on boards of cells and, if the shape has no long lines, a faster one on lines.
 * Returns a function that returns the one for a position from which the search looks some slides
 * ahead.
 *
 * @param mostSlides the most slides that any search looks ahead
 * @param slideRule the slides of the search; default: those of the game
 */
export function boardsFor<Search>(
  shape: Shape,
  mostSlides: number,
  make: (boards: LineBoards | CellBoards) => Search,
  slideRule: SlideRule = slideCells,
): (cells: Cells, slides: number) => Search {
  const frames = mostSlides + 2; // one for the root, one for slides that find a loss
  const plain = make(new CellBoards(shape, slideRule, frames));
  if (Math.max(shape.rows, shape.cols) > MOST_LINE) return () => plain;
  const fast = make(new LineBoards(shape, slideRule, frames));
  return (cells, slides) => (fitsLines(cells, slides) ? fast : plain);
}

/** Returns the number of the line with these exponents. */
function lineOf(exponents: ArrayLike<number>): number {
  let line = 0;
  for (let i = exponents.length - 1; i >= 0; i--) line = (line << 4) | (exponents[i] as number);
  return line;
}

/**
 * Calls `visit` with all lines of some cells, in ascending order, and their exponents, which the
 * next call overwrites.
 */
export function forLines(
  cells: number,
  visit: (line: number, exponents: Uint8Array) => void,
): void {
  const exponents = new Uint8Array(cells);
  for (let line = 0; line < 2 ** (4 * cells); line++) {
    for (let cell = 0; cell < cells; cell++) exponents[cell] = (line >>> (4 * cell)) & 15;
    visit(line, exponents);
  }
}

/**
 * Makes the slides of all lines of some cells. A line in which two tiles of 32,768 would merge does
 * not move, for their sum does not fit.
 */
function slidesOfLines(cells: number, slideRule: SlideRule): LineSlides {
  const shape = { rows: 1, cols: cells };
  const count = 2 ** (4 * cells);
  const toFirst = Uint16Array.from({ length: count }, (_, line) => line);
  const toLast = toFirst.slice();
  const points = new Int32Array(count);
  const after = new Uint8Array(cells);
  forLines(cells, (line, exponents) => {
    const earned = slideRule(shape, exponents, "left", after);
    if (after.some((exponent) => exponent > 15)) return;
    points[line] = Math.max(earned, 0);
    toFirst[line] = lineOf(after);
    slideRule(shape, exponents, "right", after);
    toLast[line] = lineOf(after);
  });
  return { toFirst, toLast, points };
}

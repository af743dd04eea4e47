import { type Board, rowsOf, sameBoard } from "./board.js";
import type { Shape } from "./shape.js";

/** A direction in which the slider can slide the board. */
export type Direction = "up" | "left" | "down" | "right";

/** All directions, in the order in which moves are listed. */
export const DIRECTIONS: readonly Direction[] = ["up", "left", "down", "right"];

/** A legal slide: the afterstate it leads to and the points it earns. */
export interface Slide {
  readonly direction: Direction;
  readonly board: Board;
  readonly score: number;
}

/**
 * Slides a line toward its first cell. Tiles move as far as they can; two equal tiles that meet
 * merge into one of their sum, which scores that sum and cannot merge again in the same slide.
 */
export function slideLine(line: readonly number[]): { line: number[]; score: number } {
  const slid = [...line];
  const score = slideCells(slid, [...line.keys()]);
  return { line: slid, score };
}

/**
 * Slides a line of a board in place.
 *
 * @param line its cells, starting at the wall that tiles slide toward
 * @returns the points that it earns
 */
function slideCells(cells: number[], line: readonly number[]): number {
  let score = 0;
  let slid = 0;
  /** The last tile that has slid, if it may merge with the next. */
  let last = 0;
  for (const cell of line) {
    const tile = cells[cell] as number;
    if (tile === 0) continue;
    cells[cell] = 0;
    if (tile === last) {
      cells[line[slid - 1] as number] = 2 * tile;
      score += 2 * tile;
      last = 0;
    } else {
      cells[line[slid++] as number] = tile;
      last = tile;
    }
  }
  return score;
}

/** The cells of each line, starting at the wall that tiles slide toward. */
type Lines = readonly (readonly number[])[];

/** The lines of each shape used so far, since every slide needs them. */
const linesOfShapes = new Map<number, Record<Direction, Lines>>();

/** Lists the cells of each line of a shape, starting at the wall that tiles slide toward. */
export function linesToward({ rows, cols }: Shape, direction: Direction): Lines {
  const name = 100 * rows + cols;
  let lines = linesOfShapes.get(name);
  if (lines === undefined) {
    const left = rowsOf({ rows, cols, cells: [...Array(rows * cols).keys()] });
    const up = Array.from({ length: cols }, (_, col) => left.map((row) => row[col] as number));
    const reversed = (lines: Lines) => lines.map((line) => line.toReversed());
    lines = { up, left, down: reversed(up), right: reversed(left) };
    linesOfShapes.set(name, lines);
  }
  return lines[direction];
}

/**
 * Slides the whole board in one direction. The slide is legal only if the board changes; otherwise
 * the result is `undefined`.
 */
export function slide(board: Board, direction: Direction): Slide | undefined {
  const cells = board.cells.slice();
  let score = 0;
  for (const line of linesToward(board, direction)) score += slideCells(cells, line);
  const slid = { rows: board.rows, cols: board.cols, cells };
  return sameBoard(slid, board) ? undefined : { direction, score, board: slid };
}

/** Lists the legal slides of a position, in the order of {@link DIRECTIONS}. */
export function slides(board: Board): Slide[] {
  return DIRECTIONS.map((direction) => slide(board, direction)).filter(
    (slid) => slid !== undefined,
  );
}

/** Returns whether a position is an end state: no slide is legal, and the game is over. */
export function isEnd(board: Board): boolean {
  return DIRECTIONS.every((direction) => slide(board, direction) === undefined);
}

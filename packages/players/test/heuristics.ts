import { type Shape, tileOf } from "@gridlock/game";
import type { Cells } from "../src/player.js";

/*
 * The heuristics cell by cell, as their sources describe them, with which the sums over lines are
 * compared.
 */

export type Heuristic = (cells: Cells) => number;

/** `Estimate`: four times the sum of the tiles, less the differences of neighbours, doubled. */
export function estimate({ rows, cols }: Shape, cells: Cells): number {
  const tiles = Array.from(cells, tileOf);
  let sum = 0;
  let penalty = 0;
  tiles.forEach((tile, i) => {
    sum += tile;
    if (i % cols !== cols - 1) penalty += Math.abs(tile - (tiles[i + 1] as number));
    if (i < (rows - 1) * cols) penalty += Math.abs(tile - (tiles[i + cols] as number));
  });
  return (sum * 4 - penalty) * 2;
}

/**
 * The masks of Sildnes and Leitner for the north-west and the north-east corner, row by row; those
 * of the opposite corners are their negatives.
 */
export function gradientMasks({ rows, cols }: Shape): [nw: number[], ne: number[]] {
  const top = (rows + cols - 2) / 2;
  const cells = Array.from({ length: rows * cols }, (_, i) => [Math.floor(i / cols), i % cols]);
  return [
    cells.map(([row = 0, col = 0]) => top - row - col),
    cells.map(([row = 0, col = 0]) => top - row - (cols - 1 - col)),
  ];
}

/** The largest sum of the tiles times a mask, over the masks of the four corners. */
export function gradient(shape: Shape, cells: Cells): number {
  const sums = gradientMasks(shape).map((mask) =>
    cells.reduce((sum, exponent, i) => sum + tileOf(exponent) * (mask[i] as number), 0),
  );
  return Math.max(...sums.map(Math.abs));
}

/** Zaky's H = A·E − B·D − C·P, and the parts that the program adds. */
export function zakyHeuristic(
  { rows, cols }: Shape,
  parts: ReadonlySet<string>,
  cells: Cells,
): number {
  const tiles = Array.from(cells, tileOf);
  const largest = Math.max(...tiles);
  let [e, d, p, more] = [0, 0, 0, 0];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const cell = row * cols + col;
      const tile = tiles[cell] as number;
      if (tile === 0) {
        e++;
        continue;
      }
      p += tile * Math.min(row, rows - 1 - row, col, cols - 1 - col);
      const left = col > 0 ? (tiles[cell - 1] as number) : 0;
      const above = row > 0 ? (tiles[cell - cols] as number) : 0;
      if (left > 0 && !(parts.has("inner") && row === 0)) d += Math.abs(tile - left);
      if (above > 0 && !(parts.has("inner") && col === 0)) d += Math.abs(tile - above);
      if (parts.has("sum")) more += tile;
      if (tile < largest) continue;
      const borders = [row === 0 || row === rows - 1, col === 0 || col === cols - 1].filter(
        Boolean,
      ).length;
      if (borders === 2 && parts.has("corner")) more += 4096;
      if (borders === 1 && parts.has("edge")) more += 2048;
    }
  }
  return 4096 * e - 10 * d - 10 * p + more;
}

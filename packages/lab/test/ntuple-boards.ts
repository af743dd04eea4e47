import { type Board, cellCount, type Shape, seededRandom } from "@gridlock/game";
import { Network } from "@gridlock/players";
import fc from "fast-check";
import type { LearningBoard } from "../src/training/learning-board.js";

/** Every shape of at most 4×4, and some with longer lines. */
export const SHAPES: readonly Shape[] = [
  ...[1, 2, 3, 4].flatMap((rows) => [1, 2, 3, 4].map((cols) => ({ rows, cols }))),
  { rows: 2, cols: 5 },
  { rows: 6, cols: 2 },
  { rows: 1, cols: 9 },
].filter((shape) => cellCount(shape) > 1);

/** Cells of a shape with tiles of at most 2^13, small ones most often: two slides make no 2^16 of them. */
export function someCells(shape: Shape) {
  const exponent = fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 0, max: 13 }));
  const size = cellCount(shape);
  return fc.array(exponent, { minLength: size, maxLength: size });
}

/** A network with integers for weights, so that their sum is the same in any order. */
export function randomNetwork(shape: Shape, seed: number): Network {
  const network = new Network(shape);
  const random = seededRandom(seed);
  network.weights.forEach((_, i) => {
    network.weights[i] = Math.floor(1000 * random()) - 500;
  });
  return network;
}

/** Puts these cells on a board. */
export function fill(board: LearningBoard, cells: readonly number[]): void {
  board.clear();
  let empty = 0;
  for (const exponent of cells) {
    if (exponent === 0) empty++;
    else board.place(empty, exponent);
  }
}

/** Returns the board of these cells. */
export function boardOf(shape: Shape, cells: readonly number[]): Board {
  return { ...shape, cells: cells.map((exponent) => (exponent === 0 ? 0 : 2 ** exponent)) };
}

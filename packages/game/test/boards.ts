import { type Board, GameError, type Shape } from "@gridlock/game";
import fc from "fast-check";

/**
 * Every shape of 2 to 16 cells with no more rows than columns, and 3×2 and 4×3 for the other way.
 */
export const SHAPES: readonly Shape[] = [
  ...[2, 3, 4, 5, 8, 12, 16].map((cols) => ({ rows: 1, cols })),
  ...[2, 3, 4, 5, 6, 7, 8].map((cols) => ({ rows: 2, cols })),
  ...[3, 4, 5].map((cols) => ({ rows: 3, cols })),
  { rows: 4, cols: 4 },
  { rows: 3, cols: 2 },
  { rows: 4, cols: 3 },
];

/** Boards of any shape with any contents, small tiles more often so that they meet. */
export const anyBoard: fc.Arbitrary<Board> = fc.constantFrom(...SHAPES).chain(({ rows, cols }) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(0, 0, 2, 4, 8),
        fc.integer({ min: 1, max: 15 }).map((k) => 2 ** k),
      ),
      {
        minLength: rows * cols,
        maxLength: rows * cols,
      },
    )
    .map((cells) => ({ rows, cols, cells })),
);

/** Returns the {@link GameError} that an action is expected to throw. */
export function errorOf(action: () => unknown): GameError {
  try {
    action();
  } catch (error) {
    if (error instanceof GameError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

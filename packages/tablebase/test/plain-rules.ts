import { type Board, type Direction, emptyCells, packBoard, place, slides } from "@gridlock/game";

/** A value of a board in a state: with the slider to move, or with the placer to move. */
export type Value = (board: Board, state: number) => number;

/** A variant in plain code. */
export interface PlainRules {
  /** Returns the value of an afterstate, by that of positions. */
  afterstate(position: Value, board: Board, state: number): number;
  /** Returns whether the slider may use a direction. */
  allows?(direction: Direction): boolean;
  /** Returns the state after the slider passes, or `undefined` if it may not. */
  pass?(state: number): number | undefined;
}

/** Returns the value of positions under some rules, by recursion over raw boards. */
export function plainValue({ afterstate, allows = () => true, pass }: PlainRules): Value {
  const known = new Map<string, number>();
  const position: Value = (board, state) => {
    const key = `${packBoard(board)} ${state}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const values = slides(board)
      .filter(({ direction }) => allows(direction))
      .map(({ board: next, score }) => score + afterstate(position, next, state));
    const passed = pass?.(state);
    if (passed !== undefined && emptyCells(board).length > 0) {
      values.push(afterstate(position, board, passed));
    }
    const value = Math.max(0, ...values);
    known.set(key, value);
    return value;
  };
  return position;
}

/** Returns the values of the positions after a tile is placed in each empty cell. */
export function perCell(position: Value, board: Board, tile: number, state: number): number[] {
  return emptyCells(board).map((cell) => position(place(board, cell, tile).board, state));
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

import { type Board, emptyBoard, type Node, place } from "./board.js";
import { type PackedBoard, packBoard } from "./pack.js";
import { cellCount, normalShape, type Shape } from "./shape.js";
import { canonical } from "./symmetry.js";

/**
 * Lists the starts of a shape up to symmetry: two tiles, each 2 or 4, slider to move. A placer with
 * 2s only has the same starts, 4s included; only later placements change. Starts are ordered by
 * their tiles (2 2, then 2 4, then 4 4), then by packed board.
 */
export function starts(shape: Shape): Board[] {
  const empty = emptyBoard(normalShape(shape));
  const all: Board[] = [];
  for (const [first, second] of [
    [2, 2],
    [2, 4],
    [4, 4],
  ] as const) {
    const found = new Map<PackedBoard, Board>();
    for (let a = 0; a < cellCount(shape); a++) {
      for (let b = 0; b < cellCount(shape); b++) {
        if (a === b) continue;
        const start = canonical(place(place(empty, a, first).board, b, second).board);
        found.set(packBoard(start), start);
      }
    }
    const ascending = [...found].sort(([x], [y]) => (x < y ? -1 : 1));
    all.push(...ascending.map(([, board]) => board));
  }
  return all;
}

/** Returns whether a node is a start or an image of one: a position with two tiles, each 2 or 4. */
export function isStart({ board, turn }: Node): boolean {
  const tiles = board.cells.filter((tile) => tile !== 0);
  return turn === "slider" && tiles.length === 2 && tiles.every((tile) => tile === 2 || tile === 4);
}

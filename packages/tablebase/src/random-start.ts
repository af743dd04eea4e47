import {
  type Board,
  canonical,
  cellCount,
  emptyBoard,
  type Game,
  normalShape,
  type PackedBoard,
  packBoard,
  place,
} from "@gridlock/game";

/** A start of the ordinary game and how likely it is. */
export interface LikelyStart {
  readonly board: Board;
  readonly chance: number;
}

/** How likely the tiles of the ordinary game are, which has 4s only where the placer has them. */
export function tileChances({ tiles }: Game): readonly (readonly [tile: number, chance: number])[] {
  return tiles.length === 2
    ? [
        [2, 0.9],
        [4, 0.1],
      ]
    : [[2, 1]];
}

/**
 * The starts of the ordinary game up to symmetry, with their chances: two tiles in two cells, all pairs of cells as
 * likely as each other.
 */
export function likelyStarts(game: Game): LikelyStart[] {
  const empty = emptyBoard(normalShape(game.shape));
  const cells = cellCount(game.shape);
  const found = new Map<PackedBoard, LikelyStart>();
  for (const [first, firstChance] of tileChances(game)) {
    for (const [second, secondChance] of tileChances(game)) {
      for (let a = 0; a < cells; a++) {
        for (let b = 0; b < cells; b++) {
          if (a === b) continue;
          const board = canonical(place(place(empty, a, first).board, b, second).board);
          const before = found.get(packBoard(board))?.chance ?? 0;
          const chance = before + (firstChance * secondChance) / (cells * (cells - 1));
          found.set(packBoard(board), { board, chance });
        }
      }
    }
  }
  return [...found.values()];
}

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

/** A start of the ordinary game and its probability. */
export interface LikelyStart {
  readonly board: Board;
  readonly chance: number;
}

const TWOS_AND_FOURS = [
  [2, 0.9],
  [4, 0.1],
] as const;
const TWOS = [[2, 1]] as const;

/**
 * Returns the probabilities of the tiles in the ordinary game, which has 4s only if the placer has
 * them.
 */
export function tileChances({ tiles }: Game): readonly (readonly [tile: number, chance: number])[] {
  return tiles.length === 2 ? TWOS_AND_FOURS : TWOS;
}

/**
 * Returns the starts of the ordinary game up to symmetry, with their probabilities: two tiles in
 * two cells, all pairs of cells equally likely.
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

import {
  type Board,
  CHANCE_OF_FOUR,
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
  [2, 1 - CHANCE_OF_FOUR],
  [4, CHANCE_OF_FOUR],
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
 * Returns all starts on a shape, images included: two tiles in two cells, each with its probability
 * in the ordinary game, which is 0 for those with a 4 that the placer does not have.
 */
export function allStarts(game: Game): LikelyStart[] {
  const empty = emptyBoard(game.shape);
  const cells = cellCount(game.shape);
  const chances = new Map(tileChances(game));
  const all: LikelyStart[] = [];
  for (const first of [2, 4]) {
    for (const second of [2, 4]) {
      const chance = (chances.get(first) ?? 0) * (chances.get(second) ?? 0);
      for (let a = 0; a < cells; a++) {
        for (let b = 0; b < cells; b++) {
          if (a === b) continue;
          const { board } = place(place(empty, a, first).board, b, second);
          all.push({ board, chance: chance / (cells * (cells - 1)) });
        }
      }
    }
  }
  return all;
}

/**
 * Returns the starts of the ordinary game up to symmetry, with their probabilities: two tiles in
 * two cells, all pairs of cells equally likely.
 */
export function likelyStarts(game: Game): LikelyStart[] {
  const found = new Map<PackedBoard, LikelyStart>();
  for (const start of allStarts({ ...game, shape: normalShape(game.shape) })) {
    if (start.chance === 0) continue;
    const board = canonical(start.board);
    const before = found.get(packBoard(board))?.chance ?? 0;
    found.set(packBoard(board), { board, chance: before + start.chance });
  }
  return [...found.values()];
}

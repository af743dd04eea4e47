import {
  applySymmetry,
  type Board,
  DIRECTIONS,
  emptyCells,
  type Game,
  packBoard,
  parseShape,
  placements,
  SYMMETRIES,
  slide,
  slides,
  type Tiles,
} from "@gridlock/game";
import { type Cells, type Choice, Grid, type Player, type Score } from "@gridlock/players";

/** A player's scores from boards on, by plain recursion over the rules of `game`, image by image. */
export class PlainScores {
  readonly #known = new Map<string, Score>();
  readonly #grid: Grid;

  constructor(
    readonly player: Player,
    readonly game: Game,
  ) {
    this.#grid = new Grid(game.shape);
  }

  position(board: Board): Score {
    const key = `${packBoard(board)}`;
    let score = this.#known.get(key);
    if (score === undefined) {
      score = this.#position(board);
      this.#known.set(key, score);
    }
    return score;
  }

  #position(board: Board): Score {
    if (slides(board).length === 0) return { expected: 0, heldTo: 0, heldToWorstTie: 0 };
    let [expected, heldTo, heldToWorstTie] = [0, 0, Number.POSITIVE_INFINITY];
    for (const { direction, probability } of this.player.choose(this.#grid.cells(board))) {
      const slid = slide(board, direction);
      if (slid === undefined) throw new Error(`${this.player.name} chose an illegal slide`);
      const then = this.#afterstate(slid.board);
      expected += probability * (slid.score + then.expected);
      heldTo += probability * (slid.score + then.heldTo);
      heldToWorstTie = Math.min(heldToWorstTie, slid.score + then.heldToWorstTie);
    }
    return { expected, heldTo, heldToWorstTie };
  }

  #afterstate(board: Board): Score {
    const chances = this.game.tiles.length === 1 ? { 2: 1, 4: 0 } : { 2: 0.9, 4: 0.1 };
    const empty = emptyCells(board).length;
    const all = placements(board, this.game.tiles).map(({ tile, board: next }) => ({
      chance: chances[tile as 2 | 4] / empty,
      ...this.position(next),
    }));
    return {
      expected: all.reduce((sum, { chance, expected }) => sum + chance * expected, 0),
      heldTo: Math.min(...all.map(({ heldTo }) => heldTo)),
      heldToWorstTie: Math.min(...all.map(({ heldToWorstTie }) => heldToWorstTie)),
    };
  }
}

/** The images of a start that have the shape of a game. */
export function imagesOf(start: Board, { shape }: Game): Board[] {
  const all = SYMMETRIES.map((symmetry) => applySymmetry(start, symmetry));
  const found = all.filter(({ rows, cols }) => rows === shape.rows && cols === shape.cols);
  return [...new Map(found.map((board) => [packBoard(board), board])).values()];
}

/** A player whose choice depends on the position in an arbitrary way, with unequal probabilities. */
export function erratic(shape: Game["shape"]): Player {
  const grid = new Grid(shape);
  const choose = (cells: Cells): Choice[] => {
    const after = new Uint8Array(cells.length);
    const legal = DIRECTIONS.filter((direction) => grid.slide(cells, direction, after) >= 0);
    const hash = cells.reduce((sum, exponent, cell) => sum * 31 + exponent * (cell + 7), 5);
    const first = legal[hash % legal.length] as Choice["direction"];
    const second = legal[(hash >> 3) % legal.length] as Choice["direction"];
    if (first === second) return [{ direction: first, probability: 1 }];
    const probability = (1 + (hash % 5)) / 8;
    return [
      { direction: first, probability },
      { direction: second, probability: 1 - probability },
    ];
  };
  return { name: "erratic", isSymmetric: false, choose };
}

/** Returns the game on a shape. */
export function gameOf(shape: string, tiles: Tiles = [2, 4]): Game {
  return { shape: parseShape(shape), tiles };
}

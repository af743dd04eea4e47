import {
  applySymmetry,
  type Board,
  DIRECTIONS,
  emptyBoard,
  emptyCells,
  type Game,
  type PackedBoard,
  packBoard,
  parseShape,
  placements,
  SYMMETRIES,
  slides,
  starts,
  type Tiles,
} from "@gridlock/game";
import type { Assessment, Score } from "@gridlock/lab";
import { CellRules, type Cells, type Choice, type Player } from "@gridlock/players";
import { expect } from "vitest";

/** Players' scores from boards on, by plain recursion over the rules of `game`. */
export class PlainScores {
  readonly #players: readonly Player[];
  readonly #game: Game;
  readonly #formOf: (board: Board) => Board;
  readonly #cellRules: CellRules;
  readonly #positions = new Map<PackedBoard, readonly Score[]>();
  readonly #afterstates = new Map<PackedBoard, readonly Score[]>();

  /** @param formOf returns the board that stands for one; default: each stands for itself */
  constructor(
    players: readonly Player[],
    game: Game,
    formOf: (board: Board) => Board = (board) => board,
  ) {
    this.#players = players;
    this.#game = game;
    this.#formOf = formOf;
    this.#cellRules = new CellRules(game.shape);
  }

  /** Returns each player's score from a position. */
  position(board: Board): readonly Score[] {
    const form = this.#formOf(board);
    const key = packBoard(form);
    let scores = this.#positions.get(key);
    if (scores === undefined) {
      scores = this.#position(form);
      this.#positions.set(key, scores);
    }
    return scores;
  }

  #position(board: Board): readonly Score[] {
    const moves = slides(board);
    if (moves.length === 0) {
      return this.#players.map(() => ({ expected: 0, heldTo: 0, heldToWorstTie: 0 }));
    }
    const cells = this.#cellRules.cells(board);
    return this.#players.map((player, i) => {
      let [expected, heldTo, heldToWorstTie] = [0, 0, Number.POSITIVE_INFINITY];
      for (const { direction, probability } of player.choose(cells)) {
        const move = moves.find((one) => one.direction === direction);
        if (move === undefined) throw new Error(`${player.name} chose an illegal slide`);
        const then = this.#afterstate(move.board)[i] as Score;
        expected += probability * (move.score + then.expected);
        heldTo += probability * (move.score + then.heldTo);
        heldToWorstTie = Math.min(heldToWorstTie, move.score + then.heldToWorstTie);
      }
      return { expected, heldTo, heldToWorstTie };
    });
  }

  #afterstate(board: Board): readonly Score[] {
    const form = this.#formOf(board);
    const key = packBoard(form);
    let scores = this.#afterstates.get(key);
    if (scores === undefined) {
      const empty = emptyCells(form).length;
      const all = placements(form, this.#game.tiles).map(({ tile, board: next }) => ({
        chance: chanceOf(tile, this.#game.tiles) / empty,
        scores: this.position(next),
      }));
      scores = this.#players.map((_, i) => {
        let [expected, heldTo, heldToWorstTie] = [
          0,
          Number.POSITIVE_INFINITY,
          Number.POSITIVE_INFINITY,
        ];
        for (const { chance, scores } of all) {
          const then = scores[i] as Score;
          expected += chance * then.expected;
          heldTo = Math.min(heldTo, then.heldTo);
          heldToWorstTie = Math.min(heldToWorstTie, then.heldToWorstTie);
        }
        return { expected, heldTo, heldToWorstTie };
      });
      this.#afterstates.set(key, scores);
    }
    return scores;
  }
}

function chanceOf(tile: number, tiles: Tiles): number {
  if (tiles.length === 1) return 1;
  return tile === 2 ? 0.9 : 0.1;
}

/**
 * Checks the assessments of players against plain recursion.
 *
 * @param formOf that of {@link PlainScores}
 */
export function expectPlain(
  found: readonly Assessment[],
  players: readonly Player[],
  game: Game,
  formOf?: (board: Board) => Board,
): void {
  const plain = new PlainScores(players, game, formOf);
  const all = starts(game.shape).map((start) => ({
    start: packBoard(start),
    images: imagesOf(start, game).map((image) => plain.position(image)),
  }));
  const inAll = fromRandomTiles(plain, players, game);
  for (const [i, { name }] of players.entries()) {
    const { player, starts: scores, expected } = found[i] as Assessment;
    expect(player).toBe(name);
    expect(scores.map(({ board }) => packBoard(board))).toEqual(all.map(({ start }) => start));
    for (const [n, { images }] of all.entries()) {
      const own = images.map((image) => image[i] as Score);
      const mean = own.reduce((sum, score) => sum + score.expected, 0) / own.length;
      expect(scores[n]?.expected, name).toBeCloseTo(mean, 6);
      expect(scores[n]?.heldTo, name).toBeCloseTo(Math.min(...own.map((of) => of.heldTo)), 9);
      expect(scores[n]?.heldToWorstTie, name).toBe(Math.min(...own.map((of) => of.heldToWorstTie)));
    }
    expect(expected, name).toBeCloseTo(inAll[i] as number, 6);
  }
}

/** Returns each player's expected score from two random tiles, the second in another cell. */
function fromRandomTiles(
  plain: PlainScores,
  players: readonly Player[],
  { shape, tiles }: Game,
): number[] {
  const empty = emptyBoard(shape);
  const pairs = empty.cells.length * (empty.cells.length - 1);
  const means = players.map(() => 0);
  for (const first of placements(empty, tiles)) {
    for (const second of placements(first.board, tiles)) {
      const chance = (chanceOf(first.tile, tiles) * chanceOf(second.tile, tiles)) / pairs;
      for (const [i, score] of plain.position(second.board).entries()) {
        means[i] = (means[i] as number) + chance * score.expected;
      }
    }
  }
  return means;
}

/** The images of a start that have the shape of a game. */
export function imagesOf(start: Board, { shape }: Game): Board[] {
  const all = SYMMETRIES.map((symmetry) => applySymmetry(start, symmetry));
  const found = all.filter(({ rows, cols }) => rows === shape.rows && cols === shape.cols);
  return [...new Map(found.map((board) => [packBoard(board), board])).values()];
}

/** A player whose choice depends on the position arbitrarily, with unequal probabilities. */
export function erratic(shape: Game["shape"]): Player {
  const cellRules = new CellRules(shape);
  const choose = (cells: Cells): Choice[] => {
    const after = new Uint8Array(cells.length);
    const legal = DIRECTIONS.filter((direction) => cellRules.slide(cells, direction, after) >= 0);
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

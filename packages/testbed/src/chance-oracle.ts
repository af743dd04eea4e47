import {
  type Board,
  canonical,
  type Game,
  type PackedBoard,
  packBoard,
  placements,
  slides,
} from "@gridlock/game";

/**
 * Values of the ordinary game straight from its rules: each turn places a tile in a random empty
 * cell, a 2 with 90 %, and plays the slide that is best on average. Plain recursion over `game` in
 * doubles, memoized by packed canonical board.
 */
export class ChanceOracle {
  readonly positions = new Map<PackedBoard, number>();

  /** @param goal the tile whose chance is computed; the score if omitted */
  constructor(
    readonly game: Game,
    readonly goal?: number,
  ) {}

  /** Returns the value of a position. */
  position(board: Board): number {
    const form = canonical(board);
    const key = packBoard(form);
    let value = this.positions.get(key);
    if (value === undefined) {
      value = this.#value(form);
      this.positions.set(key, value);
    }
    return value;
  }

  #value(board: Board): number {
    const moves = slides(board).map(
      (slide) => (this.goal === undefined ? slide.score : 0) + this.afterstate(slide.board),
    );
    if (this.goal !== undefined && Math.max(...board.cells) >= this.goal) return 1;
    return Math.max(0, ...moves);
  }

  /** Returns the value of an afterstate: the average over its placements. */
  afterstate(board: Board): number {
    const all = placements(board, this.game.tiles);
    const cells = all.length / this.game.tiles.length;
    const chanceOf = (tile: number) => (this.game.tiles.length === 1 ? 1 : tile === 2 ? 0.9 : 0.1);
    return all.reduce(
      (sum, next) => sum + (chanceOf(next.tile) / cells) * this.position(next.board),
      0,
    );
  }
}

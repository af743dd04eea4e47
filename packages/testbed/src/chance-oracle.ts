import { type Board, canonical, type Game, packBoard, placements } from "@gridlock/game";
import { Oracle, POINTS } from "./oracle.js";

/**
 * Values of the ordinary game straight from its rules: each turn places a tile in a random empty
 * cell, a 2 with 90 %, and plays the slide that is best on average.
 */
export class ChanceOracle extends Oracle {
  /** @param goal the tile whose chance is computed; the score if omitted */
  constructor(
    game: Game,
    readonly goal?: number,
  ) {
    super(game, { objective: { ...POINTS, scored: goal === undefined } });
  }

  override position(board: Board): number {
    const value = super.position(board);
    if (this.goal === undefined || Math.max(...board.cells) < this.goal) return value;
    this.positions.set(packBoard(canonical(board)), 1);
    return 1;
  }

  /** Returns the average over the placements of an afterstate. */
  override afterstate(board: Board): number {
    const all = placements(board, this.game.tiles);
    const cells = all.length / this.game.tiles.length;
    const chanceOf = (tile: number) => (this.game.tiles.length === 1 ? 1 : tile === 2 ? 0.9 : 0.1);
    return all.reduce(
      (sum, next) => sum + (chanceOf(next.tile) / cells) * this.position(next.board),
      0,
    );
  }
}

import { type PackedBoard, packedFromHalves, unpackBoard } from "@gridlock/game";
import type { AnalyzeOutput } from "@gridlock/schemas";
import type { Tabulation } from "./tabulation.js";

/** Counts of pairs of a position and a tile on it, by what taking the tile off does. */
export type RemovalCounts = NonNullable<AnalyzeOutput["removals"]>;

/** Counts the removals of tiles from positions of a tabulation with the column `minimax`. */
export class Removals {
  readonly counts = { valued: 0, lower: 0, same: 0, unreachable: 0 };
  readonly #tabulation: Tabulation;

  constructor(tabulation: Tabulation) {
    this.#tabulation = tabulation;
  }

  /** Adds positions, given as the lists of a sweep. */
  add(boards: Uint32Array, values: Uint32Array): void {
    for (let i = 0; i < boards.length; i += 2) {
      const packed = packedFromHalves(boards[i + 1] as number, boards[i] as number);
      this.#addBoard(packed, 4 * (((values[i] as number) >>> 16) - 1));
    }
  }

  #addBoard(packed: PackedBoard, value: number): void {
    const { counts } = this;
    const board = unpackBoard(this.#tabulation.game.shape, packed);
    for (let cell = 0; cell < board.cells.length; cell++) {
      if (board.cells[cell] === 0) continue;
      const entry = this.#tabulation.entryAfter(board, cell, 0);
      if (entry < 0) {
        counts.unreachable++;
        continue;
      }
      const left = this.#tabulation.valueAt("minimax", entry);
      counts.valued++;
      if (left < value) counts.lower++;
      else if (left === value) counts.same++;
    }
  }
}

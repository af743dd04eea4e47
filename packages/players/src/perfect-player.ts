import { DIRECTIONS, type Direction, type Shape } from "@gridlock/game";
import { type Tabulation, tileChances, type ValueColumn } from "@gridlock/tablebase";
import { Boards } from "./boards.js";
import { equalChoices } from "./choices.js";
import type { PlayerKind } from "./kind.js";
import type { Cells, Choice, Player } from "./player.js";

type Goal = Extract<ValueColumn, "minimax" | "expected">;

/** Afterstates whose values a player remembers: enough for the largest layer of 3×3. */
const MOST_REMEMBERED = 2 ** 19;

/** Plays perfectly against a perfect placer. */
export const perfect: PlayerKind = kindOf(
  "perfect",
  "minimax",
  "a best slide against the perfect placer, at random among equals; needs gridlock tabulate",
);

/** Plays perfectly in the ordinary game. */
export const perfectOrdinary: PlayerKind = kindOf(
  "perfect-ordinary",
  "expected",
  "the slide with the highest expected score in the ordinary game; needs gridlock tabulate",
);

function kindOf(name: string, goal: Goal, summary: string): PlayerKind {
  return {
    names: [name],
    summary,
    make({ name: full, shape, openTabulation }) {
      return new PerfectPlayer(full, shape, goal, openTabulation(goal));
    },
  };
}

/**
 * Chooses the slide with the highest tabulated value; equal ones have equal probability. In
 * positions that play from the starts does not reach, which have no value, it chooses any legal
 * slide.
 */
class PerfectPlayer implements Player {
  readonly isSymmetric = true;
  readonly #goal: Goal;
  readonly #tabulation: Tabulation;
  readonly #boards: Boards;
  readonly #isTransposed: boolean;
  /** Values of afterstates by their codes. */
  readonly #remembered = new Map<number, number>();
  readonly #after = new Float64Array(DIRECTIONS.length);
  readonly #score = new Float64Array(DIRECTIONS.length);

  /** @param tabulation of a game on the shape, with the column `goal` */
  constructor(
    readonly name: string,
    shape: Shape,
    goal: Goal,
    tabulation: Tabulation,
  ) {
    this.#goal = goal;
    this.#tabulation = tabulation;
    this.#boards = new Boards(tabulation.game.shape, true);
    this.#isTransposed = shape.rows > shape.cols;
  }

  choose(cells: Cells): readonly Choice[] {
    this.#boards.setCells(this.#isTransposed ? transposed(cells, this.#boards.shape) : cells);
    for (let slide = 0; slide < DIRECTIONS.length; slide++) {
      this.#after[slide] = this.#boards.slide(slide);
      this.#score[slide] = this.#boards.score(slide);
    }
    let best = Number.NEGATIVE_INFINITY;
    let slides = 0;
    for (let slide = 0; slide < DIRECTIONS.length; slide++) {
      const code = this.#after[slide] as number;
      if (code < 0) continue;
      const value = (this.#score[slide] as number) + this.#valueOf(code);
      const bit = 1 << (this.#isTransposed ? (TRANSPOSED[slide] as number) : slide);
      if (value > best) {
        best = value;
        slides = bit;
      } else if (value === best) slides |= bit;
    }
    return equalChoices(slides);
  }

  #valueOf(code: number): number {
    const known = this.#remembered.get(code);
    if (known !== undefined) return known;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    const value = this.#goal === "minimax" ? this.#worst(code) : this.#average(code);
    this.#remembered.set(code, value);
    return value;
  }

  /** Returns the least value of the positions after an afterstate. */
  #worst(code: number): number {
    let worst = Number.POSITIVE_INFINITY;
    for (const [tile] of tileChances(this.#tabulation.game)) {
      for (const value of this.#valuesAfter(code, tile)) worst = Math.min(worst, value);
    }
    return worst;
  }

  /** Returns the average value of the positions after an afterstate. */
  #average(code: number): number {
    let average = 0;
    for (const [tile, chance] of tileChances(this.#tabulation.game)) {
      const values = this.#valuesAfter(code, tile);
      average += (chance * values.reduce((sum, value) => sum + value, 0)) / values.length;
    }
    return average;
  }

  /**
   * Returns the values after a tile is placed in each of the empty cells; 0 where there is none.
   */
  #valuesAfter(code: number, tile: number): number[] {
    const boards = this.#boards;
    boards.setAfterstate(code);
    const sum = boards.cells.reduce((all, exponent) => all + (exponent && 2 ** exponent), tile);
    const values: number[] = [];
    for (let cell = 0; cell < boards.size; cell++) {
      if (boards.cells[cell] !== 0) continue;
      const packed = boards.packedOf(boards.place(cell, tile / 2));
      const place = this.#tabulation.findPacked(sum, packed);
      values.push(place === undefined ? 0 : this.#tabulation.value(this.#goal, place));
    }
    return values;
  }
}

/** Returns the cells of the transposed board. */
function transposed(cells: Cells, { rows, cols }: Shape): Cells {
  return Uint8Array.from(
    cells,
    (_, i) => cells[(i % cols) * rows + Math.floor(i / cols)] as number,
  );
}

/** The index of each direction on the transposed board. */
const TRANSPOSED = (["left", "up", "right", "down"] satisfies Direction[]).map((direction) =>
  DIRECTIONS.indexOf(direction),
);

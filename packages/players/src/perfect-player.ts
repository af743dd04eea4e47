import { type Board, DIRECTIONS, type Direction, emptyCells, type Shape } from "@gridlock/game";
import {
  exponentPacker,
  type Tabulation,
  tileChances,
  type ValueColumn,
} from "@gridlock/tablebase";
import { equalChoices } from "./choices.js";
import { Grid, ILLEGAL } from "./grid.js";
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
  readonly #grid: Grid;
  readonly #canonical: (after: Cells) => number;
  /** Values of afterstates by their canonical forms. */
  readonly #remembered = new Map<number, number>();
  readonly #after: Cells;

  /** @param tabulation of a game on the shape, with the column `goal` */
  constructor(
    readonly name: string,
    shape: Shape,
    goal: Goal,
    tabulation: Tabulation,
  ) {
    this.#goal = goal;
    this.#tabulation = tabulation;
    this.#grid = new Grid(shape);
    this.#canonical = exponentPacker(shape);
    this.#after = new Uint8Array(this.#grid.size);
  }

  choose(cells: Cells): readonly Choice[] {
    let best = Number.NEGATIVE_INFINITY;
    let slides = 0;
    for (let slide = 0; slide < DIRECTIONS.length; slide++) {
      const score = this.#grid.slide(cells, DIRECTIONS[slide] as Direction, this.#after);
      if (score === ILLEGAL) continue;
      const value = score + this.#valueOf(this.#after);
      if (value > best) {
        best = value;
        slides = 1 << slide;
      } else if (value === best) slides |= 1 << slide;
    }
    return equalChoices(slides);
  }

  #valueOf(after: Cells): number {
    const form = this.#canonical(after);
    const known = this.#remembered.get(form);
    if (known !== undefined) return known;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    const board = this.#grid.board(after);
    const value = this.#goal === "minimax" ? this.#worst(board) : this.#average(board);
    this.#remembered.set(form, value);
    return value;
  }

  /** Returns the least value of the positions after an afterstate. */
  #worst(after: Board): number {
    const { tiles } = this.#tabulation.game;
    return Math.min(...tiles.flatMap((tile) => this.#valuesAfter(after, tile)));
  }

  /** Returns the average value of the positions after an afterstate. */
  #average(after: Board): number {
    let average = 0;
    for (const [tile, chance] of tileChances(this.#tabulation.game)) {
      const values = this.#valuesAfter(after, tile);
      average += (chance * values.reduce((sum, value) => sum + value, 0)) / values.length;
    }
    return average;
  }

  /** Returns the values after a tile is placed in each of the empty cells; 0 for positions not in the tabulation. */
  #valuesAfter(after: Board, tile: number): number[] {
    return emptyCells(after).map((cell) => {
      const entry = this.#tabulation.entryAfter(after, cell, tile);
      return entry < 0 ? 0 : this.#tabulation.valueAt(this.#goal, entry);
    });
  }
}

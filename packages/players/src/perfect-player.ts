import { normalShape, type Shape } from "@gridlock/game";
import { Images, type Tabulation, type ValueColumn, valueOfNode } from "@gridlock/tablebase";
import { bestSlides, CellRules } from "./cell-rules.js";
import { equalChoices } from "./choices.js";
import type { Cells, Player, PlayerKind } from "./player.js";

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
      const tabulation = openTabulation(goal);
      return { name: full, isSymmetric: true, choose: chooserOf(shape, goal, tabulation) };
    },
  };
}

/**
 * Returns a function that chooses the slide with the highest tabulated value; equal ones have equal
 * probability. In positions that play from the starts does not reach, which have no value, it
 * chooses any legal slide.
 *
 * @param tabulation of a game on the shape, with the column `goal`
 */
function chooserOf(shape: Shape, goal: Goal, tabulation: Tabulation): Player["choose"] {
  const cellRules = new CellRules(shape);
  const images = new Images(normalShape(shape));
  /** Values of afterstates by their canonical forms. */
  const remembered = new Map<number, number>();
  const worth = (points: number, after: Cells) => {
    const board = cellRules.board(after);
    images.set(board);
    const form = images.least();
    const known = remembered.get(form);
    if (known !== undefined) return points + known;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const value = valueOfNode(tabulation, goal, { board, turn: "placer" }) ?? 0;
    remembered.set(form, value);
    return points + value;
  };
  return (cells) => equalChoices(bestSlides(cells, cellRules, worth));
}

import { CHANCE_OF_FOUR, quoted, type Shape } from "@gridlock/game";
import { type Tabulation, valueOfNode } from "@gridlock/tablebase";
import { CellRules, countEmpty } from "./cell-rules.js";
import { horizonOf } from "./line-sums.js";
import { makeMinimax } from "./minimax.js";
import { type Cells, PlayerError } from "./player.js";
import { LOST, zakyTerms } from "./zaky.js";

/** The placer's side of games on one shape. */
export interface Placer {
  /** Its name in commands, including its depth: `evil:2`. */
  readonly name: string;
  /**
   * Places a tile on an afterstate, which has an empty cell.
   *
   * @param random returns random numbers in [0, 1)
   */
  place(cells: Cells, random: () => number): void;
}

/**
 * The placer of the ordinary game: any empty cell with equal probability; a 2 with 90 %, a 4 with
 * 10 %.
 */
export const randomPlacer: Placer = {
  name: "random",
  place(cells, random) {
    let skip = Math.floor(random() * countEmpty(cells));
    for (let cell = 0; ; cell++) {
      if (cells[cell] !== 0 || skip-- > 0) continue;
      cells[cell] = random() < CHANCE_OF_FOUR ? 2 : 1;
      return;
    }
  },
};

/** Places the two random tiles with which a game begins on an empty board. */
export function placeStart(cells: Cells, random: () => number): void {
  randomPlacer.place(cells, random);
  randomPlacer.place(cells, random);
}

/**
 * Makes the placement after which the position is worth least to the slider; among equal ones, in
 * the first cell in reading order, and a 2 before a 4.
 */
function placeWorst(cells: Cells, worthOf: (position: Cells) => number): void {
  let least = Number.POSITIVE_INFINITY;
  let [bestCell, bestExponent] = [0, 0];
  for (let cell = 0; cell < cells.length; cell++) {
    if (cells[cell] !== 0) continue;
    for (const exponent of [1, 2]) {
      cells[cell] = exponent;
      const worth = worthOf(cells);
      if (worth < least) [least, bestCell, bestExponent] = [worth, cell, exponent];
    }
    cells[cell] = 0;
  }
  cells[bestCell] = bestExponent;
}

/** The default depth of the placer `evil` in plies, and the greatest. */
const EVIL_PLIES = 4;
const MOST_EVIL_PLIES = 8;

/** The names and descriptions of all placers. */
export const PLACERS: Readonly<Record<string, string>> = {
  random: "the ordinary game: a random cell, a 4 with 10 %",
  evil: `the worst placement by the heuristic of zaky-minimax; evil:PLIES looks 1 to ${MOST_EVIL_PLIES} plies ahead (default: ${EVIL_PLIES})`,
  perfect: "the placement that leaves the least value; needs gridlock tabulate",
};

/** Makes a placer by name; see `PlayerMaker.placer`. */
export function placerNamed(
  name: string,
  shape: Shape,
  openTabulation: (column: "minimax") => Tabulation,
): Placer {
  const [base = "", ...suffixes] = name.split(":");
  if (!Object.hasOwn(PLACERS, base)) {
    const names = Object.keys(PLACERS).join(", ");
    throw new PlayerError(`there is no placer ${quoted(base)}; expected ${names}`);
  }
  const plies = suffixes.length === 0 ? EVIL_PLIES : Number(suffixes.join(":"));
  if (base === "evil" && plies >= 1 && plies <= MOST_EVIL_PLIES && Number.isInteger(plies)) {
    return evilPlacer(shape, plies);
  }
  if (suffixes.length > 0) {
    const expected = base === "evil" ? `evil:1 to evil:${MOST_EVIL_PLIES}` : base;
    throw new PlayerError(`there is no placer ${quoted(name)}; expected ${expected}`);
  }
  return base === "random" ? randomPlacer : perfectPlacer(shape, openTabulation("minimax"));
}

/**
 * Makes the placer that plays perfectly against a perfect slider: it takes the placement after
 * which the position has the smallest value.
 *
 * @param tabulation of the game with 2s and 4s on the shape, with the column `minimax`
 */
function perfectPlacer(shape: Shape, tabulation: Tabulation): Placer {
  const cellRules = new CellRules(shape);
  const worthOf = (position: Cells) => {
    const node = { board: cellRules.board(position), turn: "slider" } as const;
    const value = valueOfNode(tabulation, "minimax", node);
    if (value === undefined) throw new RangeError("a position of a game is not tabulated");
    return value;
  };
  return { name: "perfect", place: (cells) => placeWorst(cells, worthOf) };
}

/** All directions, in order. */
const ORDER = [0, 1, 2, 3];

/**
 * Makes the placer known from "evil" versions of the game. After each placement it looks ahead by
 * minimax with the heuristic H of `zaky-minimax`, and takes the placement after which the slider's
 * best slide is worth least.
 */
function evilPlacer(shape: Shape, plies: number): Placer {
  const rules = { lost: LOST, seesLossAtHorizon: true };
  const minimaxFor = makeMinimax(shape, rules, plies, horizonOf(zakyTerms(shape)));
  const worthOf = (position: Cells) =>
    Math.max(LOST, ...minimaxFor(position, plies).worths(position, plies, ORDER));
  return { name: `evil:${plies}`, place: (cells) => placeWorst(cells, worthOf) };
}

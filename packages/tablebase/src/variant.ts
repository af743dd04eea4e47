import { DIRECTIONS, type Direction, type Symmetry } from "@gridlock/game";

/** The side that chooses: the placer minimizes the score, the slider maximizes it. */
export type Chooser = "placer" | "slider" | "chance";

/** A choice of a tile. */
export interface Option {
  readonly tile: number;
  /** Number of the state that follows. */
  readonly next: number;
}

/** The moves allowed in a state. Numbers of states are below the variant's number of states. */
export interface State {
  /** Required: directions that the slider may use; the game ends when no such slide is legal. */
  readonly slides: readonly Direction[];
  /** Optional: number of the state after the slider passes; absent if it may not. */
  readonly pass?: number;
  /** Required: one to 16, of tiles of the placer. */
  readonly options: readonly Option[];
  /** Required: who chooses the option, and who chooses its cell. */
  readonly tile: Chooser;
  readonly cell: Chooser;
  /** Required: the first choice, in view of which the other is made; "tile" if `share` < 1. */
  readonly first: "tile" | "cell";
  /** Required: probability from 0 to 1 that they choose; otherwise chance chooses both. */
  readonly share: number;
}

/** Values to report: those of one state or, where the placer chooses among several, the least. */
export interface Series {
  readonly name: string;
  readonly states: readonly number[];
}

/**
 * A game of 2048 with changed rules: what a kind of variant provides to a sweep, which values it as
 * `assembly/rules.ts` does. A state is what matters beside the board.
 */
export interface Variant {
  /** Required: as the user writes it, for instance `4s=17`. */
  readonly name: string;
  /** Required: the rules in a sentence, without a full stop. */
  readonly title: string;
  /** Required: one to 64. */
  readonly states: readonly State[];
  /** Required: what to report. */
  readonly series: readonly Series[];
  /** Optional: true if the series differ by a number that does not matter from some number on. */
  readonly isLimited?: true;
  /**
   * Optional: returns the image of a state under a symmetry of the board; absent if none changes
   * it. Symmetries permute the states, and the slides of an image are the images of the slides.
   */
  image?(state: number, symmetry: Symmetry): number;
}

/** Returns a state of the game itself, with some rules changed. */
export function stateOf(
  options: readonly Option[],
  changes: Partial<Omit<State, "options">> = {},
): State {
  return {
    slides: DIRECTIONS,
    options,
    tile: "placer",
    cell: "placer",
    first: "tile",
    share: 1,
    ...changes,
  };
}

/** Returns an option for each tile, all followed by one state. */
export function optionsOf(tiles: readonly number[], next = 0): Option[] {
  return tiles.map((tile) => ({ tile, next }));
}

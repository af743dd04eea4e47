import { type Board, type Node, parseShape, type Turn } from "@gridlock/game";
import type { Techniques } from "@gridlock/lab";
import { type Values, valuesOf } from "./values.js";

/* Games, nodes and techniques for the tests of the search. */

export const GAME_2X2 = { shape: parseShape("2x2"), tiles: [2, 4] } as const;
export const GAME_2X3 = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
export const GAME_3X3 = { shape: parseShape("3x3"), tiles: [2, 4] } as const;

/** The values of 2×2 and 2×3 by retrograde analysis. */
export const VALUES_2X2 = valuesOf(GAME_2X2);
export const VALUES_2X3 = valuesOf(GAME_2X3);

export const PRUNINGS = ["none", "alpha-beta"] as const;
export const TABLES = ["none", "plain", "all-images", "on-reading"] as const;
export const SOUND_VALUES = ["score", "sound"] as const;
export const ON_AND_OFF = [false, true] as const;
/** Static values that are sound, and the table for those that may have one. */
const STATIC_VALUES = [
  { value: "score", lbhsvTable: "off" },
  { value: "sound", lbhsvTable: "off" },
  { value: "sound", lbhsvTable: "filled" },
] as const;

export function positionOf(board: Board): Node {
  return { board, turn: "slider" };
}

export function product<A, B>(as: readonly A[], bs: readonly B[]): [A, B][] {
  return as.flatMap((a) => bs.map((b): [A, B] => [a, b]));
}

/**
 * Returns every combination of switches with these three and a sound static value, for searches of
 * the whole game. Among these, only iterative deepening finds results of shallower searches, which
 * the footnote is about.
 */
export function combinations(
  switches: Pick<Techniques, "pruning" | "table" | "ordering">,
): Techniques[] {
  const footnotes = switches.ordering === "deepening" ? ON_AND_OFF : [false];
  return product(product(ON_AND_OFF, footnotes), STATIC_VALUES).map(
    ([[lowerBound, footnote], values]) => ({ ...switches, lowerBound, footnote, ...values }),
  );
}

/** Returns every n-th of the nodes that play can reach, by ascending tile sum. */
export function sample({ grid, positions, afterstates }: Values, turn: Turn, n: number): Node[] {
  return [...(turn === "slider" ? positions : afterstates).keys()]
    .filter((_, i) => i % n === n - 1)
    .map((code) => ({ board: grid.decode(code), turn }));
}

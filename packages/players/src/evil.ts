import type { Shape } from "@gridlock/game";
import { makeMinimax } from "./line-minimax.js";
import { type Placer, placeWorst } from "./placer.js";
import type { Cells } from "./player.js";
import { LOST, ZAKY_AS_PUBLISHED, zakyTerms } from "./zaky.js";

/** All directions, in order. */
const ORDER = [0, 1, 2, 3];

/**
 * Makes the placer known from "evil" versions of the game. After each placement it looks ahead by
 * minimax with the heuristic H of `zaky-minimax`, and takes the placement after which the slider's
 * best slide is worth least.
 */
export function evilPlacer(shape: Shape, plies: number): Placer {
  const rules = { lost: LOST, seesLossAtHorizon: true };
  const minimax = makeMinimax(shape, rules, plies, zakyTerms(shape, ZAKY_AS_PUBLISHED));
  const worthOf = (position: Cells) => Math.max(LOST, ...minimax.worths(position, plies, ORDER));
  return { name: `evil:${plies}`, place: (cells) => placeWorst(cells, worthOf) };
}

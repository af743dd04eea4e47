import { cellCount, type Shape } from "@gridlock/game";
import type { Cells, Choice, Player } from "./player.js";

/** The most cells of a shape on which games often reach the same positions. */
const MOST_CELLS = 9;
/** Most positions to remember; beyond, all are forgotten. */
const MOST_REMEMBERED = 2 ** 20;

/**
 * Returns a player that makes the same choices but considers each position only once, on small
 * shapes.
 */
export function remembering(player: Player, shape: Shape): Player {
  if (cellCount(shape) > MOST_CELLS) return player;
  const known = new Map<number, readonly Choice[]>();
  return {
    name: player.name,
    isSymmetric: player.isSymmetric,
    choose(cells: Cells) {
      let key = 0;
      for (const exponent of cells) key = 16 * key + exponent; // at most 1024 on nine cells
      let choices = known.get(key);
      if (choices === undefined) {
        choices = player.choose(cells);
        if (known.size >= MOST_REMEMBERED) known.clear();
        known.set(key, choices);
      }
      return choices;
    },
  };
}

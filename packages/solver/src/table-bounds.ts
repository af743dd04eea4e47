import { type Game, mostPointsToCome, normalShape, unpackBoard } from "@gridlock/game";
import { effortOf, type Kernel, type TableEntry } from "@gridlock/kernel/web";
import type { BoundEntry, BoundTable } from "@gridlock/store";

/** Fewest nodes that a bound must have cost to be stored in the solution database. */
const COSTLY_NODES = 4096;

/** Least effort, as table entries count it, of bounds for the solution database. */
export const COSTLY = effortOf(COSTLY_NODES);

/** Converts a table's bounds for the database. If no `hi` is known, the rules give one. */
export function asBounds(game: Game, entries: readonly TableEntry[]): BoundEntry[] {
  const shape = normalShape(game.shape);
  return entries.map(({ turn, board, lo, hi }) => ({
    turn,
    board,
    lo,
    hi: Math.min(hi, mostPointsToCome(unpackBoard(shape, board))),
  }));
}

/** Copies the costliest bounds of a table into the database. */
export function saveCostlyBounds(
  kernel: Kernel,
  game: Game,
  bounds: Pick<BoundTable, "merge">,
): void {
  for (const batch of kernel.records.entries(COSTLY)) bounds.merge(asBounds(game, batch));
}

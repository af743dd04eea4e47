import { cellCount, type Shape } from "@gridlock/game";

/** Players, by the most cells of the shapes on which measuring them takes minutes at most. */
export type PlayersByCells = readonly (readonly [cells: number, players: readonly string[]])[];

/** Returns the players that can be measured on a shape, in their order. */
export function affordable(players: PlayersByCells, shape: Shape): string[] {
  const cells = cellCount(shape);
  return players.filter(([most]) => cells <= most).flatMap(([, names]) => names);
}

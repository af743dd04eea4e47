import type { Statistics } from "@gridlock/players";
import type { Bench } from "../bench.js";
import { inTurn } from "../experiment.js";

/** Ordinary games of a player on 4×4. */
export interface Played extends Statistics {
  readonly player: string;
}

/** Plays ordinary games on 4×4, given the number of games of each player. */
export function playAll(
  bench: Bench,
  games: readonly (readonly [player: string, games: number])[],
): Promise<Played[]> {
  return inTurn(games, async ([player, games]) => ({
    player,
    ...(await bench.play(player, games)),
  }));
}

/** Leaves out what does not repeat. */
export function withoutTime<P extends Played>({ seconds: _, ...played }: P) {
  return played;
}
